/* prepare.c: the C function that an application calls once to prepare constant inputs, the query of
 * the size of the prepared memory, and its layout in calls.
 *
 *     prepared:  mark and dims | copies, values, panels | scratch while preparing
 *                each of these, and the whole, at multiples of 64 bytes
 *
 * In: Plan and Kernels. Out: text. */
#include "emit/c/launch.h"

#include <string.h>

bool c_prepares(const Launcher *l) { return l->plan->constancy; }

static bool is_known(const Launcher *l, int symbol) {
    return host_takes_dim(l->plan, symbol, true);
}

static const char *symbol(const Launcher *l, int i) { return l->names->symbol[i]; }

/* ---- the memory --------------------------------------------------------------------------- */

enum { WORD = 8 };

static int head_bytes(const Launcher *l) {
    int words = 1;
    for (int i = 0; i < l->plan->g->dims->symbols.count; i++) words += is_known(l, i);
    return (words * WORD + LINE - 1) / LINE * LINE;
}

static const char *bytes_of(const Launcher *l, const Names *names, int buffer) {
    for (int k = 0; k < l->plan->groups.count; k++)
        for (int i = 0; i < c_launcher(l)->texts[k].packings.count; i++)
            if (l->kernels->at[k]
                    ->buffers.at[c_launcher(l)->texts[k].packings.at[i].buffer]
                    .plan_buffer == buffer)
                return c_launcher(l)->texts[k].packings.at[i].bytes;
    return names_size(names, buffer_bytes(l->plan, buffer));
}

/* A call finds what its kernels read; what only was read while preparing is there, too. */
static int last_prepared(const Launcher *l, bool is_call) {
    int last = -1;
    for (int i = 0; i < l->plan->buffers.count; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (b->prepared && (!is_call || c_is_given(l, false, b->name))) last = i;
    }
    return last;
}

/* Pointers to the parts of the prepared memory, one after the other; `behind` them: text that
 * reads where they end. */
static void declare_places(const Launcher *l, bool is_call, const Text *behind, Text *out) {
    const char *constant = is_call ? "const " : "";
    int last = last_prepared(l, is_call);
    if (last < 0 && (is_call || !behind->size)) return;
    text_printf(out, "    %schar *fx_at = (%schar *)prepared + %d;\n", constant, constant,
                head_bytes(l));
    for (int i = 0; i <= last; i++) {
        const Buffer *b = &l->plan->buffers.at[i];
        if (!b->prepared) continue;
        const char *type = storage_type(b->type), *bytes = bytes_of(l, l->names, i);
        if (!is_call && b->kind == B_INPUT)
            text_printf(out, "    memcpy(fx_at, %s, (size_t)(%s));\n", b->name, bytes);
        else if (!is_call || c_is_given(l, false, b->name))
            text_printf(out, "    %s%s *const %s = (%s%s *)fx_at;\n", constant, type, b->name,
                        constant, type);
        if (!is_call || i < last) text_printf(out, "    fx_at += fx_align(%s);\n", bytes);
    }
}

/* The first word of prepared memory: memory of another program or version is refused. */
static const char *mark(const Launcher *l, const char *body) {
    uint64_t hash = hash_bytes(body, strlen(body), 0) >> 16;
    return arena_printf(l->arena, "%lld + VL", (long long)hash);
}

static void emit_prepared_size(const Launcher *l, Text *out) {
    Text body = text_new(l->arena);
    const Names names = names_recording(l->names);
    const char *scratch = c_most_bytes(l, true, false, &body);
    const char *packed = c_most_bytes(l, true, true, &body);
    for (int k = 0; k < l->plan->groups.count; k++) {
        c_mark_dims(l, &names, c_launcher(l)->texts[k].packing_dims);
        if (l->plan->groups.at[k].once) c_mark_dims(l, &names, c_launcher(l)->texts[k].dims);
    }
    text_printf(&body, "    int64_t fx_bytes = %d;\n", head_bytes(l));
    for (int i = 0; i < l->plan->buffers.count; i++)
        if (l->plan->buffers.at[i].prepared)
            text_printf(&body, "    fx_bytes += fx_align(%s); /* %s */\n", bytes_of(l, &names, i),
                        l->plan->buffers.at[i].name);
    if (strcmp(scratch, "0"))
        text_printf(&body, "    fx_bytes += fx_align(fx_threads() * (%s));\n", scratch);
    if (strcmp(packed, "0")) text_printf(&body, "    fx_bytes += %s;\n", packed);
    host_query(l->host, &names, true, text_get(&body), "fx_bytes", out);
}

/* ---- preparing ---------------------------------------------------------------------------- */

/* Kernels that run once, and operands packed once, in the order of the plan. */
static void put_calls(const Launcher *l, int k, Text *out) {
    const CKernel *text = &c_launcher(l)->texts[k];
    for (int i = 0; l->plan->groups.at[k].once && i < text->calls.count; i++)
        c_put_call(&text->calls.at[i], "    ", out);
    for (int i = 0; i < text->packings.count; i++)
        c_put_call(&text->packings.at[i].call, "    ", out);
}

static const char *prepare_body(const Launcher *l) {
    Text body = text_new(l->arena), scratch = text_new(l->arena);
    host_guards(l, true, &body);
    c_put_unread(l, true, &body);
    c_declare_memory(l, true, "fx_at", &scratch);
    declare_places(l, false, &scratch, &body);
    text_str(&body, text_get(&scratch));
    declare_uniforms(&c_dialect, l->names, l->kernels->at, c_given(l, true), l->plan->groups.count,
                     &body);
    for (int k = 0; k < l->plan->groups.count; k++) put_calls(l, k, &body);
    return text_get(&body);
}

void c_prepare(const Launcher *l, Text *out) {
    const char *body = prepare_body(l);
    emit_prepared_size(l, out);
    host_signature(l->host, l->names, true, out);
    text_printf(out,
                "%s    int64_t *const fx_made_for = (int64_t *)prepared;\n"
                "    fx_made_for[0] = %s;\n",
                body, mark(l, body));
    for (int i = 0, word = 1; i < l->plan->g->dims->symbols.count; i++)
        if (is_known(l, i)) text_printf(out, "    fx_made_for[%d] = %s;\n", word++, symbol(l, i));
    text_str(out, "    return 0;\n}\n\n");
}

void c_prepare_entry(const Launcher *l, Text *out) {
    Text call = text_new(l->arena), sizes = text_new(l->arena);
    for (int i = 0; i < l->program->input_count; i++)
        if (l->plan->buffers.at[i].constant) text_printf(&call, "fx_tensors[%d], ", i);
    for (int i = 0; i < l->plan->g->dims->symbols.count; i++)
        if (is_known(l, i)) text_printf(&sizes, "%sfx_dims[%d]", sizes.size ? ", " : "", i);
    const char *nothing = sizes.size ? "" : "    (void)fx_dims;\n";
    text_printf(out,
                "\nint fusec_prepare_%s(void *const *fx_tensors, const int64_t *fx_dims,\n"
                "    void *fx_prepared)\n"
                "{\n%s    return %s_prepare(%s%s%sfx_prepared);\n}\n",
                l->names->function, nothing, l->names->function, text_get(&call), text_get(&sizes),
                sizes.size ? ", " : "");
    text_printf(out,
                "\nint64_t fusec_prepared_size_%s(const int64_t *fx_dims)\n{\n%s"
                "    return %s_prepared_size(%s);\n}\n",
                l->names->function, nothing, l->names->function, text_get(&sizes));
}

/* ---- calls -------------------------------------------------------------------------------- */

void c_declare_prepared(const Launcher *l, Text *out) {
    text_printf(out,
                "    const int64_t *const fx_made_for = (const int64_t *)prepared;\n"
                "    if (!prepared || fx_made_for[0] != %s) return 2;\n",
                mark(l, prepare_body(l)));
    for (int i = 0, word = 1; i < l->plan->g->dims->symbols.count; i++)
        if (is_known(l, i))
            text_printf(out, "    if (fx_made_for[%d] != %s) return 2;\n", word++, symbol(l, i));
    declare_places(l, true, NULL, out);
}
