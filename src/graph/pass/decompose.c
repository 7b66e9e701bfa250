/* decompose.c: composite ops in terms of the others, by the formulas of ops.def.
 *   needs   any graph
 *   keeps   types, shapes and values; the rounding points (all steps are in the compute type)
 *   breaks  COMPOSITE nodes: none is left */
#include "graph/pass/pass.h"

#include <math.h>
#include <string.h>

/* ---- building in one type ----------------------------------------------------------------- */

typedef struct Build {
    Graph *g;
    Dtype type; /* of the steps */
    Span at;
} Build;

static NodeId number(const Build *b, double value) {
    return graph_const(b->g, b->type, value, b->at);
}

/* Extends `shape` to x's where x is larger, both aligned at the last axis. */
static void join_shape(const Graph *g, NodeId x, int *rank, Dim *shape) {
    const Node *n = &g->node[x];
    int added = n->rank - *rank;
    if (added > 0) {
        memmove(shape + added, shape, sizeof *shape * (size_t)*rank);
        for (int i = 0; i < added; i++) shape[i] = n->shape[i];
        *rank = n->rank;
    }
    for (int i = 0; i < n->rank; i++) {
        Dim *size = &shape[*rank - n->rank + i];
        if (dim_is(g->dims, *size, 1)) *size = n->shape[i];
    }
}

static NodeId op3(const Build *b, Op op, NodeId x, NodeId y, NodeId z) {
    NodeId src[SRC_MAX] = {x, y, z};
    Dim shape[RANK_MAX];
    int rank = 0;
    for (int i = 0; i < SRC_MAX; i++) join_shape(b->g, src[i], &rank, shape);
    for (int i = 0; i < SRC_MAX; i++) src[i] = graph_broadcast(b->g, src[i], rank, shape, b->at);
    return graph_map(b->g, op, src[0], src[1], src[2], b->at);
}

static NodeId op2(const Build *b, Op op, NodeId x, NodeId y) { return op3(b, op, x, y, 0); }
static NodeId op1(const Build *b, Op op, NodeId x) { return graph_map(b->g, op, x, 0, 0, b->at); }
static NodeId add(const Build *b, NodeId x, NodeId y) { return op2(b, OP_ADD, x, y); }
static NodeId sub(const Build *b, NodeId x, NodeId y) { return op2(b, OP_SUB, x, y); }
static NodeId mul(const Build *b, NodeId x, NodeId y) { return op2(b, OP_MUL, x, y); }
static NodeId quotient(const Build *b, NodeId x, NodeId y) { return op2(b, OP_DIV, x, y); }

static NodeId reduce(const Build *b, Op op, NodeId x, uint32_t axes) {
    return graph_reduce(b->g, op, x, axes, b->at);
}

/* ---- element by element ------------------------------------------------------------------- */

/* 1 + exp(-x) */
static NodeId one_plus_exp_neg(const Build *b, NodeId x) {
    return add(b, number(b, 1), op1(b, OP_EXP, op1(b, OP_NEG, x)));
}

/* x * (1 + y) / 2, as h + h * y with h = x / 2: halving is exact, and the rest is one FMA. */
static NodeId half_of(const Build *b, NodeId x, NodeId y) {
    NodeId half = mul(b, x, number(b, 0.5));
    return add(b, half, mul(b, half, y));
}

static NodeId gelu(const Build *b, NodeId x) {
    const double sqrt_half = 0.70710678118654752440;
    return half_of(b, x, op1(b, OP_ERF, mul(b, x, number(b, sqrt_half))));
}

static NodeId gelu_tanh(const Build *b, NodeId x) {
    const double sqrt_2_pi = 0.79788456080286535588; /* sqrt(2 / pi) */
    NodeId cube = mul(b, mul(b, x, x), x);
    NodeId inner = add(b, x, mul(b, number(b, 0.044715), cube));
    return half_of(b, x, op1(b, OP_TANH, mul(b, number(b, sqrt_2_pi), inner)));
}

static NodeId relu(const Build *b, NodeId x) { return op2(b, OP_MAX, x, number(b, 0)); }

static NodeId softplus(const Build *b, NodeId x) {
    NodeId small = op1(b, OP_EXP, op1(b, OP_NEG, op1(b, OP_ABS, x)));
    return add(b, relu(b, x), op1(b, OP_LOG1P, small));
}

/* ---- along axes --------------------------------------------------------------------------- */

/* The number of elements along the axes, as a number of the type. */
static NodeId count_along(const Build *b, NodeId x, uint32_t axes) {
    const Node *n = &b->g->node[x];
    Dim count = dim_const(b->g->dims, 1);
    for (int i = 0; i < n->rank; i++)
        if (axes >> i & 1) count = dim_mul(b->g->dims, count, n->shape[i]);
    if (count) return graph_cast(b->g, graph_dim(b->g, count, b->at), b->type, b->at);
    diag_error(b->g->diag, b->at,
               "the number of elements along the axes does not fit 64 bits, or "
               "has more than %lld terms (--limit dim_terms)",
               (long long)b->g->limits->dim_terms);
    return 0;
}

static NodeId sigmoid(const Build *b, NodeId x) {
    NodeId one = number(b, 1);
    return quotient(b, one, one_plus_exp_neg(b, x));
}

static NodeId mean(const Build *b, NodeId x, uint32_t axes) {
    /* a local, so that the order of nodes does not depend on the compiler */
    NodeId sum = reduce(b, OP_SUM, x, axes);
    return quotient(b, sum, count_along(b, x, axes));
}

static NodeId mean_of_squares(const Build *b, NodeId x, uint32_t axes) {
    return mean(b, mul(b, x, x), axes);
}

static NodeId var(const Build *b, NodeId x, uint32_t axes) {
    return mean_of_squares(b, sub(b, x, mean(b, x, axes)), axes);
}

/* The common part of softmax, log_softmax and logsumexp. */
typedef struct Shifted {
    NodeId max;   /* along the axes */
    NodeId shift; /* max, or 0 if that is -Inf: a row of -Inf must not become NaN */
    NodeId e;     /* exp(x - shift) */
    NodeId sum;   /* of e */
} Shifted;

static Shifted shifted_exp(const Build *b, NodeId x, uint32_t axes) {
    Shifted s = {.max = reduce(b, OP_RMAX, x, axes)};
    NodeId empty = op2(b, OP_EQ, s.max, number(b, -INFINITY));
    s.shift = op3(b, OP_WHERE, empty, number(b, 0), s.max);
    s.e = op1(b, OP_EXP, sub(b, x, s.shift));
    s.sum = reduce(b, OP_SUM, s.e, axes);
    return s;
}

static NodeId softmax(const Build *b, NodeId x, uint32_t axes) {
    Shifted s = shifted_exp(b, x, axes);
    NodeId empty = op2(b, OP_EQ, s.sum, number(b, 0));
    NodeId sum = op3(b, OP_WHERE, empty, number(b, 1), s.sum); /* one division for each row */
    return op2(b, OP_MUL, s.e, quotient(b, number(b, 1), sum));
}

/* If the maximum is Inf, so is the result, although Inf - Inf made the sum NaN. */
static NodeId logsumexp(const Build *b, NodeId x, uint32_t axes) {
    Shifted s = shifted_exp(b, x, axes);
    NodeId full = op2(b, OP_EQ, s.max, number(b, INFINITY));
    NodeId finite = add(b, s.shift, op1(b, OP_LOG, s.sum));
    return op3(b, OP_WHERE, full, s.max, finite);
}

/* ---- along the last axis ------------------------------------------------------------------ */

/* 1 / sqrt(square + eps) */
static NodeId inverse_root(const Build *b, NodeId square, uint64_t eps_bits) {
    double eps;
    memcpy(&eps, &eps_bits, sizeof eps);
    return op1(b, OP_RSQRT, add(b, square, number(b, eps)));
}

static NodeId layer_norm(const Build *b, NodeId x, const Node *n, uint32_t last) {
    NodeId gain = graph_cast(b->g, n->src[1], b->type, b->at);
    NodeId bias = graph_cast(b->g, n->src[2], b->type, b->at);
    NodeId centered = sub(b, x, mean(b, x, last));
    NodeId scale = inverse_root(b, mean_of_squares(b, centered, last), n->bits);
    return add(b, mul(b, mul(b, centered, scale), gain), bias);
}

static NodeId rms_norm(const Build *b, NodeId x, const Node *n, uint32_t last) {
    NodeId gain = graph_cast(b->g, n->src[1], b->type, b->at);
    NodeId scale = inverse_root(b, mean_of_squares(b, x, last), n->bits);
    return mul(b, mul(b, x, scale), gain);
}

/* Labels as i32 in 0..classes-1, with a last axis of 1. They are clamped before i64 is narrowed. */
static NodeId clamped_labels(const Build *b, NodeId labels, Dim classes) {
    Graph *g = b->g;
    Build in = {g, g->node[labels].type == T_I64 ? T_I64 : T_I32, b->at};
    Dim shape[RANK_MAX], one = dim_const(g->dims, 1);
    NodeId last =
        graph_cast(g, graph_dim(g, dim_sub(g->dims, classes, one), b->at), in.type, b->at);
    NodeId x = op2(&in, OP_MAX, graph_cast(g, labels, in.type, b->at), number(&in, 0));
    x = graph_cast(g, op2(&in, OP_MIN, x, last), T_I32, b->at);
    int rank = g->node[x].rank;
    memcpy(shape, g->node[x].shape, sizeof shape);
    shape[rank] = one; /* logits have one axis more: it fits */
    return graph_reshape(g, x, rank + 1, shape, b->at);
}

static NodeId cross_entropy(const Build *b, NodeId x, const Node *n, uint32_t last) {
    Graph *g = b->g;
    Dim classes = g->node[x].shape[g->node[x].rank - 1];
    NodeId labels = clamped_labels(b, n->src[1], classes);
    NodeId hit = op2(b, OP_EQ, graph_iota(g, classes, b->at), labels);
    NodeId chosen = reduce(b, OP_SUM, op3(b, OP_WHERE, hit, x, number(b, 0)), last);
    NodeId loss = sub(b, logsumexp(b, x, last), chosen);
    return graph_reshape(g, loss, n->rank, n->shape, b->at);
}

/* ---- the pass ----------------------------------------------------------------------------- */

static NodeId decompose_node(Graph *to, const Graph *from, NodeId old, const Node *n,
                             void *context) {
    (void)from, (void)old, (void)context;
    if (op_info[n->op].class != COMPOSITE) return graph_add(to, n);
    const Build build = {to, n->type, n->span}, *b = &build;
    NodeId x = graph_cast(to, n->src[0], n->type, n->span);
    uint32_t axes = (uint32_t)n->attr[0],
             last = to->node[x].rank ? 1u << (to->node[x].rank - 1) : 0;
    switch (n->op) {
    case OP_RELU: return relu(b, x);
    case OP_CLAMP: return op2(b, OP_MIN, op2(b, OP_MAX, x, n->src[1]), n->src[2]);
    case OP_SIGMOID: return sigmoid(b, x);
    case OP_SILU: return quotient(b, x, one_plus_exp_neg(b, x));
    case OP_GELU: return gelu(b, x);
    case OP_GELU_TANH: return gelu_tanh(b, x);
    case OP_SOFTPLUS: return softplus(b, x);
    case OP_STOP_GRADIENT: return x;
    case OP_MEAN: return mean(b, x, axes);
    case OP_VAR: return var(b, x, axes);
    case OP_LOGSUMEXP: return logsumexp(b, x, axes);
    case OP_SOFTMAX: return softmax(b, x, axes);
    case OP_LOG_SOFTMAX: return sub(b, x, logsumexp(b, x, axes));
    case OP_LAYER_NORM: return layer_norm(b, x, n, last);
    case OP_RMS_NORM: return rms_norm(b, x, n, last);
    case OP_CROSS_ENTROPY: return cross_entropy(b, x, n, last);
    default: BUG("no formula for %s", op_info[n->op].name);
    }
}

Graph *decompose(const Graph *g) { return graph_rewrite(g, decompose_node, NULL); }
