/* launch.c: the C function that an application calls: checks the sizes, lays out the workspace,
 * computes the scalars, calls the kernels in order; the workspace query; and the uniform entry
 * point for code that is loaded at run time. prepare.c has the constants.
 * In: Plan and Kernels. Out: text. */
#include "emit/c/launch.h"

#include <string.h>

/* ---- signatures --------------------------------------------------------------------------- */

static bool is_argument(const Buffer *b) {
    return (b->kind == B_INPUT && !b->constant) || b->kind == B_OUTPUT;
}

static const char *parameters(const Launcher *l) {
    Text out = text_new(l->arena);
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (!is_argument(b)) continue;
        text_printf(&out, "%s%s *%s, ", b->kind == B_INPUT ? "const " : "", storage_type(b->type),
                    b->name);
    }
    for (int i = 0; i < l->g->dims->symbols.count; i++)
        text_printf(&out, "int64_t %s, ", l->names->symbol[i]);
    if (c_prepares(l)) text_str(&out, "const void *prepared, ");
    text_str(&out, l->has_entry ? "void *workspace, int fx_kernel" : "void *workspace");
    return text_get(&out);
}

static const char *dim_parameters(const Launcher *l) {
    Text out = text_new(l->arena);
    for (int i = 0; i < l->g->dims->symbols.count; i++)
        text_printf(&out, "%sint64_t %s", i ? ", " : "", l->names->symbol[i]);
    return out.size ? text_get(&out) : "void";
}

/* ---- documentation ------------------------------------------------------------------------- */

static int name_width(const Launcher *l) {
    size_t width = strlen("workspace");
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (is_argument(&l->plan->buffers.at[i]) && strlen(l->plan->buffers.at[i].name) > width)
            width = strlen(l->plan->buffers.at[i].name);
    return (int)width;
}

static void document_prepared(const Launcher *l, int width) {
    if (c_prepares(l))
        text_printf(l->out, " *   %-*s  filled by %s_prepare for the same sizes\n", width,
                    "prepared", l->name);
}

static void document(const Launcher *l, const char *sizes) {
    int width = name_width(l);
    text_printf(l->out, "/* %s: tensors are row-major and contiguous.\n", l->name);
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (is_argument(&l->plan->buffers.at[i]))
            emit_tensor_comment(l->names, &l->plan->buffers.at[i], width, l->out);
    if (*sizes) text_printf(l->out, " *   %-*s  sizes\n", width, sizes);
    document_prepared(l, width);
    text_printf(l->out,
                " *   %-*s  %s_workspace(%s) bytes,\n"
                " *   %-*s  64-byte aligned; may be NULL when that is 0\n",
                width, "workspace", l->name, sizes, width, "");
    text_str(
        l->out,
        c_prepares(l)
            ? " * Returns 0, 1 when the sizes break a condition of the model, or 2 when prepared "
              "was not made for\n * them. Thread safe as long as no two calls share outputs or "
              "workspace. */\n"
            : " * Returns 0, or 1 when the sizes break a condition of the model. Thread safe as "
              "long as\n * no two calls share outputs or workspace. */\n");
}

static const char *size_names(const Launcher *l) {
    Text out = text_new(l->arena);
    for (int i = 0; i < l->g->dims->symbols.count; i++)
        text_printf(&out, "%s%s", i ? ", " : "", l->names->symbol[i]);
    return text_get(&out);
}

/* ---- the body ------------------------------------------------------------------------------ */

static const char *slot_offset(const Launcher *l, const Names *names, int slot) {
    Text out = text_new(l->arena);
    for (int i = 0; i < slot; i++)
        text_printf(&out, "%sfx_align(%s)", i ? " + " : "",
                    names_size(names, l->plan->slots.at[i].bytes));
    return out.size ? text_get(&out) : "0";
}

static void declare_temps(const Launcher *l) {
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (b->kind != B_TEMP || b->prepared) continue;
        const char *type = storage_type(b->type), *offset = slot_offset(l, l->names, b->slot);
        if (!strcmp(offset, "0"))
            text_printf(l->out, "    %s *const %s = (%s *)workspace;\n", type, b->name, type);
        else
            text_printf(l->out, "    %s *const %s = (%s *)((char *)workspace + %s);\n", type,
                        b->name, type, offset);
    }
}

static void add_arguments(const Launcher *l, const CCall *call, Parameters *all) {
    for (int i = 0; i < call->arguments.count; i++) vec_push(l->arena, all, call->arguments.at[i]);
}

/* What the calls of each kernel pass. */
static const Parameters *given_of(const Launcher *l, bool once) {
    Parameters *all = arena_array(l->arena, Parameters, l->plan->groups.count + 1);
    for (int k = 0; k < l->plan->groups.count; k++) {
        const CKernel *text = &l->texts[k];
        for (int i = 0; l->plan->groups.at[k].once == once && i < text->calls.count; i++)
            add_arguments(l, &text->calls.at[i], &all[k]);
        for (int i = 0; once && i < text->packings.count; i++)
            add_arguments(l, &text->packings.at[i].call, &all[k]);
    }
    return all;
}

bool c_is_given(const Launcher *l, bool once, const char *name) {
    const Parameters *given = given_of(l, once);
    for (int k = 0; k < l->plan->groups.count; k++)
        if (parameters_have(&given[k], name)) return true;
    return false;
}

void c_declare_uniforms(const Launcher *l, bool once) {
    declare_uniforms(&c_dialect, l->names, l->kernels, given_of(l, once), l->plan->groups.count,
                     l->out);
}

/* Line by line where kernels differ: as one expression it would nest as deep as there are
 * kernels. */
const char *c_most_bytes(const Launcher *l, bool once, bool packed, Text *lines) {
    const char *name = packed ? "fx_packed_bytes" : "fx_scratch_bytes", *most = "0", *last = "0";
    for (int k = 0; k < l->plan->groups.count; k++) {
        const char *bytes = packed ? l->texts[k].packed : l->texts[k].scratch;
        if (l->plan->groups.at[k].once != once || !strcmp(bytes, "0") || !strcmp(bytes, last))
            continue;
        if (!strcmp(most, "0")) {
            most = bytes;
        } else {
            if (most != name) text_printf(lines, "    int64_t %s = %s;\n", name, most);
            text_printf(lines, "    %s = fx_most(%s, %s);\n", name, name, bytes);
            most = name;
        }
        last = bytes;
    }
    return most;
}

static bool has_scratch(const Launcher *l, bool once) {
    for (int k = 0; k < l->plan->groups.count; k++)
        if (l->plan->groups.at[k].once == once && strcmp(l->texts[k].scratch, "0") != 0)
            return true;
    return false;
}

void c_mark_dims(const Launcher *l, const Names *names, const bool *dims) {
    for (int i = 0; i < l->g->dims->symbols.count; i++) names->used[i] |= dims[i];
}

/* The workspace: temps, packed operands, scratch of all threads. */
static void emit_workspace(const Launcher *l) {
    Text lines = text_new(l->arena), size = text_new(l->arena);
    const Names names = names_recording(l->names);
    const char *temps = slot_offset(l, &names, l->plan->slots.count);
    for (int k = 0; k < l->plan->groups.count; k++)
        if (!l->plan->groups.at[k].once) c_mark_dims(l, &names, l->texts[k].dims);
    const char *packed = c_most_bytes(l, false, true, &lines);
    const char *scratch = c_most_bytes(l, false, false, &lines);
    text_printf(l->out, "\nint64_t %s_workspace(%s)\n{\n", l->name, dim_parameters(l));
    if (strcmp(temps, "0")) text_str(&size, temps);
    if (strcmp(packed, "0")) text_printf(&size, "%sfx_align(%s)", size.size ? " + " : "", packed);
    if (strcmp(scratch, "0"))
        text_printf(&size, "%sfx_threads() * (%s)", size.size ? " + " : "", scratch);
    if (!size.size) text_char(&size, '0');
    for (int i = 0; i < l->g->dims->symbols.count; i++)
        if (!names.used[i]) text_printf(l->out, "    (void)%s;\n", l->names->symbol[i]);
    text_printf(l->out, "%s    return %s;\n}\n\n", text_get(&lines), text_get(&size));
}

void c_declare_memory(const Launcher *l, bool once, const char *at) {
    Text lines = text_new(l->arena);
    const char *packed = c_most_bytes(l, once, true, &lines);
    if (strcmp(packed, "0")) {
        text_printf(l->out, "    char *const packed = %s;\n", at);
        at = arena_printf(l->arena, "%s + fx_align(%s)", at, packed);
    }
    if (has_scratch(l, once))
        text_printf(l->out, "%s    char *const scratch = %s;\n", text_get(&lines), at);
}

static void declare_memory(const Launcher *l, const char *temps) {
    const char *at = "(char *)workspace";
    if (strcmp(temps, "0")) at = arena_printf(l->arena, "%s + %s", at, temps);
    c_declare_memory(l, false, at);
}

/* The entry point may request one kernel alone. */
static void call_kernels(const Launcher *l) {
    const char *indent = l->has_entry ? "        " : "    ";
    for (int k = 0, called = 0; k < l->plan->groups.count; k++) {
        if (l->plan->groups.at[k].once) continue;
        if (l->has_entry)
            text_printf(l->out, "    if (fx_kernel < 0 || fx_kernel == %d) {\n", called++);
        if (l->function[k] != k) text_printf(l->out, "%s/* %s */\n", indent, l->kernels[k]->name);
        for (int i = 0; i < l->texts[k].calls.count; i++)
            c_put_call(&l->texts[k].calls.at[i], indent, l->out);
        if (l->has_entry) text_str(l->out, "    }\n");
    }
}

static bool has_workspace(const Launcher *l) {
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (l->plan->buffers.at[i].kind == B_TEMP && !l->plan->buffers.at[i].prepared) return true;
    for (int k = 0; k < l->plan->groups.count; k++)
        if (!l->plan->groups.at[k].once && strcmp(l->texts[k].packed, "0") != 0) return true;
    return has_scratch(l, false);
}

static void emit_function(const Launcher *l, const char *temps) {
    Text body = text_new(l->arena), *out = l->out;
    Launcher inner = *l;
    inner.out = &body;
    emit_guards(l->program, &body);
    if (c_prepares(l)) c_declare_prepared(&inner);
    declare_temps(&inner);
    declare_memory(&inner, temps);
    c_declare_uniforms(&inner, false);
    call_kernels(&inner);
    emit_signature(out, arena_printf(l->arena, "int %s(", l->name), parameters(l));
    text_str(out, "\n{\n");
    if (!has_workspace(l)) text_str(out, "    (void)workspace;\n");
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (is_argument(&l->plan->buffers.at[i]) &&
            !c_is_given(l, false, l->plan->buffers.at[i].name))
            text_printf(out, "    (void)%s;\n", l->plan->buffers.at[i].name);
    text_str(out, text_get(&body));
    text_str(out, "    return 0;\n}\n");
}

/* fx_tensors: inputs, then outputs; fx_dims: all open dims in order. runtime/cpu_device.c looks
 * these up. The fx_ prefix avoids names of the model. */
static void emit_entry(const Launcher *l) {
    Text call = text_new(l->arena), sizes = text_new(l->arena);
    for (int i = 0; i < l->program->input_count + l->program->output_count; i++)
        if (is_argument(&l->plan->buffers.at[i])) text_printf(&call, "fx_tensors[%d], ", i);
    for (int i = 0; i < l->g->dims->symbols.count; i++) {
        text_printf(&call, "fx_dims[%d], ", i);
        text_printf(&sizes, "%sfx_dims[%d]", i ? ", " : "", i);
    }
    const char *nothing = l->g->dims->symbols.count ? "" : "    (void)fx_dims;\n";
    text_printf(l->out,
                "\nint fusec_entry_%s(void *const *fx_tensors, const int64_t *fx_dims,\n"
                "    const void *fx_prepared, void *fx_workspace, int fx_kernel)\n"
                "{\n%s%s    return %s(%s%sfx_workspace, fx_kernel);\n}\n",
                l->name, nothing, c_prepares(l) ? "" : "    (void)fx_prepared;\n", l->name,
                text_get(&call), c_prepares(l) ? "fx_prepared, " : "");
    text_printf(l->out,
                "\nint64_t fusec_workspace_%s(const int64_t *fx_dims)\n{\n%s"
                "    return %s_workspace(%s);\n}\n",
                l->name, nothing, l->name, text_get(&sizes));
}

/* The public text: comments and prototypes. */
static void emit_interface(const Launcher *l) {
    if (c_prepares(l)) c_prepare_interface(l);
    document(l, size_names(l));
    emit_signature(l->out, arena_printf(l->arena, "int %s(", l->name), parameters(l));
    text_printf(l->out, ";\nint64_t %s_workspace(%s);\n", l->name, dim_parameters(l));
}

void emit_c_launcher(const Names *names, const TiledKernels *kernels, const EmitOptions *options,
                     Program *program, Text *out) {
    Text text = text_new(out->arena);
    const Plan *plan = names->plan;
    Arena *arena = out->arena;
    Launcher l = {.plan = plan, .g = plan->g, .arena = arena, .out = &text};
    l.names = names;
    l.kernels = kernels->at, l.function = kernels->function;
    l.program = program;
    l.has_entry = options->entry;
    l.name = program->name;
    l.texts = arena_array(arena, CKernel, plan->groups.count);
    for (int k = 0; k < plan->groups.count; k++) {
        const int f = kernels->function[k];
        l.texts[k] = f == k ? emit_c_kernel(kernels, k, names, &text)
                            : c_kernel_calling(kernels->at[k], &l.texts[f], arena);
    }
    const char *temps = slot_offset(&l, names, plan->slots.count);
    emit_interface(&l);
    emit_workspace(&l);
    if (c_prepares(&l)) c_prepare(&l);
    emit_function(&l, temps);
    if (options->entry) emit_entry(&l);
    if (options->entry && c_prepares(&l)) c_prepare_entry(&l);
    text_wrapped(out, text_get(&text));
}

void emit_c_prototypes(const Names *names, Text *out) {
    const Plan *plan = names->plan;
    Launcher l = {.plan = plan, .g = plan->g, .arena = out->arena, .out = out};
    l.names = names;
    l.name = names->function;
    emit_interface(&l);
}
