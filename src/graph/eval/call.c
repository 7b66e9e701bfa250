/* call.c: functions of imported headers, as the evaluator calls them: the text of the headers,
 * compiled by the C compiler of this machine, once as it is and once in double. In: Imports. Out:
 * elements. The library is loaded at the first evaluation that needs it, and lives as long as the
 * compilation. */
#include "graph/eval/eval_private.h"
#include "graph/import/import.h"

#include <string.h>

typedef void CallAll(const Scalar *const *x, Scalar *y, int64_t count);

static const char head[] = "typedef union { double f; int64_t i; } Scalar;\n";

/* How a Scalar becomes an argument of the type, and a result a Scalar. */
static const char *argument_form(Dtype type, bool is_exact) {
    if (type == T_BOOL) return "x[%d][i].i != 0";
    if (!dtype_is_float(type)) return "x[%d][i].i";
    return type == T_F32 && !is_exact ? "(float)x[%d][i].f" : "x[%d][i].f";
}

static void put_wrapper(const Imports *m, int function, bool is_exact, Text *out) {
    const ImportFunction *f = &m->functions.at[function];
    const char *prefix = is_exact && import_is_widened(m, function) ? "fx_exact_" : "fx_own_";
    text_printf(out, "void fx_%s_%d(const Scalar *const *x, Scalar *y, int64_t count)\n{\n",
                is_exact ? "exact" : "declared", function);
    text_printf(out, "    for (int64_t i = 0; i < count; i++) y[i].%s = %s%s(",
                dtype_is_float(f->type) ? "f" : "i", prefix, f->name);
    for (int i = 0; i < f->count; i++) {
        const char *form = argument_form(f->type_of[i], prefix[3] == 'e');
        const char *hole = strstr(form, "%d");
        text_printf(out, "%s%.*s%d%s", i ? ", " : "", (int)(hole - form), form, i, hole + 2);
    }
    text_str(out, f->type == T_BOOL ? ") != 0;\n}\n" : ");\n}\n");
}

static const char *source_of(const Imports *m) {
    Text all = text_new(m->arena);
    text_str(&all, import_host);
    text_str(&all, import_numbers);
    text_str(&all, head);
    imports_text(m, m->used, IMPORT_DECLARED, NULL, true, &all);
    imports_text(m, m->used, IMPORT_EXACT, NULL, true, &all);
    text_str(&all, "#line 1 \"calls\"\n");
    for (int i = 0; i < m->functions.count; i++) {
        if (!m->used[i]) continue;
        put_wrapper(m, i, false, &all);
        put_wrapper(m, i, true, &all);
    }
    return text_get(&all);
}

static void release(void *module) { cpu_free(module); }

static bool has_calls(const Graph *g) {
    for (NodeId id = 1; id < g->count; id++)
        if (op_is_call(g->node[id].op)) return true;
    return false;
}

bool eval_calls_open(const Graph *g) {
    Imports *m = g->imports;
    if (!has_calls(g) || m->module) return true;
    static const char flags[] = "-w -Werror=implicit-function-declaration";
    m->module = cpu_compile(g->diag, source_of(m), NULL, &(CpuOptions){.flags = flags});
    if (m->module) arena_owns(m->arena, release, m->module);
    return m->module;
}

static CallAll *find_call(const Eval *e, int function, bool is_exact) {
    const char *name =
        arena_printf(e->g->arena, "fx_%s_%d", is_exact ? "exact" : "declared", function);
    void *address = cpu_symbol(e->g->imports->module, name);
    CallAll *call;
    if (!address) BUG("the compiled headers lack %s", name);
    memcpy(&call, &address, sizeof call);
    return call;
}

/* In the exact mode in double; as declared, as the header has it. Programs that are nudged round
 * what is exact: a float that the function gives shows no longer how it was rounded. */
void eval_call(Eval *e, const Node *n, Value *out) {
    const bool is_float = dtype_is_float(n->type);
    const bool is_exact = e->mode == EVAL_EXACT || (e->mode >= EVAL_NUDGED && is_float);
    const Scalar *x[SRC_MAX];
    for (int i = 0; i < n->src_count; i++) x[i] = eval_source(e, n, i)->at;
    find_call(e, n->attr[0], is_exact)(x, out->at, out->count);
    for (int64_t i = 0; i < out->count; i++) {
        if (is_float)
            out->at[i].f = eval_round(e, out->at[i].f);
        else
            out->at[i].i = eval_wrap(n->type, (uint64_t)out->at[i].i);
    }
}
