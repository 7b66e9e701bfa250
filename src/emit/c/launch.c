/* launch.c: the C function that an application calls: its calls of the kernels in order, packed
 * operands and scratch in its workspace; and the uniform entry point for code that is loaded at run
 * time. prepare.c has the constants, emit/text/host.c what all targets do.
 * In: Plan and Kernels. Out: text. */
#include "emit/c/launch.h"

#include <string.h>

/* ---- the body ------------------------------------------------------------------------------ */

static void add_arguments(const Launcher *l, const CCall *call, Parameters *all) {
    for (int i = 0; i < call->arguments.count; i++) vec_push(l->arena, all, call->arguments.at[i]);
}

const Parameters *c_given(const Launcher *l, bool once) {
    Parameters *all = arena_array(l->arena, Parameters, l->plan->groups.count + 1);
    for (int k = 0; k < l->plan->groups.count; k++) {
        const CKernel *text = &c_launcher(l)->texts[k];
        for (int i = 0; l->plan->groups.at[k].once == once && i < text->calls.count; i++)
            add_arguments(l, &text->calls.at[i], &all[k]);
        for (int i = 0; once && i < text->packings.count; i++)
            add_arguments(l, &text->packings.at[i].call, &all[k]);
    }
    return all;
}

bool c_is_given(const Launcher *l, bool once, const char *name) {
    const Parameters *given = c_given(l, once);
    for (int k = 0; k < l->plan->groups.count; k++)
        if (parameters_have(&given[k], name)) return true;
    return false;
}

static const char *bytes_of(const Launcher *l, int k, bool packed) {
    const CKernel *text = &c_launcher(l)->texts[k];
    return packed ? text->packed : text->scratch;
}

/* Do kernels before k take as many bytes? */
static bool has_bytes_before(const Launcher *l, int k, bool packed) {
    for (int i = 0; i < k; i++)
        if (l->plan->groups.at[i].once == l->plan->groups.at[k].once &&
            !strcmp(bytes_of(l, i, packed), bytes_of(l, k, packed)))
            return true;
    return false;
}

/* Line by line where kernels differ: as one expression it would nest as deep as there are
 * kernels. */
const char *c_most_bytes(const Launcher *l, bool once, bool packed, Text *lines) {
    const char *name = packed ? "fx_packed_bytes" : "fx_scratch_bytes", *most = "0";
    for (int k = 0; k < l->plan->groups.count; k++) {
        const char *bytes = bytes_of(l, k, packed);
        if (l->plan->groups.at[k].once != once || !strcmp(bytes, "0") ||
            has_bytes_before(l, k, packed))
            continue;
        if (!strcmp(most, "0")) {
            most = bytes;
        } else {
            if (most != name) text_printf(lines, "    int64_t %s = %s;\n", name, most);
            text_printf(lines, "    %s = fx_most(%s, %s);\n", name, name, bytes);
            most = name;
        }
    }
    return most;
}

static bool has_bytes(const Launcher *l, bool once, bool packed) {
    for (int k = 0; k < l->plan->groups.count; k++)
        if (l->plan->groups.at[k].once == once && strcmp(bytes_of(l, k, packed), "0") != 0)
            return true;
    return false;
}

void c_mark_dims(const Launcher *l, const Names *names, const bool *dims) {
    for (int i = 0; i < l->plan->g->dims->symbols.count; i++) names->used[i] |= dims[i];
}

/* The workspace: temps, scratch of all threads, packed operands. */
static void emit_workspace(const Launcher *l, Text *out) {
    Text lines = text_new(l->arena), more = text_new(l->arena);
    const Names names = names_recording(l->names);
    for (int k = 0; k < l->plan->groups.count; k++)
        if (!l->plan->groups.at[k].once) c_mark_dims(l, &names, c_launcher(l)->texts[k].dims);
    const char *scratch = c_most_bytes(l, false, false, &lines);
    const char *packed = c_most_bytes(l, false, true, &lines);
    if (strcmp(scratch, "0")) text_printf(&more, "fx_align(fx_threads() * (%s))", scratch);
    if (strcmp(packed, "0")) text_printf(&more, "%s%s", more.size ? " + " : "", packed);
    host_workspace(l->host, &names, text_get(&lines), text_get(&more), out);
}

/* Scratch is first: few kernels have some, and none calls a function for its bytes. */
void c_declare_memory(const Launcher *l, bool once, const char *at, Text *out) {
    const bool has_packed = has_bytes(l, once, true);
    if (has_bytes(l, once, false)) {
        Text lines = text_new(l->arena);
        const char *bytes = c_most_bytes(l, once, false, &lines);
        if (has_packed) text_str(out, text_get(&lines));
        text_printf(out, "    char *const scratch = %s;\n", at);
        at = arena_printf(l->arena, "scratch + fx_align(fx_threads() * (%s))", bytes);
    }
    if (has_packed) text_printf(out, "    char *const packed = %s;\n", at);
}

static void declare_memory(const Launcher *l, Text *out) {
    const char *at = "(char *)workspace";
    const char *slots = host_slot_offset(l->host, l->names, l->plan->slots.count);
    if (strcmp(slots, "0")) at = arena_printf(l->arena, "%s + %s", at, slots);
    c_declare_memory(l, false, at, out);
}

/* The entry point may request one kernel alone. */
static void call_kernel(const Launcher *l, int k, int number, Text *out) {
    const bool has_entry = c_launcher(l)->has_entry;
    const char *indent = has_entry ? "        " : "    ";
    const CKernel *text = &c_launcher(l)->texts[k];
    if (has_entry) text_printf(out, "    if (fx_kernel < 0 || fx_kernel == %d) {\n", number);
    if (l->kernels->function[k] != k)
        text_printf(out, "%s/* %s */\n", indent, l->kernels->at[k]->name);
    for (int i = 0; i < text->calls.count; i++) c_put_call(&text->calls.at[i], indent, out);
    if (has_entry) text_str(out, "    }\n");
}

static void put_end(const Launcher *l, Text *out) {
    (void)l;
    text_str(out, "    return 0;\n");
}

void c_put_unread(const Launcher *l, bool once, Text *out) {
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        const bool is_copied = once && b->prepared;
        if (host_takes(b, once) && !is_copied && !c_is_given(l, once, b->name))
            text_printf(out, "    (void)%s;\n", b->name);
    }
}

static void put_unused(const Launcher *l, Text *out) { c_put_unread(l, false, out); }

/* fx_tensors: inputs, then outputs; fx_dims: all open dims in order. runtime/cpu_device.c looks
 * these up. The fx_ prefix avoids names of the model. */
static void emit_entry(const Launcher *l, Text *out) {
    Text call = text_new(l->arena), sizes = text_new(l->arena);
    for (int i = 0; i < l->program->input_count + l->program->output_count; i++)
        if (host_takes(&l->plan->buffers.at[i], false)) text_printf(&call, "fx_tensors[%d], ", i);
    for (int i = 0; i < l->plan->g->dims->symbols.count; i++) {
        text_printf(&call, "fx_dims[%d], ", i);
        text_printf(&sizes, "%sfx_dims[%d]", i ? ", " : "", i);
    }
    const char *nothing = l->plan->g->dims->symbols.count ? "" : "    (void)fx_dims;\n";
    text_printf(out,
                "\nint fusec_entry_%s(void *const *fx_tensors, const int64_t *fx_dims,\n"
                "    const void *fx_prepared, void *fx_workspace, int fx_kernel)\n"
                "{\n%s%s    return %s(%s%sfx_workspace, fx_kernel);\n}\n",
                l->names->function, nothing, c_prepares(l) ? "" : "    (void)fx_prepared;\n",
                l->names->function, text_get(&call), c_prepares(l) ? "fx_prepared, " : "");
    text_printf(out,
                "\nint64_t fusec_workspace_%s(const int64_t *fx_dims)\n{\n%s"
                "    return %s_workspace(%s);\n}\n",
                l->names->function, nothing, l->names->function, text_get(&sizes));
}

/* The public text: comments and prototypes. */
static void emit_interface(const Launcher *l, Text *out) {
    if (c_prepares(l)) {
        host_prepare_document(l->host, l->names, out);
        host_prototypes(l->host, l->names, true, out);
        text_char(out, '\n');
    }
    host_document(l->host, l->names, out);
    host_prototypes(l->host, l->names, false, out);
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void define_kernel(Launcher *l, int k, Text *out) {
    c_launcher(l)->texts[k] = emit_c_kernel(l->kernels, k, l->names, c_launcher(l)->before, out);
}

static void share_kernel(Launcher *l, int k, int earlier) {
    CKernel *texts = c_launcher(l)->texts;
    texts[k] = c_kernel_calling(l->kernels->at[k], &texts[earlier], l->arena);
}

static const char *aligned(const Names *names, Dim bytes) {
    int64_t n;
    if (dim_is_const(names->plan->g->dims, bytes, &n))
        return arena_printf(names->arena, "%lld", (long long)(n + LINE - 1) / LINE * LINE);
    return arena_printf(names->arena, "fx_align(%s)", names_size(names, bytes));
}

static HostDialect dialect_of(const Plan *plan, bool has_entry) {
    HostDialect h = {.dialect = &c_dialect,
                     .linkage = "",
                     .open = "\n{\n",
                     .nothing = "void",
                     .size = "int64_t ",
                     .memory = "",
                     .tensors = "",
                     .alignment = LINE,
                     .aligned = aligned,
                     .last = {"", "", ""},
                     .define = define_kernel,
                     .share = share_kernel,
                     .unused = put_unused,
                     .workspace = declare_memory,
                     .call = call_kernel,
                     .end = put_end};
    if (plan->constancy) h.prepared = c_declare_prepared;
    h.prepares = "prepares the inputs that never change";
    h.prepare_returns =
        " * Returns 0, or 1 when the sizes break a condition of the model. After it the inputs\n"
        " * are not needed. Calls only read the prepared memory: threads may share it. */\n";
    if (has_entry) h.last.type = "int ", h.last.name = "fx_kernel";
    h.returns =
        plan->constancy
            ? " * Returns 0, 1 when the sizes break a condition of the model, or 2 when prepared "
              "was not made for\n * them. Thread safe as long as no two calls share outputs or "
              "workspace. */\n"
            : " * Returns 0, or 1 when the sizes break a condition of the model. Thread safe as "
              "long as\n * no two calls share outputs or workspace. */\n";
    return h;
}

static CLauncher launcher_of(const Names *names, bool has_entry, Arena *arena) {
    CLauncher c = {.host = dialect_of(names->plan, has_entry), .has_entry = has_entry};
    c.texts = arena_array(arena, CKernel, names->plan->groups.count);
    c.l = launcher_new(NULL, names, arena);
    return c;
}

void emit_c_launcher(const Names *names, const TiledKernels *kernels, const EmitOptions *options,
                     Program *program, Text *out) {
    Text text = text_new(out->arena);
    CLauncher c = launcher_of(names, options->entry, out->arena);
    Launcher *l = &c.l;
    l->host = &c.host;
    l->kernels = kernels;
    l->program = program;
    c.before = out;
    host_kernels(l, &text);
    l->given = c_given(l, false);
    emit_interface(l, &text);
    text_char(&text, '\n');
    emit_workspace(l, &text);
    if (c_prepares(l)) c_prepare(l, &text);
    host_function(l, &text);
    if (options->entry) emit_entry(l, &text);
    if (options->entry && c_prepares(l)) c_prepare_entry(l, &text);
    text_tidied(out, text_get(&text));
}

void emit_c_prototypes(const Names *names, const EmitOptions *options, Text *out) {
    (void)options;
    CLauncher c = launcher_of(names, false, out->arena);
    c.l.host = &c.host;
    emit_interface(&c.l, out);
}
