/* random.c: random numbers. They are functions of a seed and of the position of an element, so
 * every kernel that reads one computes it: see OP_PHILOX. In: calls. Out: nodes. */
#include "graph/lower/lower_private.h"

/* Of any shape, or a scalar. */
static NodeId wide_integer(Lower *l, const Args *a, int i, bool is_one) {
    NodeId x = arg_value(l, a, i);
    if (!x) return 0;
    const Node *n = &l->g->node[x];
    if (dtype_is_int(n->type) && !(is_one && n->rank))
        return convert(l->g, x, T_I64, a->value[i]->span);
    diag_error(l->diag, a->value[i]->span, "'%s' is %s, and this is %s", a->param[i].name,
               is_one ? "one integer" : "an integer", node_text(l->g, x));
    return 0;
}

static NodeId lower_seed(Lower *l, const Args *a, int i) { return wide_integer(l, a, i, true); }

/* ---- the generator ------------------------------------------------------------------------ */

NodeId lower_philox(Lower *l, const Args *a) {
    Operands o = {.op = a->op, .count = 2, .span = a->call->span};
    for (int i = 0; i < 2; i++) {
        o.src[i] = wide_integer(l, a, i, false);
        o.at[i] = a->value[i]->span;
    }
    if (!o.src[0] || !o.src[1] || !operands_stretch(l->g, &o)) return 0;
    return graph_map(l->g, OP_PHILOX, o.src[0], o.src[1], 0, o.span);
}

NodeId lower_unit_float(Lower *l, const Args *a) {
    Span at = a->value[0]->span;
    NodeId x = arg_value(l, a, 0);
    x = x ? strengthen(l->g, x, at) : 0;
    if (!x) return 0;
    if (l->g->node[x].type == T_I32) return graph_map(l->g, a->op, x, 0, 0, a->call->span);
    diag_error(l->diag, at, "'bits' are i32, and this is %s", node_text(l->g, x));
    return 0;
}

/* The bits with number scale * i + offset, for each position i of a shape. */
static NodeId bits_at(Graph *g, NodeId seed, NodeId position, int scale, int offset, Span span) {
    NodeId at = position;
    if (scale != 1) at = graph_op(g, OP_MUL, at, graph_const_int(g, T_I64, scale, span), 0, span);
    if (offset) at = graph_op(g, OP_ADD, at, graph_const_int(g, T_I64, offset, span), 0, span);
    if (!at) return 0;
    const Node n = g->node[at];
    return graph_map(g, OP_PHILOX, graph_broadcast(g, seed, n.rank, n.shape, span), at, 0, span);
}

/* ---- distributions ------------------------------------------------------------------------ */

static NodeId unit(Graph *g, NodeId bits, Span span) {
    return bits ? graph_map(g, OP_UNIT_FLOAT, bits, 0, 0, span) : 0;
}

static NodeId real(Graph *g, double value, Span span) { return graph_const(g, T_F32, value, span); }

/* Box and Muller. 1 - u is exact, and at least 2**-24. */
static NodeId normal(Graph *g, NodeId seed, NodeId at, Span span) {
    const double two_pi = 6.28318530717958647692;
    NodeId u = unit(g, bits_at(g, seed, at, 2, 0, span), span);
    NodeId v = unit(g, bits_at(g, seed, at, 2, 1, span), span);
    NodeId rest = graph_op(g, OP_SUB, real(g, 1, span), u, 0, span);
    NodeId log = graph_op(g, OP_LOG, rest, 0, 0, span);
    NodeId square = graph_op(g, OP_MUL, real(g, -2, span), log, 0, span);
    NodeId radius = graph_op(g, OP_SQRT, square, 0, 0, span);
    NodeId angle = graph_op(g, OP_MUL, real(g, two_pi, span), v, 0, span);
    NodeId cosine = graph_op(g, OP_COS, angle, 0, 0, span);
    return graph_op(g, OP_MUL, radius, cosine, 0, span);
}

NodeId lower_random(Lower *l, const Args *a) {
    Dim shape[RANK_MAX];
    Span span = a->call->span;
    NodeId seed = lower_seed(l, a, 0);
    if (!lower_sizes(l, a, shape) || !seed) return 0;
    NodeId at = graph_positions(l->g, a->rest_count, shape, span);
    if (!at) return 0;
    if (a->op == OP_RANDOM_NORMAL) return normal(l->g, seed, at, span);
    NodeId bits = bits_at(l->g, seed, at, 1, 0, span);
    return a->op == OP_RANDOM_BITS ? bits : unit(l->g, bits, span);
}

/* ---- dropout ------------------------------------------------------------------------------ */

/* A number from 0 to 1, or a scalar. */
static NodeId lower_chance(Lower *l, const Args *a, int i) {
    double value;
    NodeId p = arg_value(l, a, i);
    if (!p) return 0;
    const Node *n = &l->g->node[p];
    const bool is_number = n->weak ? n->type != T_BOOL : dtype_is_float(n->type);
    const bool is_known = node_is_const(n, &value);
    if (is_number && !n->rank && (!is_known || (value >= 0 && value <= 1))) return p;
    diag_error(l->diag, a->value[i]->span,
               "'p' is a number from 0 to 1, or a float without axes, and this is %s",
               node_text(l->g, p));
    return 0;
}

/* 1 / (1 - p): Inf for a p of 1, where nothing is kept. */
static NodeId inverse_rest(Lower *l, NodeId p, Span span) {
    Graph *g = l->g;
    NodeId one = graph_literal(g, false, 1, 0, span);
    return graph_op(g, OP_DIV, one, graph_op(g, OP_SUB, one, p, 0, span), 0, span);
}

NodeId lower_dropout(Lower *l, const Args *a) {
    Graph *g = l->g;
    Span span = a->call->span;
    NodeId x = lower_tensor(l, a, 0), p = lower_chance(l, a, 1), seed = lower_seed(l, a, 2);
    if (!x || !p || !seed) return 0;
    const Node n = g->node[x];
    NodeId at = graph_positions(g, n.rank, n.shape, span);
    NodeId u = at ? unit(g, bits_at(g, seed, at, 1, 0, span), span) : 0;
    NodeId dropped = graph_op(g, OP_LT, u, convert(g, p, T_F32, span), 0, span);
    NodeId scaled = graph_op(g, OP_MUL, x, inverse_rest(l, p, span), 0, span);
    return graph_op(g, OP_WHERE, dropped, graph_literal(g, false, 0, 0, span), scaled, span);
}
