/* artifact.c: what a model is compiled to.
 * In: the options and a compilation. Out: source text, a plan, a drawing, or compiled code. */
#include "cli/command.h"

#include <string.h>

/* By Product; the suffix is "." and the name. */
static const char *const product_names[] = {
    [MAKE_CUDA] = "cuda", [MAKE_C] = "c",     [MAKE_HEADER] = "h",    [MAKE_JSON] = "json",
    [MAKE_DOT] = "dot",   [MAKE_PTX] = "ptx", [MAKE_CUBIN] = "cubin", [MAKE_LIBRARY] = "so"};
enum { PRODUCTS = sizeof product_names / sizeof product_names[0] };

static int product_find(const char *name, const char *cuda) {
    if (!strcmp(name, cuda)) return MAKE_CUDA;
    for (int i = MAKE_CUDA + 1; i < PRODUCTS; i++)
        if (!strcmp(name, product_names[i])) return i;
    return -1;
}

static bool choose_by_name(Session *s, const char *name, Product *product) {
    int found = product_find(name, product_names[MAKE_CUDA]);
    if (found >= 0) *product = (Product)found;
    if (found >= 0) return true;
    diag_error(s->diag, NOWHERE,
               "there is no target '%s'; there are cuda c h ptx cubin so json dot", name);
    suggest(s->diag, name, product_names, PRODUCTS);
    return false;
}

static bool choose_by_suffix(Session *s, const char *path, Product *product) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int found = dot ? product_find(dot + 1, "cu") : -1;
    *product = found < 0 ? MAKE_CUDA : (Product)found;
    if (found >= 0 || !strcmp(path, "-") || !strncmp(path, "/dev/", 5)) return true;
    diag_error(s->diag, NOWHERE,
               "what should '%s' hold? give it a suffix of .cu .c .h .ptx .cubin "
               ".so .json or .dot, or a --target",
               path);
    return false;
}

bool product_choose(Session *s, Product *product) {
    const Options *o = s->options;
    *product = MAKE_CUDA;
    if (o->command == CMD_GRAPH) {
        *product = MAKE_DOT;
        return true;
    }
    if (o->emits_stage || o->command == CMD_EXPLAIN) {
        if (o->target && !choose_by_name(s, o->target, product)) return false;
        *product = o->emits_stage ? MAKE_STAGE : MAKE_EXPLAIN;
        return true;
    }
    if (o->target) return choose_by_name(s, o->target, product);
    if (o->output) return choose_by_suffix(s, o->output, product);
    if (o->explain) *product = MAKE_EXPLAIN;
    return true;
}

/* That a stage, an explanation or a drawing is of, where nobody says, is CUDA. */
static const Target *target_of(Product product, const Options *o) {
    const Target *named = o->target ? target_find(o->target) : NULL;
    if (product == MAKE_C || product == MAKE_HEADER || product == MAKE_LIBRARY) return &target_c;
    return named ? named : &target_cuda;
}

void product_prepare(Product product, const Options *o, CompileOptions *compile) {
    bool planned = product == MAKE_JSON || product == MAKE_DOT || product == MAKE_EXPLAIN;
    compile->target = target_of(product, o);
    compile->until = product == MAKE_STAGE ? o->stage : planned ? STAGE_PLAN : STAGE_SOURCE;
    compile->kernels = product == MAKE_STAGE && o->stage == STAGE_KERNEL;
}

/* ---- making it ------------------------------------------------------------------------------ */

static bool make_plan(Session *s, const Compilation *c, Text *out) {
    bool ok = plans_json(c->name, c->plans, c->functions.count, out);
    if (!ok) diag_refuse(s->diag, "out of memory for the plan");
    return ok;
}

/* Where in the model the kernels of all functions come from. */
static NvrtcPlace *places_of(Session *s, const Compilation *c, int *count) {
    Vec(NvrtcPlace) all = {0};
    for (int i = 0; i < c->functions.count; i++) {
        const Program *p = &c->programs[i];
        for (int k = 0; k < p->kernel_count; k++)
            vec_push(s->arena, &all,
                     ((NvrtcPlace){p->source_at + p->kernels[k].source_at, p->kernels[k].place,
                                   p->kernels[k].name}));
    }
    *count = all.count;
    return all.at;
}

static bool make_binary(Session *s, const Compilation *c, Product product, char **bytes,
                        size_t *size) {
    NvrtcInput input = {.source = text_get(&c->source),
                        .file = arena_printf(s->arena, "%s.cu", c->name),
                        .arch = s->options->arch ? s->options->arch : "sm_80",
                        .keep = s->options->keep};
    input.places = places_of(s, c, &input.place_count);
    progress_begin("NVRTC compiles");
    *bytes = nvrtc_compile(s->diag, &input, product == MAKE_PTX ? NVRTC_PTX : NVRTC_CUBIN, size);
    progress_end();
    return *bytes;
}

bool product_make(Session *s, const Compilation *c, Product product, Text *out, char **bytes,
                  size_t *size) {
    EmitOptions emit = s->options->compile.emit;
    emit.arena = s->arena;
    switch (product) {
    case MAKE_JSON: return make_plan(s, c, out);
    case MAKE_DOT: plans_dot(c->plans, c->functions.count, out); return true;
    case MAKE_HEADER: emit_header(c->model, c->plans, &emit, out); return true;
    case MAKE_PTX:
    case MAKE_CUBIN: return make_binary(s, c, product, bytes, size);
    case MAKE_EXPLAIN:
        for (int i = 0; i < c->functions.count; i++) {
            if (i) text_char(out, '\n');
            plan_explain(c->plans[i], out);
        }
        return true;
    case MAKE_STAGE:
        if (s->options->json && s->options->stage == STAGE_PLAN) return make_plan(s, c, out);
        compilation_print(c, s->options->stage, out);
        return true;
    default: text_bytes(out, text_get(&c->source), c->source.size); return true;
    }
}
