/* infer_type.c: the type of a node, by the type rules of the op table.
 * In: a draft whose sources are nodes of the graph. Out: the draft with its type; or a diag_error
 * at the source that does not fit. */
#include "graph/infer_private.h"

static bool mismatch(Graph *g, const Node *n, int i, const char *needs, const char *advice) {
    const Node *x = infer_source(g, n, i);
    diag_error(g->diag, x->span, "%s needs %s, but this is %s%s", infer_name(n), needs,
               infer_text(g, x), advice);
    return false;
}

static bool need_number(Graph *g, const Node *n, int i) {
    if (infer_source(g, n, i)->type != T_BOOL) return true;
    return mismatch(g, n, i, "a number", "; write `x as i32`");
}

static bool need_float(Graph *g, const Node *n, int i) {
    if (dtype_is_float(infer_source(g, n, i)->type)) return true;
    return mismatch(g, n, i, "a float", "; write `x as f32`");
}

static bool need_integer(Graph *g, const Node *n, int i) {
    if (dtype_is_int(infer_source(g, n, i)->type)) return true;
    return mismatch(g, n, i, "integers", "; write `x as i32`");
}

static bool need_type(Graph *g, const Node *n, int i, Dtype type) {
    if (infer_source(g, n, i)->type == type) return true;
    return mismatch(g, n, i, dtype_name(type), "");
}

static bool need_bool(Graph *g, const Node *n, int i) {
    if (infer_source(g, n, i)->type == T_BOOL) return true;
    return mismatch(g, n, i, "bool", "; compare it, as in `x != 0`");
}

static bool need_same_type(Graph *g, const Node *n, int i, int j) {
    const Node *x = infer_source(g, n, i), *y = infer_source(g, n, j);
    if (x->type == y->type) return true;
    diag_error(g->diag, n->span,
               "%s needs one type, but these are %s and %s; convert one with `as`", infer_name(n),
               infer_text(g, x), infer_text(g, y));
    return false;
}

static bool need_parameter(Graph *g, const Node *n, int i) {
    const ImportFunction *f = node_function(g, n);
    if (infer_source(g, n, i)->type == f->type_of[i]) return true;
    diag_error(g->diag, n->span, "'%s' takes %s as its '%s', and this is %s", f->name,
               dtype_name(f->type_of[i]), f->parameter[i], infer_text(g, infer_source(g, n, i)));
    return false;
}

static bool check_source_type(Graph *g, const Node *n, int i) {
    switch (op_info[n->op].rule) {
    case R_EXACT:
    case R_ARITH:
    case R_ARGMAX:
    case R_DOT: return need_number(g, n, i);
    case R_FLOAT_EXACT:
    case R_FLOAT:
    case R_MEAN:
    case R_ISNAN: return need_float(g, n, i);
    case R_LOGIC: return need_bool(g, n, i);
    case R_WHERE: return i > 0 || need_bool(g, n, i);
    case R_GATHER: return i == 0 || need_integer(g, n, i);
    case R_SCATTER:
        return i == 0 || i == n->src_count - 1 ? need_same_type(g, n, 0, i) : need_integer(g, n, i);
    case R_PHILOX: return need_type(g, n, i, T_I64);
    case R_UNIT:
    case R_SEGMENTS: return need_type(g, n, i, T_I32);
    case R_CALL: return need_parameter(g, n, i);
    case R_CROSS: return i == 0 ? need_float(g, n, i) : need_integer(g, n, i);
    default: return true;
    }
}

/* The source that decides the type of the others; -1: they are independent. */
static int typed_source(const Node *n) {
    TypeRule rule = op_info[n->op].rule;
    if (n->src_count < 2 || rule == R_GATHER || rule == R_CROSS || rule == R_CALL ||
        rule == R_SCATTER)
        return -1;
    return rule == R_WHERE ? 1 : 0;
}

static Dtype result_type(const Graph *g, const Node *n) {
    Dtype type = n->src_count ? infer_source(g, n, 0)->type : n->type;
    switch (op_info[n->op].rule) {
    case R_GIVEN: return n->type;
    case R_ARITH:
    case R_FLOAT:
    case R_MEAN:
    case R_CROSS:
    case R_DOT: return dtype_compute(type);
    case R_SUM: return type == T_BOOL ? T_I32 : dtype_compute(type);
    case R_COMPARE:
    case R_LOGIC:
    case R_ISNAN: return T_BOOL;
    case R_PHILOX:
    case R_ARGMAX: return T_I32;
    case R_UNIT: return T_F32;
    case R_WHERE: return infer_source(g, n, 1)->type;
    case R_CALL: return node_function(g, n)->type;
    default: return type;
    }
}

bool infer_type(Graph *g, Node *n) {
    for (int i = 0; i < n->src_count; i++)
        if (!check_source_type(g, n, i)) return false;
    int typed = typed_source(n);
    for (int i = typed; typed >= 0 && i < n->src_count; i++)
        if (!need_same_type(g, n, typed, i)) return false;
    n->type = result_type(g, n);
    if (n->type == T_NONE || n->type >= T_COUNT) BUG("%s without a type", infer_name(n));
    return true;
}
