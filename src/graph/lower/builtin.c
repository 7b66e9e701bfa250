/* builtin.c: calls of builtins to nodes: elementwise ops, reductions, rows. Views, matmul and
 * einsum have their own files. */
#include "graph/lower/lower_private.h"

#include <string.h>

/* ---- elementwise -------------------------------------------------------------------------- */

static NodeId lower_map(Lower *l, const Args *a) {
    Operands o = {.op = a->op, .count = a->count, .span = a->call->span};
    for (int i = 0; i < a->count; i++) {
        o.src[i] = arg_value(l, a, i);
        o.at[i] = a->value[i]->span;
    }
    NodeId result = operands_add(l->g, &o);
    warn_bare_cast(l, a->call, o.src[0], o.src[1], result);
    return result;
}

/* a > b is b < a; the operands are still evaluated (and reported on) in the order written. */
static NodeId lower_swapped(Lower *l, const Args *a) {
    NodeId left = arg_value(l, a, 0), right = arg_value(l, a, 1);
    Operands o = {.op = a->op == OP_GT ? OP_LT : OP_LE,
                  .count = 2,
                  .src = {right, left},
                  .at = {a->value[1]->span, a->value[0]->span},
                  .span = a->call->span};
    NodeId result = operands_add(l->g, &o);
    warn_bare_cast(l, a->call, left, right, result);
    return result;
}

/* ---- one operand, along axes -------------------------------------------------------------- */

/* The tensor operand i in the type that the op computes in. */
NodeId lower_tensor(Lower *l, const Args *a, int i) {
    NodeId x = arg_value(l, a, i);
    if (!x) return 0;
    Span at = a->value[i]->span;
    x = strengthen(l->g, x, at);
    Operands o = {.op = a->op, .count = 1, .src = {x}, .at = {at}, .span = at};
    return x ? convert(l->g, x, promote(l->g, &o), at) : 0;
}

/* A RESHAPE drops the axes that a reduction keeps as 1. */
NodeId drop_axes(Graph *g, NodeId x, uint32_t axes, Span span) {
    if (!x || !axes) return x;
    Dim shape[RANK_MAX];
    int rank = 0;
    for (int i = 0; i < g->node[x].rank; i++)
        if (!(axes & 1u << i)) shape[rank++] = g->node[x].shape[i];
    return graph_reshape(g, x, rank, shape, span);
}

static NodeId lower_reduction(Lower *l, const Args *a) {
    uint32_t axes;
    int axis;
    bool keep;
    NodeId x = lower_tensor(l, a, 0);
    if (!x || !arg_bool(l, a, 2, &keep)) return 0;
    int rank = l->g->node[x].rank;
    if (a->op == OP_ARGMAX) {
        if (!arg_axis(l, a, 1, rank, &axis)) return 0;
        axes = 1u << axis;
    } else if (!arg_axes(l, a, 1, rank, &axes)) {
        return 0;
    }
    Node draft = {
        .op = a->op, .src_count = 1, .src = {x}, .attr = {(int32_t)axes}, .span = a->call->span};
    return drop_axes(l->g, graph_add(l->g, &draft), keep ? 0 : axes, a->call->span);
}

static NodeId lower_softmax(Lower *l, const Args *a) {
    uint32_t axes;
    NodeId x = lower_tensor(l, a, 0);
    if (!x || !arg_axes(l, a, 1, l->g->node[x].rank, &axes)) return 0;
    return graph_add(l->g, &(Node){.op = a->op,
                                   .src_count = 1,
                                   .src = {x},
                                   .attr = {(int32_t)axes},
                                   .span = a->call->span});
}

static NodeId lower_scan(Lower *l, const Args *a) {
    int axis;
    bool reverse;
    NodeId x = lower_tensor(l, a, 0);
    if (!x || !arg_axis(l, a, 1, l->g->node[x].rank, &axis) || !arg_bool(l, a, 2, &reverse))
        return 0;
    return graph_scan(l->g, a->op, x, axis, reverse, a->call->span);
}

/* ---- norms, loss -------------------------------------------------------------------------- */

/* gain and bias have the shape of the last axis of x. */
static bool check_row(Lower *l, const Operands *o, int i, const char *name) {
    const Node *x = &l->g->node[o->src[0]], *row = &l->g->node[o->src[i]];
    if (row->rank == 1 && row->shape[0] == x->shape[x->rank - 1]) return true;
    diag_error(l->diag, o->at[i], "'%s' has the shape of the last axis, [%s], and this is %s", name,
               dim_text(l->g->dims, x->shape[x->rank - 1], l->arena), node_text(l->g, o->src[i]));
    diag_note(l->diag, o->at[0], "this is %s", node_text(l->g, o->src[0]));
    return false;
}

static bool check_scalar(Lower *l, NodeId x, Span span, const char *op) {
    if (l->g->node[x].rank) return true;
    diag_error(l->diag, span, "'%s' needs at least one axis, and this is %s", op,
               node_text(l->g, x));
    return false;
}

static NodeId lower_norm(Lower *l, const Args *a) {
    int count = a->count - 1; /* eps is last */
    Operands o = {.op = a->op, .count = count, .span = a->call->span};
    double eps;
    bool ok = true;
    for (int i = 0; i < count; i++) {
        o.at[i] = a->value[i]->span;
        o.src[i] = arg_value(l, a, i);
        if (!o.src[i]) ok = false;
    }
    if (!arg_number(l, a, count, &eps) || !ok) return 0;
    if (!check_scalar(l, o.src[0], o.at[0], op_info[a->op].name)) return 0;
    for (int i = 1; i < count; i++)
        if (!check_row(l, &o, i, a->param[i].name)) return 0;
    Dtype type = promote(l->g, &o);
    Node draft = {.op = a->op, .src_count = count, .span = o.span};
    for (int i = 0; i < count; i++) draft.src[i] = convert(l->g, o.src[i], type, o.at[i]);
    memcpy(&draft.bits, &eps, sizeof eps);
    return draft.src[0] ? graph_add(l->g, &draft) : 0;
}

/* Integers keep their type; a literal becomes i32. */
NodeId lower_indices(Lower *l, const Args *a, int i) {
    NodeId x = arg_value(l, a, i);
    if (!x) return 0;
    if (dtype_is_int(l->g->node[x].type)) return strengthen(l->g, x, a->value[i]->span);
    diag_error(l->diag, a->value[i]->span, "'%s' are integers, and this is %s", a->param[i].name,
               node_text(l->g, x));
    return 0;
}

static NodeId lower_cross_entropy(Lower *l, const Args *a) {
    NodeId logits = lower_tensor(l, a, 0), labels = lower_indices(l, a, 1);
    if (!logits || !labels) return 0;
    if (!check_scalar(l, logits, a->value[0]->span, "cross_entropy")) return 0;
    const Node *x = &l->g->node[logits], *y = &l->g->node[labels];
    if (!shape_equal(x->rank - 1, x->shape, y->rank, y->shape)) {
        diag_error(l->diag, a->value[1]->span,
                   "'labels' has the shape of 'logits' without its last "
                   "axis, and this is %s",
                   node_text(l->g, labels));
        diag_note(l->diag, a->value[0]->span, "this is %s", node_text(l->g, logits));
        return 0;
    }
    return graph_add(l->g, &(Node){.op = OP_CROSS_ENTROPY,
                                   .src_count = 2,
                                   .src = {logits, labels},
                                   .span = a->call->span});
}

/* ---- take, iota --------------------------------------------------------------------------- */

static NodeId lower_take(Lower *l, const Args *a) {
    NodeId x = arg_value(l, a, 0), indices = lower_indices(l, a, 1);
    int axis;
    if (!x || !indices) return 0;
    x = strengthen(l->g, x, a->value[0]->span);
    int rank = l->g->node[x].rank, added = l->g->node[indices].rank;
    if (!arg_axis(l, a, 2, rank, &axis)) return 0;
    if (!rank_check(l->g, rank - 1 + added, a->call->span)) return 0;
    return graph_add(l->g, &(Node){.op = OP_GATHER,
                                   .src_count = 2,
                                   .src = {x, indices},
                                   .attr = {axis},
                                   .span = a->call->span});
}

static NodeId lower_iota(Lower *l, const Args *a) {
    Dim n = lower_size(l, a->value[0]);
    return n ? graph_iota(l->g, n, a->call->span) : 0;
}

/* ---- the choice --------------------------------------------------------------------------- */

static NodeId lower_along(Lower *l, const Args *a) {
    if (op_info[a->op].class == SCAN) return lower_scan(l, a);
    return a->count == 3 ? lower_reduction(l, a) : lower_softmax(l, a);
}

static NodeId lower_op(Lower *l, const Args *a) {
    switch (a->op) {
    case OP_GT:
    case OP_GE: return lower_swapped(l, a);
    case OP_DOT: return lower_matmul(l, a);
    case OP_EINSUM: return lower_einsum(l, a);
    case OP_RESHAPE: return lower_reshape(l, a);
    case OP_PERMUTE: return lower_permute(l, a);
    case OP_BROADCAST: return lower_broadcast(l, a);
    case OP_TRANSPOSE: return lower_transpose(l, a);
    case OP_FULL: return lower_full(l, a);
    case OP_PAD: return lower_pad(l, a);
    case OP_FLIP: return lower_flip(l, a);
    case OP_CONCAT: return lower_concat(l, a);
    case OP_GATHER: return lower_take(l, a);
    case OP_SCATTER: return lower_scatter(l, a);
    case OP_IOTA: return lower_iota(l, a);
    case OP_PHILOX: return lower_philox(l, a);
    case OP_UNIT_FLOAT: return lower_unit_float(l, a);
    case OP_RANDOM_BITS:
    case OP_RANDOM_UNIFORM:
    case OP_RANDOM_NORMAL: return lower_random(l, a);
    case OP_DROPOUT: return lower_dropout(l, a);
    case OP_LAYER_NORM:
    case OP_RMS_NORM: return lower_norm(l, a);
    case OP_CROSS_ENTROPY: return lower_cross_entropy(l, a);
    default: break;
    }
    bool along = a->count > 1 && !strcmp(a->param[1].name, "axis");
    return along ? lower_along(l, a) : lower_map(l, a);
}

bool lower_builtin(Lower *l, Op op, const Ast *call, NodeIds *values) {
    Args a;
    if (!args_match(l, op, call, &a)) return false;
    if (op == OP_SPLIT) return lower_split(l, &a, values);
    NodeId id = lower_op(l, &a);
    if (id) vec_push(l->arena, values, id);
    return id != 0;
}
