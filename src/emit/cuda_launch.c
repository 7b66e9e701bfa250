/* cuda_launch.c: the host function that an application calls: checks the sizes, lays out the
 * workspace, computes the scalars, launches the kernels in order; and the workspace query beside
 * it. In: Plan and Kernels. Out: text: device code, then host code that NVRTC does not see. */
#include "emit/cuda.h"

#include <string.h>

typedef struct Launcher {
    const Plan *plan;
    const Graph *g;
    Arena *arena;
    const char *name;
    Kernel *const *kernels;
    Launch *launches;
    int kernel_count;
    Text *out;
} Launcher;

enum { SLOT_ALIGN = 256 };

static const char *dim_of(const Launcher *l, Dim d) { return dim_text(l->g->dims, d, l->arena); }
static bool is_argument(const Buffer *b) { return b->kind != B_TEMP; }

/* ---- signatures ---------------------------------------------------------------------------------
 */

static const char *sizes(const Launcher *l, const char *before) {
    Text out = text_new(l->arena);
    for (int i = 0; i < l->g->dims->symbols.count; i++)
        text_printf(&out, "%s%s%s", i ? ", " : "", before, l->g->dims->symbols.at[i].name);
    return text_get(&out);
}

static const char *parameters(const Launcher *l) {
    Text out = text_new(l->arena);
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (!is_argument(b)) continue;
        text_printf(&out, "%svoid *%s, ", b->kind == B_INPUT ? "const " : "", b->name);
    }
    if (l->g->dims->symbols.count) text_printf(&out, "%s, ", sizes(l, "long long "));
    text_str(&out, "void *workspace, cudaStream_t stream");
    return text_get(&out);
}

static void document(const Launcher *l) {
    const Graph *g = l->g;
    size_t width = strlen("workspace");
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (is_argument(&l->plan->buffers.at[i]) && strlen(l->plan->buffers.at[i].name) > width)
            width = strlen(l->plan->buffers.at[i].name);
    text_printf(l->out, "/* %s: tensors are row-major and contiguous, in device memory.\n",
                l->name);
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (!is_argument(b)) continue;
        bool in = b->kind == B_INPUT;
        const Node *n = &g->node[in ? g->inputs.at[b->number].node : g->outputs.at[b->number].node];
        Text shape = text_new(l->arena);
        shape_print(g->dims, n->type, n->rank, n->shape, &shape);
        text_printf(l->out, " *   %-*s  %s  %s\n", (int)width, b->name, in ? "in " : "out",
                    text_get(&shape));
    }
    if (*sizes(l, "")) text_printf(l->out, " *   %-*s  sizes\n", (int)width, sizes(l, ""));
    text_printf(
        l->out,
        " *   %-*s  %s_workspace(%s) bytes of device memory, %d-byte aligned; may be NULL when\n"
        " *   %-*s  that is 0\n"
        " *   %-*s  where the kernels are launched; nothing is waited for\n"
        " * Returns 0, 1 when the sizes break a condition of the model, or the cudaError_t of a "
        "launch.\n"
        " * No two calls in flight may share outputs or workspace. */\n",
        (int)width, "workspace", l->name, sizes(l, ""), SLOT_ALIGN, (int)width, "", (int)width,
        "stream");
}

/* ---- workspace
 * ------------------------------------------------------------------------------------ */

static const char *slot_bytes(const Launcher *l, int slot) {
    int64_t n;
    Dim bytes = l->plan->slots.at[slot].bytes;
    if (dim_is_const(l->g->dims, bytes, &n))
        return cuda_number(l->arena, (n + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN);
    return arena_printf(l->arena, "%d * ceil_div(%s, %d)", SLOT_ALIGN, dim_of(l, bytes),
                        SLOT_ALIGN);
}

static const char *slot_offset(const Launcher *l, int slot) {
    Text out = text_new(l->arena);
    for (int i = 0; i < slot; i++) text_printf(&out, "%s%s", i ? " + " : "", slot_bytes(l, i));
    return out.size ? text_get(&out) : "0";
}

static void emit_workspace(const Launcher *l) {
    const char *size = slot_offset(l, l->plan->slots.count), *params = sizes(l, "long long ");
    Text unused = text_new(l->arena);
    for (int i = 0; i < l->g->dims->symbols.count; i++) {
        const char *name = l->g->dims->symbols.at[i].name;
        if (!text_mentions(size, name)) text_printf(&unused, "    (void)%s;\n", name);
    }
    text_printf(l->out, "extern \"C\" long long %s_workspace(%s) {\n%s    return %s;\n}\n\n",
                l->name, params, text_get(&unused), size);
}

/* ---- the function
 * ---------------------------------------------------------------------------------- */

/* Pointers get their types, temps their places. */
static void declare_buffers(const Launcher *l) {
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (is_argument(b)) continue;
        const char *type = cuda_storage(b->type), *offset = slot_offset(l, b->slot);
        if (!strcmp(offset, "0"))
            text_printf(l->out, "    %s *const %s = (%s *)workspace;\n", type, b->name, type);
        else
            text_printf(l->out, "    %s *const %s = (%s *)((char *)workspace + %s);\n", type,
                        b->name, type, offset);
    }
}

/* A scalar that several kernels take is computed once. */
static bool is_declared(const Launcher *l, int k, const char *name) {
    for (int i = 0; i < k; i++)
        if (text_mentions(l->launches[i].arguments, name)) return true;
    return false;
}

static void declare_uniforms(const Launcher *l) {
    for (int k = 0; k < l->kernel_count; k++) {
        const Kernel *kernel = l->kernels[k];
        for (int i = 0; i < kernel->uniforms.count; i++) {
            const Uniform *u = &kernel->uniforms.at[i];
            if (!text_mentions(l->launches[k].arguments, u->name)) continue;
            if (is_declared(l, k, u->name)) continue;
            text_printf(l->out, "    const %s %s = %s;\n", cuda_register(u->type), u->name,
                        uniform_text(l->g, u->node, l->arena));
        }
    }
}

/* The kernel's arguments, with the pointers of the caller cast to their types. */
static const char *arguments(const Launcher *l, int k) {
    Text out = text_new(l->arena);
    for (const char *p = l->launches[k].arguments; *p;) {
        size_t n = strcspn(p, ",");
        const char *name = arena_strndup(l->arena, p, n);
        const char *cast = "";
        for (int i = 0; i < l->plan->buffers.count; i++) {
            const Buffer *b = &l->plan->buffers.at[i];
            if (!is_argument(b) || strcmp(b->name, name)) continue;
            cast = arena_printf(l->arena, "(%s%s *)", b->kind == B_INPUT ? "const " : "",
                                cuda_storage(b->type));
        }
        text_printf(&out, "%s%s%s", out.size ? ", " : "", cast, name);
        p += n;
        p += strspn(p, ", ");
    }
    return text_get(&out);
}

/* "softmax_0<<<N, 256, 0, stream>>>(x, y, N, D);", on two lines where one is too short. */
static void launch(const Launcher *l, int k) {
    const Launch *n = &l->launches[k];
    const char *block = n->block_x, *args = arguments(l, k);
    if (strcmp(n->block_y, "1"))
        block = arena_printf(l->arena, "dim3(%s, %s)", n->block_x, n->block_y);
    const char *head = arena_printf(l->arena, "    %s<<<%s, %s, %s, stream>>>(", n->kernel, n->grid,
                                    block, n->shared);
    bool one_line = strlen(head) + strlen(args) <= 98;
    if (!one_line) text_printf(l->out, "%s\n", head);
    emit_signature(l->out, one_line ? head : "        ", args);
    text_str(l->out, ";\n    if ((status = cudaGetLastError())) return status;\n");
}

static void emit_function(const Launcher *l) {
    Text body = text_new(l->arena), *out = l->out;
    Launcher inner = *l;
    inner.out = &body;
    emit_guards(l->g, l->arena, &body);
    declare_buffers(&inner);
    declare_uniforms(&inner);
    text_str(&body, "    cudaError_t status = cudaSuccess;\n");
    for (int k = 0; k < l->kernel_count; k++) launch(&inner, k);
    emit_signature(out, arena_printf(l->arena, "extern \"C\" int %s(", l->name), parameters(l));
    text_str(out, " {\n");
    if (!text_mentions(text_get(&body), "workspace")) text_str(out, "    (void)workspace;\n");
    text_printf(out, "%s    return status;\n}\n", text_get(&body));
}

void emit_cuda_launcher(const Plan *plan, Kernel *const *kernels, const EmitOptions *options,
                        Text *out) {
    Launcher l = {.plan = plan, .g = plan->g, .arena = out->arena, .kernels = kernels, .out = out};
    l.kernel_count = plan->groups.count;
    l.name = plan_identifier(out->arena, plan->g->name, false);
    l.launches = arena_array(out->arena, Launch, l.kernel_count);
    for (int k = 0; k < l.kernel_count; k++) l.launches[k] = emit_cuda_kernel(kernels[k], out);
    if (options->bare) return;
    text_str(out, "#ifndef __CUDACC_RTC__\n\n");
    document(&l);
    emit_workspace(&l);
    emit_function(&l);
    text_str(out, "\n#endif\n\n");
}
