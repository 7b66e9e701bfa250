/* defer.c: the first pass: if only contractions along its axis read a softmax, the division by its
 * sum moves behind them:
 *
 *     sum over n of round(softmax(x)) v    is    (sum over n of round(e) v) / (sum over n of e)
 *     e = 2^(log2(e) x - shift),  shift = ceil(log2(e) max(x)), or 0 where max(x) < MASKED
 *
 * Dropout of the softmax stays before the contraction.
 *
 * The weights are rounded as often as before, relative to a power of two near the largest of the
 * row instead of to the sum. So a kernel that processes a row in tiles can round them before it
 * knows the sum (Dao, "FlashAttention-2", 2023, section 3.1) and the maximum: another shift scales
 * a weight by a power of two, which commutes with rounding. It does not in types of 8 bits, where
 * all but the largest weights are subnormal: those are divided first. This is a rule of the
 * language (docs/language.md, "Softmax in front of a matmul"), which @strict switches off. So
 * results are compared with the graph after this pass, and tests/unit/test_defer.c compares that
 * with the graph before it.
 *
 *   needs   any graph
 *   keeps   types and shapes; values up to that rounding
 *   breaks  nothing */
#include "graph/pass/pass.h"

#include <math.h>

typedef struct Pass {
    const Graph *from;
    bool *weights; /* softmax_weights */
    bool *halves;  /* node -> is it the x of a softmax whose weights are rounded to f16? */
    NodeId *sum;   /* such a softmax -> its sum of e in the new graph, if made: axes kept as 1 */
} Pass;

/* ---- which nodes ---------------------------------------------------------------------------- */

enum { MOST_SCALE = 16 }; /* of weights up to 1: no narrow type overflows */

/* A literal for all elements. */
static bool is_scale(const Graph *g, NodeId id) {
    double value;
    while (g->node[id].op == OP_BROADCAST || g->node[id].op == OP_RESHAPE) id = g->node[id].src[0];
    return node_is_const(&g->node[id], &value) && fabs(value) <= MOST_SCALE;
}

NodeId weight_below(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    if (!dtype_is_float(n->type)) return 0;
    if (n->op == OP_CAST) return dtype_size(n->type) == 1 ? 0 : n->src[0];
    if (n->op == OP_MUL && is_scale(g, n->src[1])) return n->src[0];
    if (n->op == OP_MUL && is_scale(g, n->src[0])) return n->src[1];
    if (n->op == OP_WHERE && node_is_all(g, n->src[1], 0)) return n->src[2];
    return n->op == OP_WHERE && node_is_all(g, n->src[2], 0) ? n->src[1] : 0;
}

NodeId softmax_below(const Graph *g, NodeId weights) {
    for (NodeId below = weights; below; below = weight_below(g, below)) weights = below;
    return weights;
}

/* Is the left operand of this contraction a softmax along the axis that it sums? */
static bool sums_softmax(const Graph *g, const Node *dot) {
    if (dot->op != OP_DOT || dot->type != T_F32) return false;
    const Node *left = &g->node[dot->src[0]];
    const Node *softmax = &g->node[softmax_below(g, dot->src[0])];
    uint32_t summed = ((1u << dot->attr[1]) - 1) << (left->rank - dot->attr[1]);
    return softmax->op == OP_SOFTMAX && softmax->type == T_F32 &&
           (uint32_t)softmax->attr[0] == summed;
}

/* From readers to sources: a softmax with any other reader, or an output, is divided as written. */
bool *softmax_weights(const Graph *g) {
    bool *weights = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++)
        weights[id] = g->node[softmax_below(g, id)].op == OP_SOFTMAX;
    for (int i = 0; i < g->outputs.count; i++) weights[g->outputs.at[i].node] = false;
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        for (int i = 0; i < n->src_count; i++) {
            bool takes =
                (i == 0 && sums_softmax(g, n)) || (weights[id] && n->src[i] == weight_below(g, id));
            if (!takes) weights[n->src[i]] = false;
        }
    }
    return weights;
}

/* Is the softmax of the same row deferred? Then both share their exponentials. */
static bool has_deferred(const Pass *p, const Node *reduce) {
    for (NodeId id = reduce->src[0] + 1; id < p->from->count; id++) {
        const Node *n = &p->from->node[id];
        if (n->op == OP_SOFTMAX && p->weights[id] && n->src[0] == reduce->src[0] &&
            n->attr[0] == reduce->attr[0])
            return true;
    }
    return false;
}

/* ---- the new form --------------------------------------------------------------------------- */

typedef struct Exponentials {
    NodeId max, shift, e, sum; /* rows: axes kept as 1 */
} Exponentials;

static NodeId number(Graph *g, double value, Span at) { return graph_const(g, T_F32, value, at); }

/* A masked row, of -Inf for instance, has shift 0, and a sum of 0. Below MASKED floats are so far
 * apart that log2(e) x, where it is contracted with the difference and not rounded, can exceed the
 * shift by so much that its power of 2 is infinite. */
static Exponentials exponentials(Graph *g, const Node *softmax, bool halves) {
    Span at = softmax->span;
    uint32_t axes = (uint32_t)softmax->attr[0];
    NodeId x = graph_cast(g, softmax->src[0], T_F32, at), scale = number(g, LOG2_E, at);
    Exponentials of = {.max = graph_reduce(g, OP_RMAX, x, axes, at)};
    NodeId least = number(g, halves ? MASKED_HALF : MASKED, at);
    NodeId empty = graph_op(g, OP_LT, of.max, least, 0, at);
    NodeId above = graph_op(g, OP_CEIL, graph_op(g, OP_MUL, of.max, scale, 0, at), 0, 0, at);
    of.shift = graph_op(g, OP_WHERE, empty, number(g, 0, at), above, at);
    NodeId scaled = graph_op(g, OP_MUL, x, scale, 0, at);
    of.e = graph_op(g, OP_EXP2, graph_op(g, OP_SUB, scaled, of.shift, 0, at), 0, 0, at);
    of.sum = graph_reduce(g, OP_SUM, of.e, axes, at);
    return of;
}

/* ln(2) (shift + log2(sum)); if the maximum is Inf, so is the result. */
static NodeId log_sum(Graph *g, const Node *reduce, const Exponentials *of) {
    Span at = reduce->span;
    NodeId full = graph_op(g, OP_EQ, of->max, number(g, INFINITY, at), 0, at);
    NodeId log2 = graph_op(g, OP_ADD, of->shift, graph_op(g, OP_LOG2, of->sum, 0, 0, at), 0, at);
    NodeId log = graph_op(g, OP_MUL, log2, number(g, 1 / LOG2_E, at), 0, at);
    return graph_op(g, OP_WHERE, full, of->max, log, at);
}

/* 1 / sum, or 0 if sum is 0, as a row of the contraction's result: [batch.., m.., 1..]. */
static NodeId row_factor(Graph *g, NodeId sum, const Node *out, int summed, Span at) {
    Dim shape[RANK_MAX], one = dim_const(g->dims, 1);
    int kept = g->node[sum].rank - summed;
    NodeId empty = graph_op(g, OP_EQ, sum, number(g, 0, at), 0, at);
    NodeId divisor = graph_op(g, OP_WHERE, empty, number(g, 1, at), sum, at);
    NodeId factor = graph_op(g, OP_DIV, number(g, 1, at), divisor, 0, at);
    for (int i = 0; i < out->rank; i++) shape[i] = i < kept ? g->node[sum].shape[i] : one;
    return graph_reshape(g, factor, out->rank, shape, at);
}

static NodeId defer_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    Pass *p = context;
    const Node *was = &from->node[old];
    if (was->op == OP_SOFTMAX && p->weights[old]) {
        Exponentials of = exponentials(to, draft, p->halves[was->src[0]]);
        p->sum[old] = of.sum;
        return of.e;
    }
    if (was->op == OP_LOGSUMEXP && has_deferred(p, was)) {
        Exponentials of = exponentials(to, draft, p->halves[was->src[0]]);
        return log_sum(to, draft, &of);
    }
    NodeId out = graph_add(to, draft);
    if (!sums_softmax(from, was)) return out;
    NodeId sum = p->sum[softmax_below(from, was->src[0])];
    if (!sum) return out; /* values in between have other readers, too */
    return graph_op(to, OP_MUL, out, row_factor(to, sum, was, was->attr[1], was->span), 0,
                    was->span);
}

Graph *defer(const Graph *g) {
    Pass p = {.from = g, .weights = softmax_weights(g)};
    p.sum = arena_array(g->arena, NodeId, g->count);
    p.halves = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++)
        if (p.weights[id] && g->node[id].type == T_F16)
            p.halves[g->node[softmax_below(g, id)].src[0]] = true;
    return graph_rewrite(g, defer_rule, &p);
}
