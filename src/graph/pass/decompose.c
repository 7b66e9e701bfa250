/* decompose.c: composite ops in terms of the others, by the formulas of ops.def.
 *   needs   any graph
 *   keeps   types, shapes and values; the rounding points (all steps are in the compute type)
 *   breaks  COMPOSITE nodes: none is left */
#include "graph/operands/operands.h"
#include "graph/pass/pass.h"

#include <math.h>
#include <string.h>

/* What a formula calls a step: its name in emitted text. */
static NodeId called(const Steps *s, const char *name, NodeId id) {
    return graph_hint(s->g, id, name);
}

/* ---- element by element ------------------------------------------------------------------- */

/* 1 + exp(-x) */
static NodeId one_plus_exp_neg(const Steps *s, NodeId x) {
    return step_add(s, step_number(s, 1), step1(s, OP_EXP, step1(s, OP_NEG, x)));
}

/* x * (1 + y) / 2, as h + h * y with h = x / 2: halving is exact, and the rest is one FMA. */
static NodeId half_of(const Steps *s, NodeId x, NodeId y) {
    NodeId half = called(s, "half", step_mul(s, x, step_number(s, 0.5)));
    return step_add(s, half, step_mul(s, half, y));
}

static NodeId gelu(const Steps *s, NodeId x) {
    const double sqrt_half = 0.70710678118654752440;
    return half_of(s, x, step1(s, OP_ERF, step_mul(s, x, step_number(s, sqrt_half))));
}

static NodeId gelu_tanh(const Steps *s, NodeId x) {
    const double sqrt_2_pi = 0.79788456080286535588; /* sqrt(2 / pi) */
    NodeId cube = step_mul(s, step_mul(s, x, x), x);
    NodeId inner = step_add(s, x, step_mul(s, step_number(s, 0.044715), cube));
    return half_of(s, x, step1(s, OP_TANH, step_mul(s, step_number(s, sqrt_2_pi), inner)));
}

static NodeId relu(const Steps *s, NodeId x) { return step2(s, OP_MAX, x, step_number(s, 0)); }

static NodeId softplus(const Steps *s, NodeId x) {
    NodeId small = step1(s, OP_EXP, step1(s, OP_NEG, step1(s, OP_ABS, x)));
    return step_add(s, relu(s, x), step1(s, OP_LOG1P, small));
}

/* ---- along axes --------------------------------------------------------------------------- */

static NodeId sigmoid(const Steps *s, NodeId x) {
    NodeId one = step_number(s, 1);
    return step_div(s, one, one_plus_exp_neg(s, x));
}

static NodeId mean(const Steps *s, NodeId x, uint32_t axes) {
    /* a local, so that the order of nodes does not depend on the compiler */
    NodeId sum = step_reduce(s, OP_SUM, x, axes);
    return called(s, "mean", step_div(s, sum, step_count(s, x, axes)));
}

static NodeId mean_of_squares(const Steps *s, NodeId x, uint32_t axes) {
    NodeId sum = step_reduce(s, OP_SUM, step_mul(s, x, x), axes);
    return step_div(s, called(s, "squares", sum), step_count(s, x, axes));
}

static NodeId var(const Steps *s, NodeId x, uint32_t axes) {
    NodeId centered = called(s, "centered", step_sub(s, x, mean(s, x, axes)));
    return called(s, "variance", mean_of_squares(s, centered, axes));
}

/* The common part of softmax, log_softmax and logsumexp. */
typedef struct Shifted {
    NodeId max;   /* along the axes */
    NodeId shift; /* max, or 0 if that is -Inf: a row of -Inf must not become NaN */
    NodeId e;     /* exp(x - shift) */
    NodeId sum;   /* of e */
} Shifted;

static Shifted shifted_exp(const Steps *s, NodeId x, uint32_t axes) {
    Shifted e = {.max = step_reduce(s, OP_RMAX, x, axes)};
    NodeId empty = step2(s, OP_EQ, e.max, step_number(s, -INFINITY));
    e.shift = called(s, "shift", step(s, OP_WHERE, empty, step_number(s, 0), e.max));
    e.e = step1(s, OP_EXP, step_sub(s, x, e.shift));
    e.sum = called(s, "exp_sum", step_reduce(s, OP_SUM, e.e, axes));
    return e;
}

static NodeId softmax(const Steps *s, NodeId x, uint32_t axes) {
    Shifted e = shifted_exp(s, x, axes);
    NodeId empty = step2(s, OP_EQ, e.sum, step_number(s, 0));
    NodeId sum = step(s, OP_WHERE, empty, step_number(s, 1), e.sum); /* one division for each row */
    return step_mul(s, e.e, called(s, "scale", step_div(s, step_number(s, 1), sum)));
}

/* If the maximum is Inf, so is the result, although Inf - Inf made the sum NaN. */
static NodeId logsumexp(const Steps *s, NodeId x, uint32_t axes) {
    Shifted e = shifted_exp(s, x, axes);
    NodeId full = step2(s, OP_EQ, e.max, step_number(s, INFINITY));
    NodeId finite = step_add(s, e.shift, step1(s, OP_LOG, e.sum));
    return step(s, OP_WHERE, full, e.max, finite);
}

/* Without the logsumexp, of which the last bit is large beside a small result. */
static NodeId log_softmax(const Steps *s, NodeId x, uint32_t axes) {
    Shifted e = shifted_exp(s, x, axes);
    return step_sub(s, step_sub(s, x, e.shift), step1(s, OP_LOG, e.sum));
}

/* ---- along the last axis ------------------------------------------------------------------ */

/* 1 / sqrt(square + eps) */
static NodeId inverse_root(const Steps *s, NodeId square, uint64_t eps_bits) {
    double eps;
    memcpy(&eps, &eps_bits, sizeof eps);
    return called(s, "rstd", step1(s, OP_RSQRT, step_add(s, square, step_number(s, eps))));
}

static NodeId layer_norm(const Steps *s, NodeId x, const Node *n, uint32_t last) {
    NodeId gain = graph_cast(s->g, n->src[1], s->type, s->at);
    NodeId bias = graph_cast(s->g, n->src[2], s->type, s->at);
    NodeId centered = called(s, "centered", step_sub(s, x, mean(s, x, last)));
    NodeId scale = inverse_root(s, mean_of_squares(s, centered, last), n->bits);
    return step_add(s, step_mul(s, step_mul(s, centered, scale), gain), bias);
}

static NodeId rms_norm(const Steps *s, NodeId x, const Node *n, uint32_t last) {
    NodeId gain = graph_cast(s->g, n->src[1], s->type, s->at);
    NodeId scale = inverse_root(s, mean_of_squares(s, x, last), n->bits);
    return step_mul(s, step_mul(s, x, scale), gain);
}

static NodeId cross_entropy(const Steps *s, NodeId x, const Node *n, uint32_t last) {
    Graph *g = s->g;
    Dim classes = g->node[x].shape[g->node[x].rank - 1];
    NodeId labels = step_labels(s, n->src[1], classes);
    NodeId hit = step2(s, OP_EQ, graph_iota(g, classes, s->at), labels);
    NodeId chosen = step_reduce(s, OP_SUM, step(s, OP_WHERE, hit, x, step_number(s, 0)), last);
    Shifted e = shifted_exp(s, x, last);
    NodeId below = step_sub(s, e.shift, called(s, "label_logit", chosen));
    NodeId full = step2(s, OP_EQ, e.max, step_number(s, INFINITY));
    NodeId rest = step(s, OP_WHERE, full, step_number(s, 0), step1(s, OP_LOG, e.sum));
    NodeId loss = step_add(s, below, rest);
    return graph_reshape(g, loss, n->rank, n->shape, s->at);
}

/* ---- scatter ------------------------------------------------------------------------------ */

/* The positions of the indices, sorted by index, and what combines rows of x in that order. */
static NodeId scatter(const Steps *s, const Node *n) {
    Graph *g = s->g;
    const int axis = n->attr[0];
    const Dim rows = g->node[n->src[0]].shape[axis], count = node_elements(g, n->src[1]);
    NodeId index = step_labels(s, graph_reshape(g, n->src[1], 1, &count, s->at), rows);
    index = graph_reshape(g, index, 1, &count, s->at);
    NodeId segments = graph_add(
        g,
        &(Node){.op = OP_SEGMENTS, .src_count = 1, .src = {index}, .attr = {rows}, .span = s->at});
    if (!segments) return 0;
    const Dim zero = dim_const(g->dims, 0), one = dim_const(g->dims, 1);
    const Dim behind = dim_add(g->dims, rows, one);
    const NodeId starts = graph_slice(g, segments, &zero, &rows, s->at);
    const NodeId ends = graph_slice(g, segments, &one, &rows, s->at);
    const NodeId positions = graph_slice(g, segments, &behind, &count, s->at);
    Node x = g->node[n->src[0]];
    x.shape[axis] = count;
    x.src[0] = graph_reshape(g, n->src[2], x.rank, x.shape, s->at);
    return graph_add(g, &(Node){.op = OP_COMBINE,
                                .src_count = 5,
                                .src = {n->src[0], starts, ends, positions, x.src[0]},
                                .attr = {axis, n->attr[1]},
                                .span = s->at});
}

/* ---- the pass ----------------------------------------------------------------------------- */

static NodeId formula(const Steps *s, const Node *n) {
    Graph *to = s->g;
    if (n->op == OP_SCATTER) return scatter(s, n);
    NodeId x = graph_cast(to, n->src[0], n->type, n->span);
    uint32_t axes = (uint32_t)n->attr[0],
             last = to->node[x].rank ? 1u << (to->node[x].rank - 1) : 0;
    switch (n->op) {
    case OP_RELU: return relu(s, x);
    case OP_CLAMP: return step2(s, OP_MIN, step2(s, OP_MAX, x, n->src[1]), n->src[2]);
    case OP_SIGMOID: return sigmoid(s, x);
    case OP_SILU: return step_div(s, x, one_plus_exp_neg(s, x));
    case OP_GELU: return gelu(s, x);
    case OP_GELU_TANH: return gelu_tanh(s, x);
    case OP_SOFTPLUS: return softplus(s, x);
    case OP_STOP_GRADIENT: return x;
    case OP_MEAN: return mean(s, x, axes);
    case OP_VAR: return var(s, x, axes);
    case OP_LOGSUMEXP: return logsumexp(s, x, axes);
    case OP_SOFTMAX: return softmax(s, x, axes);
    case OP_LOG_SOFTMAX: return log_softmax(s, x, axes);
    case OP_LAYER_NORM: return layer_norm(s, x, n, last);
    case OP_RMS_NORM: return rms_norm(s, x, n, last);
    case OP_CROSS_ENTROPY: return cross_entropy(s, x, n, last);
    default: BUG("no formula for %s", op_info[n->op].name);
    }
}

static NodeId decompose_node(Graph *to, const Graph *from, NodeId old, const Node *n,
                             void *context) {
    (void)from, (void)old, (void)context;
    if (op_info[n->op].class != COMPOSITE) return graph_add(to, n);
    const Steps steps = {to, n->type, n->span};
    const NodeId first = to->count, result = formula(&steps, n);
    return result < first ? result : called(&steps, op_info[n->op].name, result);
}

Graph *decompose(const Graph *g) { return graph_rewrite(g, decompose_node, NULL); }
