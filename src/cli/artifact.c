/* artifact.c: the output that a model is compiled to.
 * In: the options and a compilation. Out: source text, a plan, a drawing, or compiled code. */
#include "cli/command.h"

#include <string.h>

/* By Artifact; the suffix is "." and the name. */
static const char *const artifact_names[] = {
    [ARTIFACT_CUDA] = "cuda",   [ARTIFACT_C] = "c",       [ARTIFACT_HEADER] = "h",
    [ARTIFACT_JSON] = "json",   [ARTIFACT_DOT] = "dot",   [ARTIFACT_PTX] = "ptx",
    [ARTIFACT_CUBIN] = "cubin", [ARTIFACT_SASS] = "sass", [ARTIFACT_LIBRARY] = "so"};
enum { PRODUCTS = sizeof artifact_names / sizeof artifact_names[0] };

static int artifact_find(const char *name, const char *cuda) {
    if (!strcmp(name, cuda)) return ARTIFACT_CUDA;
    for (int i = ARTIFACT_CUDA + 1; i < PRODUCTS; i++)
        if (!strcmp(name, artifact_names[i])) return i;
    return -1;
}

static bool choose_by_name(Session *s, const char *name, Artifact *artifact) {
    int found = artifact_find(name, artifact_names[ARTIFACT_CUDA]);
    if (found >= 0) *artifact = (Artifact)found;
    if (found >= 0) return true;
    diag_error(s->diag, NOWHERE,
               "there is no target '%s'; there are cuda c ptx cubin sass so json dot", name);
    if (!strncmp(name, "sm_", 3))
        diag_note(s->diag, NOWHERE, "architectures are given by --arch=%s", name);
    else
        suggest(s->diag, name, artifact_names, PRODUCTS);
    return false;
}

/* The end of a path; NULL: there is no file of that name. */
static const char *base_name(const char *path) {
    if (!path || !strcmp(path, "-") || !strncmp(path, "/dev/", 5)) return NULL;
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool choose_by_suffix(Session *s, const char *path, Artifact *artifact) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int found = dot ? artifact_find(dot + 1, "cu") : -1;
    *artifact = found < 0 ? ARTIFACT_CUDA : (Artifact)found;
    if (found >= 0 || !base_name(path)) return true;
    diag_error(s->diag, NOWHERE,
               "'%s' has no suffix of .cu .c .h .ptx .cubin .sass .so .json .dot: give it one, or "
               "add --target",
               path);
    return false;
}

bool is_header_path(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && !strcmp(dot, ".h");
}

/* Graphviz makes pictures of what is written. */
static bool choose_drawing(Session *s, Artifact *artifact) {
    const char *path = s->options->output, *dot = path ? strrchr(path, '.') : NULL;
    *artifact = ARTIFACT_DOT;
    if (!base_name(path) || (dot && (!strcmp(dot, ".dot") || !strcmp(dot, ".gv")))) return true;
    diag_error(
        s->diag, NOWHERE,
        "'%s' does not end in .dot or .gv: fusec graph writes text for Graphviz, which draws "
        "it, as in dot -Tsvg",
        path);
    return false;
}

/* The functions of a .c and of a .cu have the same names but different arguments. */
static bool choose_header(Session *s, Artifact *artifact) {
    const char *target = s->options->target;
    *artifact = ARTIFACT_HEADER;
    if (target && target_find(target)) return true;
    diag_error(s->diag, NOWHERE,
               "a header is for C or for CUDA, whose functions differ: add --target=c or "
               "--target=cuda");
    return false;
}

bool artifact_choose(Session *s, Artifact *artifact) {
    const Options *o = s->options;
    *artifact = ARTIFACT_CUDA;
    if (o->command == CMD_GRAPH) return choose_drawing(s, artifact);
    if (o->emits_stage || o->command == CMD_EXPLAIN) {
        if (o->target && !choose_by_name(s, o->target, artifact)) return false;
        *artifact = o->emits_stage ? ARTIFACT_STAGE : ARTIFACT_EXPLAIN;
        return true;
    }
    bool is_header = is_header_path(o->output) && (!o->target || target_find(o->target));
    if (is_header || (o->target && !strcmp(o->target, "h"))) return choose_header(s, artifact);
    if (o->target) return choose_by_name(s, o->target, artifact);
    if (o->output) return choose_by_suffix(s, o->output, artifact);
    if (o->explain) *artifact = ARTIFACT_EXPLAIN;
    return true;
}

/* The default target of a stage, an explanation or a drawing is CUDA. */
static const Target *target_of(Artifact artifact, const Options *o) {
    const Target *named = o->target ? target_find(o->target) : NULL;
    if (artifact == ARTIFACT_C || artifact == ARTIFACT_LIBRARY) return &target_c;
    return named ? named : &target_cuda;
}

void artifact_prepare(Artifact artifact, const Options *o, CompileOptions *compile) {
    bool planned = artifact == ARTIFACT_JSON || artifact == ARTIFACT_DOT ||
                   (artifact == ARTIFACT_EXPLAIN && !(o->resources && o->command == CMD_EXPLAIN));
    compile->emit.marks = artifact == ARTIFACT_SASS;
    if (artifact == ARTIFACT_HEADER) compile->emit.header = base_name(o->output);
    if (o->header) compile->emit.header = base_name(o->header);
    if (artifact == ARTIFACT_CUDA || artifact == ARTIFACT_C || artifact == ARTIFACT_LIBRARY)
        compile->emit.file = base_name(o->output);
    compile->target = target_of(artifact, o);
    compile->until = artifact == ARTIFACT_STAGE ? o->stage : planned ? STAGE_PLAN : STAGE_SOURCE;
}

/* ---- making it ------------------------------------------------------------------------------ */

static bool make_plan(Session *s, const Compilation *c, Text *out) {
    bool ok = compilation_json(c, out);
    if (!ok) diag_refuse(s->diag, "out of memory for the plan");
    return ok;
}

/* The places in the model of the kernels of all functions. */
static NvrtcPlace *places_of(Session *s, const Compilation *c, int *count) {
    Vec(NvrtcPlace) all = {0};
    for (int i = 0; i < c->functions.count; i++) {
        const Program *p = &c->programs[i];
        for (int k = 0; k < p->kernel_count; k++) {
            const ProgramKernel *kernel = &p->kernels[k];
            if (kernel_has_code(kernel))
                vec_push(
                    s->arena, &all,
                    ((NvrtcPlace){p->source_at + kernel->source_at, kernel->place, kernel->name}));
        }
    }
    *count = all.count;
    return all.at;
}

static bool make_binary(Session *s, const Compilation *c, Artifact artifact, char **bytes,
                        size_t *size) {
    NvrtcInput input = {.source = text_get(&c->source),
                        .file = arena_printf(s->arena, "%s.cu", c->name),
                        .arch = s->options->arch ? s->options->arch : "sm_80",
                        .keep = s->options->keep};
    input.places = places_of(s, c, &input.place_count);
    progress_begin("compiling CUDA");
    *bytes =
        nvrtc_compile(s->diag, &input, artifact == ARTIFACT_PTX ? NVRTC_PTX : NVRTC_CUBIN, size);
    progress_end();
    return *bytes;
}

void artifact_header(Session *s, const Compilation *c, const Target *target, Text *out) {
    EmitOptions emit = s->options->compile.emit;
    emit.arena = s->arena;
    emit_header(c->model, c->names, target, &emit, out);
}

bool artifact_make(Session *s, const Compilation *c, Artifact artifact, Text *out, char **bytes,
                   size_t *size) {
    switch (artifact) {
    case ARTIFACT_JSON: return make_plan(s, c, out);
    case ARTIFACT_DOT: plans_dot(c->plans, c->functions.count, out); return true;
    case ARTIFACT_HEADER: artifact_header(s, c, target_of(artifact, s->options), out); return true;
    case ARTIFACT_PTX:
    case ARTIFACT_CUBIN: return make_binary(s, c, artifact, bytes, size);
    case ARTIFACT_SASS: return make_sass(s, c, out);
    case ARTIFACT_EXPLAIN:
        if (s->options->resources) return explain_resources(s, c, out);
        if (s->options->memory) return explain_memory(s, c, out);
        if (s->options->roofline || s->options->sweep.dim) return explain_rooflines(s, c, out);
        for (int i = 0; i < c->functions.count; i++) {
            if (i) text_char(out, '\n');
            plan_explain(c->plans[i], compilation_kernels(c)[i], out);
        }
        return true;
    case ARTIFACT_STAGE:
        if (s->options->json && s->options->stage == STAGE_PLAN) return make_plan(s, c, out);
        compilation_print(c, s->options->stage, out);
        return true;
    default: text_bytes(out, text_get(&c->source), c->source.size); return true;
    }
}
