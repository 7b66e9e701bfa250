/* composite.c: derivatives of composite ops in closed form, on the ops that decompose.c makes of
 * them, so that a backward pass shares rows with its forward pass. */
#include "graph/grad/grad_private.h"

#include <math.h>
#include <string.h>

/* ---- element by element ------------------------------------------------------------------- */

static NodeId number(const Rule *r, double value) { return step_number(&r->s, value); }

/* A composite of the same shape and type. */
static NodeId composite(const Rule *r, Op op, NodeId x, uint32_t axes) {
    return graph_add(
        r->s.g,
        &(Node){.op = op, .src_count = 1, .src = {x}, .attr = {(int32_t)axes}, .span = r->s.at});
}

static NodeId one_minus(const Rule *r, NodeId x) { return step_sub(&r->s, number(r, 1), x); }

/* dy y (1 - y) */
static NodeId sigmoid(const Rule *r) {
    const NodeId y = rule_value(r);
    return step_mul(&r->s, r->dy, step_mul(&r->s, y, one_minus(r, y)));
}

/* dy (p + x p (1 - p)), p = sigmoid(x) */
static NodeId silu(const Rule *r, NodeId x) {
    const Steps *s = &r->s;
    const NodeId p = composite(r, OP_SIGMOID, x, 0);
    const NodeId slope = step_add(s, p, step_mul(s, step_mul(s, x, p), one_minus(r, p)));
    return step_mul(s, r->dy, slope);
}

/* dy (Phi(x) + x phi(x)) */
static NodeId gelu(const Rule *r, NodeId x) {
    const double sqrt_half = 0.70710678118654752440, density = 0.39894228040143267794;
    const Steps *s = &r->s;
    const NodeId erf = step1(s, OP_ERF, step_mul(s, x, number(r, sqrt_half)));
    const NodeId below = step_add(s, number(r, 0.5), step_mul(s, erf, number(r, 0.5)));
    const NodeId square = step_mul(s, step_mul(s, x, x), number(r, -0.5));
    const NodeId bell = step_mul(s, step1(s, OP_EXP, square), number(r, density));
    return step_mul(s, r->dy, step_add(s, below, step_mul(s, x, bell)));
}

/* dy ((1 + t) / 2 + x (1 - t t) c (1 + 3 k x x) / 2), t = tanh(c (x + k x x x)) */
static NodeId gelu_tanh(const Rule *r, NodeId x) {
    const double c = 0.79788456080286535588, k = 0.044715; /* c: sqrt(2 / pi) */
    const Steps *s = &r->s;
    const NodeId square = step_mul(s, x, x), cube = step_mul(s, square, x);
    const NodeId inner = step_add(s, x, step_mul(s, number(r, k), cube));
    const NodeId t = step1(s, OP_TANH, step_mul(s, number(r, c), inner));
    const NodeId half = number(r, 0.5);
    const NodeId below = step_add(s, half, step_mul(s, t, half));
    const NodeId steep = step_add(s, number(r, c / 2), step_mul(s, square, number(r, 1.5 * c * k)));
    const NodeId bell = step_mul(s, one_minus(r, step_mul(s, t, t)), steep);
    return step_mul(s, r->dy, step_add(s, below, step_mul(s, x, bell)));
}

/* 0 up to and at 0; NaN gets the cotangent. */
static NodeId relu(const Rule *r, NodeId x) {
    return step(&r->s, OP_WHERE, step2(&r->s, OP_LE, x, number(r, 0)), number(r, 0), r->dy);
}

/* min(max(x, lo), hi): x gets it at the ends, too. */
static bool clamp_rule(const Rule *r, NodeId x) {
    const Steps *s = &r->s;
    const NodeId lo = rule_source(r, 1), hi = rule_source(r, 2), zero = number(r, 0);
    const NodeId above = step2(s, OP_LT, hi, step2(s, OP_MAX, x, lo));
    const NodeId below = step2(s, OP_LT, x, lo);
    const NodeId rest = step(s, OP_WHERE, above, zero, r->dy);
    return rule_give(r, 0, step(s, OP_WHERE, below, zero, rest)) &&
           rule_give(r, 1, step(s, OP_WHERE, below, rest, zero)) &&
           rule_give(r, 2, step(s, OP_WHERE, above, r->dy, zero));
}

/* ---- along axes --------------------------------------------------------------------------- */

static NodeId mean(const Rule *r, NodeId x, uint32_t axes) {
    return composite(r, OP_MEAN, x, axes);
}

static NodeId mean_cotangent(const Rule *r, NodeId x, uint32_t axes) {
    const NodeId each = step_div(&r->s, r->dy, step_count(&r->s, x, axes));
    return stretched(&r->s, each, &r->s.g->node[x]);
}

/* 2 dy (x - mean(x)) / count */
static NodeId var(const Rule *r, NodeId x, uint32_t axes) {
    const Steps *s = &r->s;
    const NodeId each = step_div(s, step_mul(s, r->dy, number(r, 2)), step_count(s, x, axes));
    return step_mul(s, each, step_sub(s, x, mean(r, x, axes)));
}

/* P (dy - sum(P dy)); the sum is D of dot.c where contractions read P. */
static NodeId softmax(const Rule *r, uint32_t axes) {
    const Steps *s = &r->s;
    const NodeId d = r->sweep->row_dot[r->id];
    if (d) return step_mul(s, r->sweep->again[r->id], step_sub(s, r->dy, d));
    const NodeId y = rule_value(r), sum = step_reduce(s, OP_SUM, step_mul(s, y, r->dy), axes);
    return step_mul(s, y, step_sub(s, r->dy, sum));
}

static NodeId logsumexp(const Rule *r, NodeId x) {
    return step_mul(&r->s, r->dy, softmax_again(&r->s, x, rule_value(r)));
}

static NodeId log_softmax(const Rule *r, uint32_t axes) {
    const Steps *s = &r->s;
    const NodeId p = step1(s, OP_EXP, rule_value(r)), sum = step_reduce(s, OP_SUM, r->dy, axes);
    return step_sub(s, r->dy, step_mul(s, p, sum));
}

/* ---- along the last axis ------------------------------------------------------------------ */

/* The sum over all axes but the last, as a row. */
static bool give_row(const Rule *r, int i, NodeId x) {
    const Node *n = r->n;
    const uint32_t axes = (1u << (n->rank - 1)) - 1;
    if (axes) x = step_reduce(&r->s, OP_SUM, x, axes);
    return rule_give(r, i, graph_reshape(r->s.g, x, 1, &n->shape[n->rank - 1], r->s.at));
}

/* 1 / sqrt(square + eps) */
static NodeId inverse_root(const Rule *r, NodeId square) {
    double eps;
    memcpy(&eps, &r->n->bits, sizeof eps);
    return step1(&r->s, OP_RSQRT, step_add(&r->s, square, number(r, eps)));
}

/* With q = 1 / sqrt(mean(x x) + eps) and h = dy gain: dx = q h - x q q q mean(h x) */
static bool rms_norm_rule(const Rule *r, NodeId x, uint32_t last) {
    const Steps *s = &r->s;
    const NodeId q = inverse_root(r, mean(r, step_mul(s, x, x), last));
    const NodeId h = step_mul(s, r->dy, rule_source(r, 1));
    const NodeId along = mean(r, step_mul(s, h, x), last);
    const NodeId factor = step_mul(s, step_mul(s, step_mul(s, q, q), q), along);
    const NodeId dx = step_sub(s, step_mul(s, q, h), step_mul(s, x, factor));
    return rule_give(r, 0, dx) &&
           (!rule_wants(r, 1) || give_row(r, 1, step_mul(s, r->dy, step_mul(s, x, q))));
}

/* With c = x - mean(x), q = 1 / sqrt(mean(c c) + eps) and h = dy gain:
 * dx = q (h - mean(h) - c q q mean(h c)); both means that read c are of one pass */
static bool layer_norm_rule(const Rule *r, NodeId x, uint32_t last) {
    const Steps *s = &r->s;
    const NodeId c = step_sub(s, x, mean(r, x, last));
    const NodeId q = inverse_root(r, mean(r, step_mul(s, c, c), last));
    const NodeId h = step_mul(s, r->dy, rule_source(r, 1));
    const NodeId along = mean(r, step_mul(s, h, c), last);
    const NodeId factor = step_mul(s, step_mul(s, along, q), q);
    const NodeId rest = step_sub(s, step_sub(s, h, mean(r, h, last)), step_mul(s, c, factor));
    return rule_give(r, 0, step_mul(s, q, rest)) &&
           (!rule_wants(r, 1) || give_row(r, 1, step_mul(s, r->dy, step_mul(s, c, q)))) &&
           (!rule_wants(r, 2) || give_row(r, 2, r->dy));
}

/* (softmax(x) - onehot(label)) dy */
static NodeId cross_entropy(const Rule *r, NodeId x, uint32_t last) {
    const Steps *s = &r->s;
    Graph *g = s->g;
    const int rank = g->node[x].rank;
    Dim shape[RANK_MAX], classes = g->node[x].shape[rank - 1];
    const NodeId labels = step_labels(s, r->sweep->copy[r->n->src[1]], classes);
    const NodeId hit = step2(s, OP_EQ, graph_iota(g, classes, s->at), labels);
    const NodeId onehot = step(s, OP_WHERE, hit, number(r, 1), number(r, 0));
    memcpy(shape, g->node[x].shape, sizeof shape);
    shape[rank - 1] = dim_const(g->dims, 1);
    const NodeId dy = graph_reshape(g, r->dy, rank, shape, s->at);
    return step_mul(s, step_sub(s, softmax_again(s, x, log_sum(s, x, last)), onehot), dy);
}

/* ---- all ---------------------------------------------------------------------------------- */

static NodeId one_cotangent(const Rule *r, NodeId x, uint32_t axes, uint32_t last) {
    switch (r->n->op) {
    case OP_RELU: return relu(r, x);
    case OP_SIGMOID: return sigmoid(r);
    case OP_SILU: return silu(r, x);
    case OP_GELU: return gelu(r, x);
    case OP_GELU_TANH: return gelu_tanh(r, x);
    case OP_SOFTPLUS: return step_mul(&r->s, r->dy, composite(r, OP_SIGMOID, x, 0));
    case OP_MEAN: return mean_cotangent(r, x, axes);
    case OP_VAR: return var(r, x, axes);
    case OP_LOGSUMEXP: return logsumexp(r, x);
    case OP_SOFTMAX: return softmax(r, axes);
    case OP_LOG_SOFTMAX: return log_softmax(r, axes);
    case OP_CROSS_ENTROPY: return cross_entropy(r, x, last);
    default: BUG("no derivative of %s", op_info[r->n->op].name);
    }
}

bool composite_rule(const Rule *r) {
    if (r->n->op == OP_SCATTER) return scatter_rule(r);
    const NodeId x = rule_source(r, 0);
    const int rank = r->s.g->node[x].rank;
    const uint32_t axes = (uint32_t)r->n->attr[0], last = rank ? 1u << (rank - 1) : 0;
    switch (r->n->op) {
    case OP_CLAMP: return clamp_rule(r, x);
    case OP_LAYER_NORM: return layer_norm_rule(r, x, last);
    case OP_RMS_NORM: return rms_norm_rule(r, x, last);
    default: return rule_give(r, 0, one_cotangent(r, x, axes, last));
    }
}
