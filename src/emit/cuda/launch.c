/* launch.c: launching the kernels of a function: its Program, and printed from that, the launches
 * in the function that an application calls. emit/text/host.c has what all targets do.
 * In: Plan and Kernels. Out: text: device code, then host code that NVRTC does not see. */
#include "emit/cuda/cuda.h"
#include "emit/text/host.h"

#include <stdlib.h>
#include <string.h>

typedef struct Launcher {
    const Plan *plan;
    Arena *arena;
    Program *program;
    const Names *names;
    ProgramKernel *launches; /* its kernels, under construction */
    const TiledKernels *kernels;
    Launch *made; /* of each kernel */
    const EmitOptions *options;
    int kernel_count;
    Text *out;
} Launcher;

/* ---- the words of CUDA -------------------------------------------------------------------- */

enum { SLOT_ALIGN = 256 };

static const char *aligned(const Names *names, Dim bytes) {
    int64_t n;
    if (dim_is_const(names->plan->g->dims, bytes, &n))
        return cuda_number(names->arena, (n + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN);
    return arena_printf(names->arena, "%d * ceil_div(%s, %d)", SLOT_ALIGN, names_size(names, bytes),
                        SLOT_ALIGN);
}

static const HostDialect host = {
    .dialect = &cuda_dialect,
    .linkage = "extern \"C\" ",
    .open = " {\n",
    .nothing = "",
    .size = "long long ",
    .tensor = "void",
    .memory = "device memory",
    .tensors = "",
    .alignment = SLOT_ALIGN,
    .aligned = aligned,
    .last = {"cudaStream_t ", "stream", "the kernels are enqueued here; the call does not wait"},
    .returns =
        " * Returns 0, 1 when the sizes break a condition of the model, or the cudaError_t of a "
        "launch.\n"
        " * No two calls in flight may share outputs or workspace. */\n"};

/* ---- the launches -------------------------------------------------------------------------- */

static ProgramArgument buffer_argument(const Launcher *l, const Buffer *b) {
    if (b->kind == B_TEMP)
        return (ProgramArgument){.kind = ARG_WORKSPACE,
                                 .formula = host_slot_offset(&host, l->names, b->slot)};
    int first = b->kind == B_INPUT ? 0 : l->program->input_count;
    return (ProgramArgument){.kind = ARG_TENSOR, .tensor = first + b->number};
}

static const Buffer *buffer_of(const Launcher *l, const char *name) {
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (!strcmp(l->plan->buffers.at[i].name, name)) return &l->plan->buffers.at[i];
    BUG("launch: a map of no buffer");
}

static ProgramArgument argument_of(const Launcher *l, int k, const Parameter *p) {
    const Kernel *kernel = l->kernels->at[k];
    ProgramArgument a = {.kind = ARG_SCALAR, .type = T_I64, .formula = p->name};
    const Uniform *u;
    switch (p->kind) {
    case GIVEN_MAP:
        a = buffer_argument(l, buffer_of(l, l->made[k].maps[p->number].buffer));
        a.map = &l->made[k].maps[p->number];
        return a;
    case GIVEN_BUFFER:
        return buffer_argument(l, &l->plan->buffers.at[kernel->buffers.at[p->number].plan_buffer]);
    case GIVEN_UNIFORM:
        u = &kernel->uniforms.at[p->number];
        a.type = u->type == T_BOOL ? T_BOOL : dtype_compute(u->type);
        a.formula = uniform_text(l->names, u->node);
        return a;
    default: return a;
    }
}

static Launch write_kernel(const Launcher *l, int k) {
    Text text = text_new(l->arena);
    const Launch made = emit_cuda_kernel(l->kernels, k, l->names, l->options, &text);
    text_wrapped(l->out, text_get(&text));
    l->program->one_arch |= made.one_arch;
    l->program->needs_aligned |= made.needs_aligned;
    return made;
}

/* The buffer of k that corresponds to a buffer of the kernel whose function it launches. */
static const char *own_buffer(const Launcher *l, int k, const char *name) {
    const Kernel *own = l->kernels->at[k], *first = l->kernels->at[l->kernels->function[k]];
    for (int i = 0; i < first->buffers.count; i++)
        if (!strcmp(first->buffers.at[i].name, name)) return own->buffers.at[i].name;
    BUG("launch: a map of no buffer");
}

/* The launch of k by the function of an identical kernel. */
static Launch launch_by(const Launcher *l, int k, const Launch *made) {
    ProgramMap *maps = arena_array(l->arena, ProgramMap, made->map_count + 1);
    Launch own = *made;
    own.arguments = parameters_given(l->kernels->at[k], &made->arguments, l->arena);
    for (int i = 0; i < made->map_count; i++) {
        maps[i] = made->maps[i];
        maps[i].buffer = own_buffer(l, k, maps[i].buffer);
    }
    own.maps = maps;
    return own;
}

/* Writes the device code, unless it is identical to an earlier kernel's, and adds the launch to the
 * program. */
static void make_kernel(const Launcher *l, int k) {
    ProgramKernel *kernel = &l->launches[k];
    const int f = l->kernels->function[k];
    *kernel = l->program->kernels[k];
    kernel->function = l->kernels->at[f]->name;
    kernel->source_at = f == k ? l->out->size : l->launches[f].source_at;
    l->made[k] = f == k ? write_kernel(l, k) : launch_by(l, k, &l->made[f]);
    const Launch *n = &l->made[k];
    kernel->grid = n->grid, kernel->shared = n->shared;
    kernel->block_x = n->block_x, kernel->block_y = n->block_y;
    Vec(ProgramArgument) all = {0};
    for (int i = 0; i < n->arguments.count; i++)
        vec_push(l->arena, &all, argument_of(l, k, &n->arguments.at[i]));
    kernel->arguments = all.at;
    kernel->argument_count = all.count;
}

/* ---- the function -------------------------------------------------------------------------- */

/* The caller's pointers are cast to their types. */
static const char *argument_text(const Launcher *l, const char *name) {
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (b->kind != B_TEMP && !strcmp(b->name, name))
            return arena_printf(l->arena, "(%s%s *)%s", b->kind == B_INPUT ? "const " : "",
                                cuda_storage(b->type), name);
    }
    return name;
}

static const char *arguments(const Launcher *l, int k) {
    const Parameters *all = &l->made[k].arguments;
    Text out = text_new(l->arena);
    for (int i = 0; i < all->count; i++)
        text_printf(&out, "%s%s", i ? ", " : "", argument_text(l, all->at[i].name));
    return text_get(&out);
}

/* The type numbers of cuTensorMapEncodeTiled. */
static int map_type(Dtype type) {
    enum { FLOAT16 = 6, BFLOAT16 = 9 };
    return type == T_BF16 ? BFLOAT16 : FLOAT16;
}

/* Tensor maps of the next kernel, made by the launcher. */
static void declare_maps(const Launcher *l, int k) {
    for (int i = 0; i < l->made[k].map_count; i++) {
        const ProgramMap *m = &l->made[k].maps[i];
        const char *from = argument_text(l, m->buffer);
        if (strcmp(m->offset, "0") != 0) from = arena_printf(l->arena, "%s + %s", from, m->offset);
        text_printf(l->out, "    TensorMap %s = {};\n", m->name);
        emit_signature(l->out, "    status = tensor_map(",
                       arena_printf(l->arena, "&%s, %d, %s, {%s, %s, %s}, {%s, %s}, %d, %d",
                                    m->name, map_type(m->type), from, m->extent[0], m->extent[1],
                                    m->extent[2], m->step[0], m->step[1], m->box[0], m->box[1]));
        text_str(l->out, ";\n    if (status) return status;\n");
    }
}

/* "softmax_0<<<N, 256, 0, stream>>>(x, y, N, D);", on two lines if it is long. */
static void launch_kernel(const Launcher *l, int k) {
    const ProgramKernel *n = &l->program->kernels[k];
    const char *block = n->block_x, *args = arguments(l, k);
    const bool is_first = l->kernels->function[k] == k;
    if (!is_first) text_printf(l->out, "    /* %s */\n", n->name);
    declare_maps(l, k);
    if (strcmp(n->block_y, "1"))
        block = arena_printf(l->arena, "dim3(%s, %s)", n->block_x, n->block_y);
    if (is_first && atoi(n->shared) > TILE_SHARED)
        text_printf(
            l->out,
            "    status = cudaFuncSetAttribute((const void *)%s,\n"
            "                                  cudaFuncAttributeMaxDynamicSharedMemorySize, "
            "%s);\n    if (status) return status;\n",
            n->function, n->shared);
    const char *head = arena_printf(l->arena, "    %s<<<%s, %s, %s, stream>>>(", n->function, n->grid,
                                    block, n->shared);
    bool one_line = strlen(head) + strlen(args) <= 98;
    if (!one_line) text_printf(l->out, "%s\n", head);
    emit_signature(l->out, one_line ? head : "        ", args);
    text_str(l->out, k + 1 < l->kernel_count
                         ? ";\n    if ((status = cudaGetLastError())) return status;\n"
                         : ";\n    return cudaGetLastError();\n");
}

/* Maps live for one launch. */
static void launch(const Launcher *l, int k) {
    Text text = text_new(l->arena);
    Launcher inner = *l;
    inner.out = &text;
    launch_kernel(&inner, k);
    if (!l->made[k].map_count) {
        text_str(l->out, text_get(&text));
        return;
    }
    text_str(l->out, "    {\n");
    text_indented(l->out, text_get(&text), 4);
    text_str(l->out, "    }\n");
}

/* Does any launch return a status of its own? */
static bool has_status(const Launcher *l) {
    bool found = l->kernel_count > 1;
    for (int k = 0; k < l->kernel_count; k++)
        found |= l->made[k].map_count || atoi(l->program->kernels[k].shared) > TILE_SHARED;
    return found;
}

/* All of them, and the return. */
static const char *launches(const Launcher *l) {
    Text out = text_new(l->arena);
    Launcher inner = *l;
    inner.out = &out;
    if (has_status(l)) text_str(&out, "    cudaError_t status;\n");
    for (int k = 0; k < l->kernel_count; k++) launch(&inner, k);
    if (!l->kernel_count) text_str(&out, "    return 0;\n");
    return text_get(&out);
}

static void emit_function(const Launcher *l, Text *out) {
    Parameters *given = arena_array(l->arena, Parameters, l->kernel_count + 1);
    for (int k = 0; k < l->kernel_count; k++) given[k] = l->made[k].arguments;
    const HostBody body = {.unused = "",
                           .prepared = "",
                           .memory = "",
                           .calls = launches(l),
                           .kernels = l->kernels->at,
                           .given = given};
    host_function(&host, l->names, l->program, &body, out);
}

static void document(const Names *names, const EmitOptions *options, Text *out) {
    HostDialect h = host;
    if (options->aligned) h.tensors = ", 16-byte aligned";
    host_document(&h, names, out);
}

/* The function that an application calls, and the query of its workspace. */
static void emit_host(const Launcher *l) {
    Text text = text_new(l->arena);
    const Names recording = names_recording(l->names);
    document(l->names, l->options, &text);
    host_workspace(&host, &recording, "", "", &text);
    emit_function(l, &text);
    text_str(l->out, "#ifndef __CUDACC_RTC__\n\n");
    text_wrapped(l->out, text_get(&text));
    text_str(l->out, "\n#endif\n\n");
}

void emit_cuda_prototypes(const Names *names, const EmitOptions *options, Text *out) {
    document(names, options, out);
    host_prototypes(&host, names, false, out);
}

void emit_cuda_launcher(const Names *names, const TiledKernels *kernels, const EmitOptions *options,
                        Program *program, Text *out) {
    const Plan *plan = names->plan;
    int count = plan->groups.count;
    Launcher l = {.plan = plan, .arena = out->arena, .out = out};
    l.kernels = kernels;
    l.kernel_count = count;
    l.options = options;
    l.program = program;
    l.names = names;
    l.made = arena_array(out->arena, Launch, count + 1);
    l.launches = arena_array(out->arena, ProgramKernel, count + 1);
    for (int k = 0; k < count; k++) make_kernel(&l, k);
    program->kernels = l.launches;
    program->workspace = host_slot_offset(&host, names, plan->slots.count);
    if (!options->bare) emit_host(&l);
}
