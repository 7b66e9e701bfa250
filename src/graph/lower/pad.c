/* pad.c: pad, and concat as a where over an iota that selects among pads. */
#include "graph/lower/lower_private.h"

/* ---- pad ---------------------------------------------------------------------------------- */

static Dim lower_margin(Lower *l, const Args *a, int i) {
    Dim margin = lower_dim(l, a->value[i]), zero = dim_const(l->g->dims, 0);
    if (!margin) return 0;
    if (dim_assume(l->g->dims, DIM_LE, zero, margin, a->value[i]->span, "pad")) return margin;
    diag_error(l->diag, a->value[i]->span, "'%s' must be at least 0, and this is %s",
               a->param[i].name, dim_text(l->g->dims, margin, l->arena));
    return 0;
}

static NodeId pad_axis(Lower *l, NodeId x, int axis, Dim before, Dim after, NodeId value,
                       Span span) {
    Dims *d = l->g->dims;
    Node n = l->g->node[x];
    Dim start[RANK_MAX], shape[RANK_MAX];
    for (int i = 0; i < n.rank; i++) {
        start[i] = i == axis ? before : dim_const(d, 0);
        shape[i] = n.shape[i];
    }
    shape[axis] = dim_checked(l, dim_add(d, dim_add(d, before, n.shape[axis]), after), span);
    return shape[axis] ? graph_pad(l->g, x, start, shape, value, span) : 0;
}

/* The value that pads, in the type of x. */
static NodeId lower_padding(Lower *l, const Args *a, int i, NodeId x) {
    Dtype type = l->g->node[x].type;
    if (!a->value[i]) return graph_zero(l->g, type, a->call->span);
    NodeId value = arg_value(l, a, i);
    if (!value) return 0;
    if (!l->g->node[value].rank)
        return store_as(l->g, value, type, a->value[i]->span, "the padded tensor");
    diag_error(l->diag, a->value[i]->span, "'value' is one number, and this is %s",
               node_text(l->g, value));
    return 0;
}

NodeId lower_pad(Lower *l, const Args *a) {
    int axis;
    NodeId x = lower_viewed(l, a, 0);
    if (!x || !arg_axis(l, a, 1, l->g->node[x].rank, &axis)) return 0;
    Dim before = lower_margin(l, a, 2), after = lower_margin(l, a, 3);
    NodeId value = lower_padding(l, a, 4, x);
    if (!before || !after || !value) return 0;
    return pad_axis(l, x, axis, before, after, value, a->call->span);
}

/* ---- concat ------------------------------------------------------------------------------- */

/* The operands of concat (at least one), and their places. */
typedef struct Parts {
    int count;
    NodeId *node;
    Ast *const *ast;
} Parts;

/* Converts all to one type: probe has the common type of the parts before i. */
static bool unify_types(Lower *l, const Parts *p, Span span) {
    NodeId probe = p->node[0];
    for (int i = 1; i < p->count; i++) {
        Operands o = {.op = OP_CONCAT,
                      .count = 2,
                      .src = {probe, p->node[i]},
                      .at = {p->ast[0]->span, p->ast[i]->span},
                      .span = span};
        probe = convert(l->g, probe, promote(l->g, &o), span);
        if (!probe) return false;
    }
    for (int i = 0; i < p->count; i++)
        p->node[i] = convert(l->g, p->node[i], l->g->node[probe].type, p->ast[i]->span);
    return true;
}

/* All have one shape, except along the axis. */
static bool check_parts(Lower *l, const Parts *p, int axis) {
    for (int i = 1; i < p->count; i++) {
        const Node *x = &l->g->node[p->node[0]], *y = &l->g->node[p->node[i]];
        bool same = x->rank == y->rank;
        for (int k = 0; same && k < x->rank; k++) same = k == axis || x->shape[k] == y->shape[k];
        if (same) continue;
        diag_error(l->diag, p->ast[i]->span,
                   "%s does not continue %s along axis %d: the other axes "
                   "must agree",
                   node_text(l->g, p->node[i]), node_text(l->g, p->node[0]), axis);
        diag_note(l->diag, p->ast[0]->span, "this is %s", node_text(l->g, p->node[0]));
        return false;
    }
    return true;
}

/* The offset of each part; the last is the size of the whole. */
static bool part_offsets(Lower *l, const Parts *p, int axis, Span span, Dim *offset) {
    offset[0] = dim_const(l->g->dims, 0);
    for (int i = 0; i < p->count; i++) {
        Dim size = l->g->node[p->node[i]].shape[axis];
        offset[i + 1] = dim_checked(l, dim_add(l->g->dims, offset[i], size), span);
        if (!offset[i + 1]) return false;
    }
    return true;
}

/* 0, 1, .. along the axis, to be broadcast along the others. */
static NodeId axis_iota(Graph *g, int axis, int rank, Dim size, Span span) {
    Dim shape[RANK_MAX];
    for (int i = 0; i < rank; i++) shape[i] = i == axis ? size : dim_const(g->dims, 1);
    return graph_reshape(g, graph_index(g, size, span), rank, shape, span);
}

/* where(i < end of a, a padded, where(i < end of b, b padded, c padded)) */
static NodeId join_parts(Lower *l, const Parts *p, int axis, Span span) {
    Dims *d = l->g->dims;
    Dim *offset = arena_array(l->arena, Dim, p->count + 1);
    if (!part_offsets(l, p, axis, span, offset)) return 0;
    Node first = l->g->node[p->node[0]];
    Dim total = offset[p->count];
    NodeId i = axis_iota(l->g, axis, first.rank, total, span), joined = 0;
    NodeId zero = graph_zero(l->g, first.type, span);
    for (int k = p->count - 1; k >= 0; k--) {
        Dim after = dim_sub(d, total, offset[k + 1]);
        NodeId part = pad_axis(l, p->node[k], axis, offset[k], after, zero, span);
        if (!part) return 0;
        NodeId end = node_of_dim(l->g, offset[k + 1], span);
        joined = !joined ? part
                         : graph_op(l->g, OP_WHERE, graph_op(l->g, OP_LT, i, end, 0, span), part,
                                    joined, span);
    }
    return joined;
}

NodeId lower_concat(Lower *l, const Args *a) {
    Parts p = {a->rest_count, arena_array(l->arena, NodeId, a->rest_count), a->rest};
    int axis;
    bool ok = true;
    for (int i = 0; i < p.count; i++) {
        NodeId x = lower_expr(l, p.ast[i]);
        p.node[i] = x ? strengthen(l->g, x, p.ast[i]->span) : 0;
        if (!x) ok = false;
    }
    if (!ok || !arg_axis(l, a, 1, l->g->node[p.node[0]].rank, &axis)) return 0;
    if (!unify_types(l, &p, a->call->span) || !check_parts(l, &p, axis)) return 0;
    return p.count == 1 ? p.node[0] : join_parts(l, &p, axis, a->call->span);
}
