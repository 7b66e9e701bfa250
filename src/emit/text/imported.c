/* imported.c: functions of imported headers in emitted text: which of them it calls, what they are
 * called there, and their text. In: Plans, Imports. Out: text that stands before everything else,
 * so that no macro of the templates meets it; for C, functions on vectors of lanes as well. */
#include "emit/text/imported.h"

#include <string.h>

/* ---- which, and their names ----------------------------------------------------------------- */

static void mark_calls(const Graph *g, bool *wanted) {
    for (NodeId id = 1; id < g->count; id++)
        if (op_is_call(g->node[id].op)) wanted[g->node[id].attr[0]] = true;
}

const bool *imported_wanted(const Plan *const *plans, int count, Arena *arena) {
    const Imports *m = count ? plans[0]->g->imports : NULL;
    bool *wanted = arena_array(arena, bool, (m ? m->functions.count : 0) + 1);
    for (int i = 0; m && i < count; i++) {
        mark_calls(plans[i]->g, wanted);
        mark_calls(plans[i]->meaning, wanted);
    }
    return wanted;
}

const char *imported_lanes(const char *name, Arena *arena) {
    return arena_printf(arena, "%s_lanes", name);
}

static const char *imported_name(const Names *names, int function) {
    const Imports *m = names->plan->g->imports;
    const ImportFunction *f = &m->functions.at[function];
    for (int i = 0; i < m->names.count; i++)
        if (m->names.at[i].declaration == f->declaration) return names->imported[i];
    BUG("the function %s of a header has no name", f->name);
}

const char *imported_pattern(const Writer *w, const Value *v, bool in_lanes) {
    const char *name = imported_name(w->names, v->attr);
    Text out = text_new(w->arena);
    if (!in_lanes && v->type == T_I64)
        text_str(&out, "(long long)"); /* which int64_t need not be */
    if (!in_lanes && (v->type == T_I8 || v->type == T_U8)) text_str(&out, "(int)");
    text_printf(&out, "%s(", in_lanes ? imported_lanes(name, w->arena) : name);
    for (int i = 0; i < v->attr2; i++) text_printf(&out, "%s$%c", i ? ", " : "", 'a' + i);
    text_char(&out, ')');
    return text_get(&out);
}

/* ---- the text of the functions -------------------------------------------------------------- */

static bool any(const Imports *m, const bool *wanted) {
    for (int i = 0; m && i < m->functions.count; i++)
        if (wanted[i]) return true;
    return false;
}

void imported_head(const Imports *m, Text *out) {
    Text line = text_new(out->arena);
    text_str(&line, "Imports");
    for (int i = 0; i < m->files.count; i++) {
        const ImportFile *file = &m->files.at[i];
        text_printf(&line, "%s ", i ? "," : "");
        emit_comment(&line, file->below);
        text_printf(&line, " (xxh3 %016llx)", (unsigned long long)file->digest);
    }
    text_str(out, " *\n * ");
    text_put_wrapped(out, 3, " * ", text_get(&line), 98);
    text_char(out, '\n');
}

/* What such text needs of libraries stands before it. */
static void put_with_library(const Text *text, bool is_cuda, bool has_lines, Text *out) {
    static const char *const c[] = {"import/host.h", "import/numbers.h", NULL};
    static const char *const cuda[] = {"import/device.cuh", "import/numbers.h", NULL};
    prelude_link(is_cuda ? cuda : c, text_get(text), out);
    has_lines ? text_str(out, text_get(text)) : text_wrapped(out, text_get(text));
    text_char(out, '\n');
}

static int lines_of(const Text *text) {
    int lines = 0;
    for (size_t i = 0; i < text->size; i++) lines += text->data[i] == '\n';
    return lines;
}

void imported_text(const Names *names, const bool *wanted, bool is_cuda, bool has_lines,
                   Text *out) {
    const Imports *m = names->plan->g->imports;
    Text text = text_new(out->arena);
    if (!any(m, wanted)) return;
    imports_text(m, wanted, is_cuda ? IMPORT_CUDA : IMPORT_C, names->imported, has_lines, &text);
    text_str(out, "/* ---- of the headers that the model imports ---- */\n\n");
    put_with_library(&text, is_cuda, has_lines, out);
    if (has_lines) text_printf(out, "#line %d \"emitted.c\"\n", lines_of(out) + 2);
}

/* ---- C: on lanes ---------------------------------------------------------------------------- */

static const char *lane_type(Dtype type) {
    const char *reg = reg_suffix(type);
    if (!strcmp(reg, "f64")) return "double";
    if (!strcmp(reg, "i64")) return "int64_t";
    return strcmp(reg, "f32") ? "int32_t" : "float";
}

/* Through arrays: compilers make vectors of a loop over these, where they can. */
static void put_lanes(const ImportFunction *f, const char *name, Text *out) {
    const char *result = reg_suffix(f->type);
    Text parameters = text_new(out->arena), arguments = text_new(out->arena);
    for (int i = 0; i < f->count; i++) {
        text_printf(&parameters, "%s%s x%d", i ? ", " : "", reg_suffix(f->type_of[i]), i);
        text_printf(&arguments, "%sx%d_at[l]%s", i ? ", " : "", i,
                    f->type_of[i] == T_BOOL ? " != 0" : "");
    }
    text_printf(out, "LANES %s %s(%s)\n{\n    %s y;\n    %s y_at[VL];\n", result,
                imported_lanes(name, out->arena), text_get(&parameters), result,
                lane_type(f->type));
    for (int i = 0; i < f->count; i++)
        text_printf(out, "    %s x%d_at[VL];\n    memcpy(x%d_at, &x%d, sizeof x%d_at);\n",
                    lane_type(f->type_of[i]), i, i, i, i);
    text_printf(out,
                f->type == T_BOOL ? "    EACH_LANE(l) y_at[l] = -(%s(%s) != 0);\n"
                                  : "    EACH_LANE(l) y_at[l] = %s(%s);\n",
                name, text_get(&arguments));
    text_str(out, "    memcpy(&y, y_at, sizeof y);\n    return y;\n}\n\n");
}

void imported_lanes_text(const Names *names, const bool *wanted, Text *out) {
    const Imports *m = names->plan->g->imports;
    for (int i = 0; m && i < m->functions.count; i++)
        if (wanted[i]) put_lanes(&m->functions.at[i], imported_name(names, i), out);
}

/* ---- the self-test -------------------------------------------------------------------------- */

void imported_reference(const Plan *const *plans, int count, Text *out) {
    const Imports *m = count ? plans[0]->g->imports : NULL;
    bool *wanted = arena_array(out->arena, bool, (m ? m->functions.count : 0) + 1);
    Text text = text_new(out->arena);
    for (int i = 0; m && i < count; i++) mark_calls(plans[i]->meaning, wanted);
    if (!any(m, wanted)) return;
    imports_text(m, wanted, IMPORT_DECLARED, NULL, false, &text);
    imports_text(m, wanted, IMPORT_EXACT, NULL, false, &text);
    text_str(out, "/* Functions of the headers, as they are and in double. */\n");
    put_with_library(&text, false, false, out);
}

const char *imported_reference_call(const Graph *g, const Node *n, const char *const *src,
                                    Arena *arena) {
    const ImportFunction *f = node_function(g, n);
    Text own = text_new(arena), exact = text_new(arena);
    for (int i = 0; i < f->count; i++) {
        const char *comma = i ? ", " : "";
        const char *narrow = f->type_of[i] == T_F32 ? "(float)" : "";
        text_printf(&own, strchr(src[i], ' ') && *narrow ? "%s%s(%s)" : "%s%s%s", comma, narrow,
                    src[i]);
        text_printf(&exact, "%s%s", comma, src[i]);
    }
    const bool is_widened = import_is_widened(g->imports, n->attr[0]);
    if (!is_widened) return arena_printf(arena, "fx_own_%s(%s)", f->name, text_get(&own));
    const char *chosen = dtype_is_float(n->type) ? "fx_program == 1" : "fx_program";
    return arena_printf(arena, "%s ? fx_own_%s(%s) : fx_exact_%s(%s)", chosen, f->name,
                        text_get(&own), f->name, text_get(&exact));
}
