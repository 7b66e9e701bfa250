/* broadcast.c: the implicit conversions of an elementwise node: its operands get one type
 * (promote.c) and one shape, aligned at the last axis; an axis of constant size 1 repeats. Equal
 * symbols match; different symbols never do. */
#include "graph/operands/operands.h"

#include <string.h>

bool rank_check(Graph *g, int rank, Span span) {
    if (rank <= RANK_MAX) return true;
    diag_error(g->diag, span, "a tensor has at most %d axes, and this would have %d", RANK_MAX,
               rank);
    return false;
}

/* ---- shapes ------------------------------------------------------------------------------- */

static Dim axis_size(const Graph *g, NodeId id, int from_right) {
    const Node *n = &g->node[id];
    return from_right < n->rank ? n->shape[n->rank - 1 - from_right] : dim_const(g->dims, 1);
}

/* Has the operation an argument `keep`: does it reduce axes? */
static bool takes_keep(Op op) { return strstr(op_info[op].signature, "keep = false"); }

/* The reduction with its axes kept as 1, from which a RESHAPE drops them (lower/builtin.c), if x is
 * that RESHAPE and the reduction has as many axes as `other`; else 0. */
static NodeId kept_axes(const Graph *g, NodeId x, NodeId other) {
    const Node *n = &g->node[x];
    if (n->op != OP_RESHAPE) return 0;
    const Node *reduction = &g->node[n->src[0]];
    return takes_keep(reduction->op) && reduction->rank == g->node[other].rank ? n->src[0] : 0;
}

static void note_shape(Graph *g, NodeId x, NodeId other, Span at) {
    const NodeId kept = kept_axes(g, x, other);
    if (kept)
        diag_note(g->diag, at, "this is %s; with 'keep = true' it would be %s", node_text(g, x),
                  node_text(g, kept));
    else
        diag_note(g->diag, at, "this is %s", node_text(g, x));
}

static bool report_mismatch(Graph *g, const Operands *o, int i, int j, int from_right) {
    Dims *d = g->dims;
    diag_error(g->diag, o->span, "shapes %s and %s do not match: axis -%d is %s here and %s there",
               node_text(g, o->src[i]), node_text(g, o->src[j]), from_right + 1,
               dim_text(d, axis_size(g, o->src[i], from_right), g->arena),
               dim_text(d, axis_size(g, o->src[j], from_right), g->arena));
    note_shape(g, o->src[i], o->src[j], o->at[i]);
    note_shape(g, o->src[j], o->src[i], o->at[j]);
    return false;
}

/* The common size of one axis; 0 after a diag_error. */
static Dim broadcast_axis(Graph *g, const Operands *o, int from_right) {
    int from = 0;
    for (int i = 1; i < o->count; i++) {
        Dim a = axis_size(g, o->src[from], from_right), b = axis_size(g, o->src[i], from_right);
        if (a == b || dim_is(g->dims, b, 1)) continue;
        if (!dim_is(g->dims, a, 1)) return report_mismatch(g, o, from, i, from_right), 0;
        from = i;
    }
    return axis_size(g, o->src[from], from_right);
}

static bool broadcast_shape(Graph *g, const Operands *o, int *rank, Dim *shape) {
    *rank = 0;
    for (int i = 0; i < o->count; i++)
        if (g->node[o->src[i]].rank > *rank) *rank = g->node[o->src[i]].rank;
    for (int i = 0; i < *rank; i++)
        if (!(shape[*rank - 1 - i] = broadcast_axis(g, o, i))) return false;
    return true;
}

/* ---- adding ------------------------------------------------------------------------------- */

static bool check_condition(Graph *g, const Operands *o) {
    if (o->op != OP_WHERE || g->node[o->src[0]].type == T_BOOL) return true;
    diag_error(g->diag, o->at[0],
               "the condition of 'where' is %s, not bool: compare it, as in "
               "'x != 0'",
               node_text(g, o->src[0]));
    return false;
}

static bool all_weak(const Graph *g, const Operands *o) {
    for (int i = 0; i < o->count; i++)
        if (!g->node[o->src[i]].weak) return false;
    return true;
}

/* where(mask, 1.0, 0.0) or gelu(1): no operand has a type, so the literals' default types meet. */
static bool strengthen_all(Graph *g, Operands *o) {
    bool real = op_info[o->op].rule == R_FLOAT;
    int first = o->op == OP_WHERE ? 1 : 0;
    for (int i = first; i < o->count; i++) {
        if (!is_weak(g, o->src[i])) return true;
        if (g->node[o->src[i]].type == T_F64) real = true;
    }
    for (int i = first; i < o->count; i++) {
        if (real) o->src[i] = weak_float(g, o->src[i], o->at[i]);
        o->src[i] = o->src[i] ? strengthen(g, o->src[i], o->at[i]) : 0;
        if (!o->src[i]) return false;
    }
    return true;
}

static bool convert_all(Graph *g, Operands *o) {
    Dtype type = promote(g, o);
    if (type == T_NONE) return false;
    for (int i = o->op == OP_WHERE ? 1 : 0; i < o->count; i++)
        o->src[i] = convert(g, o->src[i], type, o->at[i]);
    return true;
}

bool operands_stretch(Graph *g, Operands *o) {
    int rank;
    Dim shape[RANK_MAX];
    if (!broadcast_shape(g, o, &rank, shape)) return false;
    for (int i = 0; i < o->count; i++) {
        const Node *n = &g->node[o->src[i]];
        if (shape_equal(n->rank, n->shape, rank, shape)) continue;
        o->src[i] = graph_broadcast(g, o->src[i], rank, shape, o->at[i]);
    }
    return true;
}

NodeId operands_add(Graph *g, const Operands *operands) {
    Operands o = *operands;
    for (int i = 0; i < o.count; i++)
        if (!o.src[i]) return 0;
    if (!check_condition(g, &o)) return 0;
    bool is_map = op_info[o.op].class == MAP;
    if (is_map && all_weak(g, &o) && op_info[o.op].rule != R_LOGIC)
        return weak_op(g, o.op, o.src, o.span);
    if (!strengthen_all(g, &o) || !convert_all(g, &o) || !operands_stretch(g, &o)) return 0;
    if (is_map) return graph_map(g, o.op, o.src[0], o.src[1], o.src[2], o.span);
    Node draft = {.op = o.op, .src_count = o.count, .span = o.span};
    memcpy(draft.src, o.src, sizeof draft.src);
    return graph_add(g, &draft);
}

NodeId graph_op(Graph *g, Op op, NodeId a, NodeId b, NodeId c, Span span) {
    Operands o = {.op = op, .count = op_sources(op), .src = {a, b, c}, .span = span};
    for (int i = 0; i < o.count; i++) o.at[i] = o.src[i] ? g->node[o.src[i]].span : span;
    return operands_add(g, &o);
}
