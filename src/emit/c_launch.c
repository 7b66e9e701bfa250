/* c_launch.c: the C function that an application calls: checks the sizes, lays out the workspace,
 * computes the scalars, calls the kernels in order; the workspace query beside it; and the uniform
 * entry point for code that is loaded at run time. In: Plan and Kernels. Out: text. */
#include "emit/c.h"

#include <string.h>

typedef struct Launcher {
    const Plan *plan;
    const Graph *g;
    Arena *arena;
    const Program *program;
    const char *name;
    CKernel *kernels;
    int kernel_count;
    bool has_entry; /* for code that is loaded at run time */
    Text *out;
} Launcher;

static const char *dim_of(const Launcher *l, Dim d) { return dim_text(l->g->dims, d, l->arena); }

/* ---- signatures --------------------------------------------------------------------------- */

static bool is_argument(const Buffer *b) { return b->kind != B_TEMP; }

static const char *parameters(const Launcher *l) {
    Text out = text_new(l->arena);
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (!is_argument(b)) continue;
        text_printf(&out, "%s%s *%s, ", b->kind == B_INPUT ? "const " : "", storage_type(b->type),
                    b->name);
    }
    for (int i = 0; i < l->g->dims->symbols.count; i++)
        text_printf(&out, "int64_t %s, ", l->g->dims->symbols.at[i].name);
    text_str(&out, l->has_entry ? "void *workspace, int fx_kernel" : "void *workspace");
    return text_get(&out);
}

static const char *dim_parameters(const Launcher *l) {
    Text out = text_new(l->arena);
    for (int i = 0; i < l->g->dims->symbols.count; i++)
        text_printf(&out, "%sint64_t %s", i ? ", " : "", l->g->dims->symbols.at[i].name);
    return out.size ? text_get(&out) : "void";
}

/* ---- documentation
 * -------------------------------------------------------------------------------- */

static void document_tensor(const Launcher *l, const Buffer *b, int width) {
    const Graph *g = l->g;
    NodeId node = b->kind == B_INPUT ? g->inputs.at[b->number].node : g->outputs.at[b->number].node;
    const Node *n = &g->node[node];
    Text shape = text_new(l->arena);
    shape_print(g->dims, n->type, n->rank, n->shape, &shape);
    text_printf(l->out, " *   %-*s  %s  %s\n", width, b->name, b->kind == B_INPUT ? "in " : "out",
                text_get(&shape));
}

static int name_width(const Launcher *l) {
    size_t width = strlen("workspace");
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (is_argument(&l->plan->buffers.at[i]) && strlen(l->plan->buffers.at[i].name) > width)
            width = strlen(l->plan->buffers.at[i].name);
    return (int)width;
}

static void document(const Launcher *l, const char *sizes) {
    int width = name_width(l);
    text_printf(l->out, "/* %s: tensors are row-major and contiguous.\n", l->name);
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (is_argument(&l->plan->buffers.at[i]))
            document_tensor(l, &l->plan->buffers.at[i], width);
    if (*sizes) text_printf(l->out, " *   %-*s  sizes\n", width, sizes);
    text_printf(
        l->out,
        " *   %-*s  %s_workspace(%s) bytes, 64-byte aligned; may be NULL when that is 0\n"
        " * Returns 0, or 1 when the sizes break a condition of the model. Thread safe as long as\n"
        " * no two calls share outputs or workspace. */\n",
        width, "workspace", l->name, sizes);
}

static const char *size_names(const Launcher *l) {
    Text out = text_new(l->arena);
    for (int i = 0; i < l->g->dims->symbols.count; i++)
        text_printf(&out, "%s%s", i ? ", " : "", l->g->dims->symbols.at[i].name);
    return text_get(&out);
}

/* ---- the body
 * ---------------------------------------------------------------------------------------- */

static const char *slot_offset(const Launcher *l, int slot) {
    Text out = text_new(l->arena);
    for (int i = 0; i < slot; i++)
        text_printf(&out, "%sfx_align(%s)", i ? " + " : "", dim_of(l, l->plan->slots.at[i].bytes));
    return out.size ? text_get(&out) : "0";
}

static void declare_temps(const Launcher *l) {
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (b->kind != B_TEMP) continue;
        const char *type = storage_type(b->type), *offset = slot_offset(l, b->slot);
        if (!strcmp(offset, "0"))
            text_printf(l->out, "    %s *const %s = (%s *)workspace;\n", type, b->name, type);
        else
            text_printf(l->out, "    %s *const %s = (%s *)((char *)workspace + %s);\n", type,
                        b->name, type, offset);
    }
}

static void declare_uniforms(const Launcher *l, Kernel *const *kernels) {
    for (int k = 0; k < l->kernel_count; k++) {
        for (int i = 0; i < kernels[k]->uniforms.count; i++) {
            const Uniform *u = &kernels[k]->uniforms.at[i];
            bool known = text_mentions(text_get(l->out), u->name); /* by an earlier kernel */
            if (known || !text_mentions(l->kernels[k].call, u->name)) continue;
            const char *type = u->type == T_BOOL ? "bool" : storage_type(dtype_compute(u->type));
            text_printf(l->out, "    const %s %s = %s;\n", type, u->name,
                        uniform_text(l->g, u->node, l->arena));
        }
    }
}

/* The largest scratch of any kernel, for one thread, and the largest packed operands. */
static const char *most_bytes(const Launcher *l, bool packed) {
    const char *most = "0";
    for (int k = 0; k < l->kernel_count; k++) {
        const char *bytes = packed ? l->kernels[k].packed : l->kernels[k].scratch;
        if (!strcmp(bytes, "0") || !strcmp(bytes, most)) continue;
        most = strcmp(most, "0") ? arena_printf(l->arena, "fx_most(%s, %s)", most, bytes) : bytes;
    }
    return most;
}

/* The workspace: temps, packed operands, scratch of every thread. */
static void emit_workspace(const Launcher *l, const char *temps) {
    const char *scratch = most_bytes(l, false), *packed = most_bytes(l, true);
    text_printf(l->out, "\nint64_t %s_workspace(%s)\n{\n", l->name, dim_parameters(l));
    Text size = text_new(l->arena);
    if (strcmp(temps, "0")) text_str(&size, temps);
    if (strcmp(packed, "0")) text_printf(&size, "%sfx_align(%s)", size.size ? " + " : "", packed);
    if (strcmp(scratch, "0"))
        text_printf(&size, "%sfx_threads() * (%s)", size.size ? " + " : "", scratch);
    if (!size.size) text_char(&size, '0');
    for (int i = 0; i < l->g->dims->symbols.count; i++)
        if (!text_mentions(text_get(&size), l->g->dims->symbols.at[i].name))
            text_printf(l->out, "    (void)%s;\n", l->g->dims->symbols.at[i].name);
    text_printf(l->out, "    return %s;\n}\n\n", text_get(&size));
}

static void declare_memory(const Launcher *l, const char *temps) {
    const char *packed = most_bytes(l, true);
    const char *at = strcmp(temps, "0") ? arena_printf(l->arena, " + %s", temps) : "";
    if (strcmp(packed, "0")) {
        text_printf(l->out, "    char *const packed = (char *)workspace%s;\n", at);
        at = arena_printf(l->arena, "%s + fx_align(%s)", at, packed);
    }
    if (strcmp(most_bytes(l, false), "0"))
        text_printf(l->out, "    char *const scratch = (char *)workspace%s;\n", at);
}

/* The entry point may ask for one kernel alone. */
static void call_kernel(const Launcher *l, int k) {
    const char *line = l->kernels[k].call, *indent = l->has_entry ? "        " : "    ";
    if (l->has_entry) text_printf(l->out, "    if (fx_kernel < 0 || fx_kernel == %d) {\n", k);
    for (const char *end; (end = strchr(line, '\n')); line = end + 1)
        text_printf(l->out, "%s%.*s\n", indent, (int)(end - line), line);
    if (l->has_entry) text_str(l->out, "    }\n");
}

static void emit_function(const Launcher *l, Kernel *const *kernels, const char *temps) {
    Text body = text_new(l->arena), *out = l->out;
    Launcher inner = *l;
    inner.out = &body;
    emit_guards(l->program, &body);
    declare_temps(&inner);
    declare_memory(&inner, temps);
    declare_uniforms(&inner, kernels);
    for (int k = 0; k < l->kernel_count; k++) call_kernel(&inner, k);
    emit_signature(out, arena_printf(l->arena, "int %s(", l->name), parameters(l));
    text_str(out, "\n{\n");
    if (!text_mentions(text_get(&body), "workspace")) text_str(out, "    (void)workspace;\n");
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (is_argument(&l->plan->buffers.at[i]) &&
            !text_mentions(text_get(&body), l->plan->buffers.at[i].name))
            text_printf(out, "    (void)%s;\n", l->plan->buffers.at[i].name);
    text_str(out, text_get(&body));
    text_str(out, "    return 0;\n}\n");
}

/* tensors: inputs, then outputs; dims: all open dims in order. What runtime/cpu_device.c looks up.
 */
static void emit_entry(const Launcher *l) {
    Text call = text_new(l->arena), sizes = text_new(l->arena);
    int tensor = 0;
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (is_argument(&l->plan->buffers.at[i])) text_printf(&call, "tensors[%d], ", tensor++);
    for (int i = 0; i < l->g->dims->symbols.count; i++) {
        text_printf(&call, "dims[%d], ", i);
        text_printf(&sizes, "%sdims[%d]", i ? ", " : "", i);
    }
    const char *nothing = l->g->dims->symbols.count ? "" : "    (void)dims;\n";
    text_printf(l->out,
                "\nint fusec_entry_%s(void *const *tensors, const int64_t *dims, void *workspace,\n"
                "    int kernel)\n{\n%s    return %s(%sworkspace, kernel);\n}\n",
                l->name, nothing, l->name, text_get(&call));
    text_printf(l->out,
                "\nint64_t fusec_workspace_%s(const int64_t *dims)\n{\n%s"
                "    return %s_workspace(%s);\n}\n",
                l->name, nothing, l->name, text_get(&sizes));
}

static void emit_prototypes(const Launcher *l) {
    emit_signature(l->out, arena_printf(l->arena, "int %s(", l->name), parameters(l));
    text_printf(l->out, ";\nint64_t %s_workspace(%s);\n", l->name, dim_parameters(l));
}

void emit_c_launcher(const Plan *plan, Kernel *const *kernels, const EmitOptions *options,
                     const Program *program, Text *out) {
    Launcher l = {.plan = plan, .g = plan->g, .arena = out->arena, .out = out};
    l.kernel_count = plan->groups.count;
    l.program = program;
    l.has_entry = options->entry;
    l.name = program->name;
    l.kernels = arena_array(out->arena, CKernel, l.kernel_count);
    for (int k = 0; k < l.kernel_count; k++) l.kernels[k] = emit_c_kernel(kernels[k], out);
    const char *temps = slot_offset(&l, plan->slots.count);
    document(&l, size_names(&l));
    emit_prototypes(&l);
    emit_workspace(&l, temps);
    emit_function(&l, kernels, temps);
    if (options->entry) emit_entry(&l);
}

void emit_c_prototypes(const Plan *plan, Text *out) {
    Launcher l = {.plan = plan, .g = plan->g, .arena = out->arena, .out = out};
    l.name = plan->name;
    document(&l, size_names(&l));
    emit_prototypes(&l);
}
