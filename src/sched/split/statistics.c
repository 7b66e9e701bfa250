/* statistics.c: variances, and sums of exponentials, of few and very long rows: on a GPU one kernel
 * keeps a chunk of a row at a time, and takes both of its reductions while it is on the chip; the
 * next combines what it has found. Without that each of the two would read everything. needs:
 * simplified. keeps: meaning; sums are in another order, and what is subtracted before a square or
 * an exponential is a chunk's, which is more exact. breaks: nothing.
 *
 *     s = sum(x[S * L])         becomes   p = sum(x[S, L], axis = 1), s = sum(p)
 *     m = s / (S * L)
 *     sum((x - m)^2)            becomes   c = p / L, q = sum((x - c)^2, axis = 1),
 *                                         sum(q + L * (c - m)^2)
 *
 *     m = max(x[S * L])         becomes   p = max(x[S, L], axis = 1), m = max(p)
 *     sum(exp(x - m))           becomes   q = sum(exp(x - p), axis = 1), sum(q * exp(p - m))
 *
 * Elements behind the chunks are chunks of one; there always are some, so that nothing that depends
 * on the row's first result is computed in the first kernel, which would have to wait for it.
 *
 * Sources: T. F. Chan, G. H. Golub and R. J. LeVeque, "Updating Formulae and a Pairwise Algorithm
 * for Computing Sample Variances", 1979; M. Milakov and N. Gimelshein, "Online normalizer
 * calculation for softmax", 2018. */
#include "sched/split/split.h"

#include <math.h>

enum {
    LEAST_LENGTH = 1024, /* elements of a chunk, for which the threads of a block are busy */
    MOST_LENGTH = 8192,  /* that they keep in registers */
    LENGTH_STEP = 8,     /* so that chunks of aligned rows are aligned */
    CHUNKS_EACH = 16,    /* chunks of each multiprocessor, at least */
    LONG_ROW = 65536,    /* elements: others are one kernel's */
    CLUSTER_SM = 90,
    CLUSTER = 8,    /* blocks that share a row */
    READ_AGAIN = 2, /* passes of one kernel, where it cannot keep the rows */
    MIB = 1 << 20
};

/* Two reductions of the same rows, of which the second depends on the first, in the graph before.
 */
typedef struct Pair {
    NodeId first, second;
    NodeId x;        /* what both read */
    bool is_softmax; /* a maximum, and a sum of exponentials; else a sum, and one of squares */
    int64_t rows, row, chunks, length;
    /* in the graph that is made: chunks [R, S, L], the rest [R, E], first results [R, S, 1] */
    NodeId cut, rest, part;
} Pair;

typedef struct Pass {
    const Graph *from;
    const Machine *machine;
    Vec(Pair) found;
} Pass;

/* ---- what is found --------------------------------------------------------------------------- */

/* sum(exp(x - broadcast(max(x)))) over the same axes. */
static bool match_softmax(const Graph *g, NodeId id, Pair *p) {
    const Node *n = &g->node[id], *exponential = &g->node[n->src[0]];
    if (n->op != OP_SUM || n->type != T_F32 || exponential->op != OP_EXP) return false;
    const Node *difference = &g->node[exponential->src[0]];
    if (difference->op != OP_SUB || g->node[difference->src[1]].op != OP_BROADCAST) return false;
    const NodeId max = split_maximum(g, g->node[difference->src[1]].src[0]);
    *p = (Pair){.first = max, .second = id, .x = difference->src[0], .is_softmax = true};
    return max && g->node[max].attr[0] == n->attr[0] && g->node[max].src[0] == p->x;
}

static bool match(const Graph *g, NodeId id, Pair *p) {
    if (match_softmax(g, id, p)) return true;
    *p = (Pair){.first = split_variance(g, id), .second = id};
    if (p->first) p->x = g->node[p->first].src[0];
    return p->first != 0;
}

/* Would one kernel of the rows take longer? It reads them once more if it cannot keep them, and no
 * faster than its blocks get them from L2. */
static bool is_faster(const Pass *p, const Pair *pair) {
    const Machine *m = p->machine;
    const bool has_clusters = m->sm >= CLUSTER_SM;
    NodeId x = pair->x;
    while (p->from->node[x].op == OP_CAST) x = p->from->node[x].src[0];
    const bool is_read_again = split_is_read_again(p->from, pair->first, pair->second);
    const double row = (double)pair->row * (double)dtype_size(p->from->node[x].type);
    const double bytes = row * (double)pair->rows, passes = is_read_again ? 2 : 1;
    double blocks = (double)pair->rows * (has_clusters ? CLUSTER : 1);
    if (blocks > m->processors) blocks = m->processors;
    const bool is_kept = row <= (double)m->shared_block * (has_clusters ? CLUSTER : 1);
    const double reads = is_kept ? 1 : READ_AGAIN + passes - 1;
    const double from_memory = bytes <= (double)m->l2_size * MIB ? 1 : reads;
    const double slowest = fmax(from_memory * bytes / (m->bandwidth * 1e9),
                                reads * bytes / (blocks * m->l2 * m->clock * 1e6));
    return slowest > passes * (bytes / (m->bandwidth * 1e9) + 1e-9 * m->launch);
}

/* Chunks that leave the least of a row, of those that are about as long as they should be. */
static void choose_chunks(const Pass *p, Pair *pair) {
    const int64_t all = pair->row * pair->rows;
    int64_t most = all / ((int64_t)p->machine->processors * CHUNKS_EACH);
    if (most > MOST_LENGTH) most = MOST_LENGTH;
    if (most < LEAST_LENGTH) most = LEAST_LENGTH;
    int64_t least_rest = INT64_MAX;
    for (int64_t length = most / LENGTH_STEP * LENGTH_STEP; length > most / 2;
         length -= LENGTH_STEP) {
        const int64_t rest = pair->row % length;
        if (!rest || rest >= least_rest) continue;
        least_rest = rest;
        pair->length = length;
    }
    pair->chunks = pair->row / pair->length;
}

/* Rows along inner axes, of known sizes. */
static bool is_suitable(const Pass *p, Pair *pair) {
    const Graph *g = p->from;
    const Node *first = &g->node[pair->first];
    const uint32_t inner = split_inner_axes(g, first), all = (1u << first->rank) - 1;
    if (!inner || inner != (uint32_t)first->attr[0]) return false;
    if (!split_extent(g, pair->x, inner, &pair->row) ||
        !split_extent(g, pair->x, all & ~inner, &pair->rows))
        return false;
    if (pair->row < LONG_ROW || !is_faster(p, pair)) return false;
    choose_chunks(p, pair);
    return true;
}

static void find(Pass *p) {
    const Graph *g = p->from;
    for (NodeId id = 1; id < g->count; id++) {
        Pair pair;
        if (match(g, id, &pair) && is_suitable(p, &pair)) vec_push(g->arena, &p->found, pair);
    }
}

/* ---- what it becomes ------------------------------------------------------------------------- */

static NodeId shaped(Graph *g, NodeId x, int rank, int64_t a, int64_t b, int64_t c) {
    const Dim shape[] = {dim_const(g->dims, a), dim_const(g->dims, b), dim_const(g->dims, c)};
    return graph_reshape(g, x, rank, shape, g->node[x].span);
}

static NodeId map(Graph *g, Op op, NodeId a, NodeId b) {
    return graph_map(g, op, a, b, 0, g->node[a].span);
}

/* (x - from)^2, or exp(x - from). */
static NodeId deviation(Graph *g, const Pair *p, NodeId x, NodeId from) {
    const NodeId d = map(g, OP_SUB, x, split_like(g, from, x));
    return p->is_softmax ? graph_map(g, OP_EXP, d, 0, 0, g->node[x].span) : map(g, OP_MUL, d, d);
}

/* Results of chunks [R, S, 1], and of the elements behind them, each a chunk of its own. */
static NodeId with_rest(Graph *g, const Pair *p, NodeId of_chunks, NodeId of_rest) {
    const NodeId all = shaped(g, of_chunks, 2, p->rows, p->chunks, 0);
    return split_join(g, all, of_rest, 1, g->node[of_chunks].span);
}

static NodeId combined(Graph *g, const Node *n, NodeId all) {
    return graph_reshape(g, graph_reduce(g, n->op, all, 1u << 1, n->span), n->rank, n->shape,
                         n->span);
}

static NodeId first_rule(Graph *g, const Node *n, Pair *p) {
    const int64_t even = p->chunks * p->length;
    const NodeId rows = shaped(g, n->src[0], 2, p->rows, p->row, 0);
    p->cut = shaped(g, split_part(g, rows, 1, 0, even, n->span), 3, p->rows, p->chunks, p->length);
    p->rest = split_part(g, rows, 1, even, p->row - even, n->span);
    p->part = graph_reduce(g, n->op, p->cut, 1u << 2, n->span);
    split_name_parts(g, p->part, n);
    return combined(g, n, with_rest(g, p, p->part, p->rest));
}

/* Of exponentials, from the chunk's maximum: 0 where that is -inf. */
static NodeId finite(Graph *g, NodeId x) {
    const NodeId is_least = map(g, OP_EQ, x, split_number_like(g, -(double)INFINITY, x));
    return graph_map(g, OP_WHERE, is_least, split_number_like(g, 0, x), x, g->node[x].span);
}

/* from: the mean or the finite maximum of the row, in the new graph. */
static NodeId second_rule(Graph *g, const Node *n, const Pair *p, NodeId from) {
    const NodeId row = shaped(g, from, 2, p->rows, 1, 0);
    const NodeId count = split_number_like(g, (double)p->length, p->part);
    const NodeId mean = p->is_softmax ? 0 : map(g, OP_DIV, p->part, count);
    const NodeId own = p->is_softmax ? finite(g, p->part) : mean;
    const NodeId within = graph_reduce(g, OP_SUM, deviation(g, p, p->cut, own), 1u << 2, n->span);
    split_name_parts(g, within, n);
    const NodeId between =
        deviation(g, p, with_rest(g, p, p->is_softmax ? p->part : mean, p->rest), row);
    const NodeId one = split_number_like(g, 1, p->rest), none = split_number_like(g, 0, p->rest);
    if (p->is_softmax) return combined(g, n, map(g, OP_MUL, with_rest(g, p, within, one), between));
    const NodeId weighed = map(g, OP_MUL, with_rest(g, p, count, one), between);
    return combined(g, n, map(g, OP_ADD, with_rest(g, p, within, none), weighed));
}

/* What is subtracted from x before the square or the exponential that a node sums. */
static NodeId subtracted(const Graph *g, const Node *sum) {
    const Node *difference = &g->node[g->node[sum->src[0]].src[0]];
    return g->node[difference->src[1]].src[0]; /* below the broadcast */
}

static NodeId rule(Graph *to, const Graph *from, NodeId old, const Node *draft, void *context) {
    Pass *p = context;
    (void)from;
    for (int i = 0; i < p->found.count; i++) {
        Pair *pair = &p->found.at[i];
        if (pair->first == old && !pair->part) return first_rule(to, draft, pair);
        if (pair->second == old) return second_rule(to, draft, pair, subtracted(to, draft));
    }
    return graph_add(to, draft);
}

const Graph *split_statistics(const Graph *g, const Machine *machine) {
    Pass p = {.from = g, .machine = machine};
    if (!machine_is_gpu(machine) || g->attrs.max_kernels) return g;
    find(&p);
    return p.found.count ? graph_rewrite(g, rule, &p) : g;
}
