/* products.c: split-K: few output tiles leave multiprocessors idle, or memory waiting, so the sums
 * along k are split, and a second kernel adds the partial results. needs: simplified. keeps:
 * meaning; sums are in another order. breaks: nothing.
 *
 *     a[M, K] b[N, K]   becomes   partial[s, M, N] = a[M, s, K/S] b[N, s, K/S], and
 *                                 partial[0] + partial[1] + ..
 *
 * Only if sizes are known. Splits are a batch axis of the product; the epilogue is fused with the
 * additions, which are pointwise. cost_split_k says how many are the fastest. */
#include "sched/split/split.h"

enum {
    SPLIT_LENGTH = 256, /* terms of a split, at least */
    SPLIT_STEP = 64,    /* splits start at multiples of this many terms */
    MOST_SPLITS = 16
};
static const double worth = 0.9; /* of the time of the whole product: a second launch is no gain */

typedef struct Split {
    const Graph *from;
    const Machine *machine;
    bool *product; /* node -> does it depend on a product? */
    bool *scores;  /* node -> does it depend on a reduction of a function of a product? */
} Split;

/* An attention multiplies a function of another product, through a reduction, and stays one
 * kernel. */
static void find_scores(Split *s) {
    const Graph *g = s->from;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        s->product[id] = n->op == OP_DOT;
        for (int i = 0; i < n->src_count; i++) {
            bool reduced = op_info[n->op].class == REDUCE && s->product[n->src[i]];
            s->product[id] |= s->product[n->src[i]];
            s->scores[id] |= s->scores[n->src[i]] || reduced;
        }
    }
}

static bool is_known(const Graph *g, const Node *n) {
    int64_t size;
    for (int i = 0; i < n->rank; i++)
        if (!dim_is_const(g->dims, n->shape[i], &size) || !size) return false;
    return true;
}

/* The number of splits of the first summed axis; 1: it stays whole. */
static int64_t splits_of(const Split *s, NodeId id) {
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    if (n->op != OP_DOT || g->attrs.max_kernels || (n->type != T_F32 && n->type != T_I32)) return 1;
    if (s->scores[n->src[0]] || s->scores[n->src[1]] || n->rank == RANK_MAX) return 1;
    const Node *a = &g->node[n->src[0]], *b = &g->node[n->src[1]];
    if (a->rank == RANK_MAX || b->rank == RANK_MAX) return 1;
    if (!is_known(g, n) || !is_known(g, a)) return 1;
    Chain chain; /* one kernel, unless the product is split */
    if (find_chain(g, id, &chain) && chain_pays(s->machine, g, &chain)) return 1;
    const int64_t length = cost_dim(g, a->shape[a->rank - n->attr[1]]);
    double least = worth * cost_split_k(s->machine, g, id, 1);
    int64_t best = 1;
    for (int64_t splits = 2; splits <= MOST_SPLITS; splits++) {
        if (length % (splits * SPLIT_STEP) || length / splits < SPLIT_LENGTH) continue;
        const double seconds = cost_split_k(s->machine, g, id, splits);
        if (seconds < least) least = seconds, best = splits;
    }
    return best;
}

/* The axis becomes two, the outer one first. */
static NodeId cut(Graph *g, NodeId id, int axis, int64_t splits, Span span) {
    const Node x = g->node[id];
    Dim shape[RANK_MAX], count = dim_const(g->dims, splits);
    int perm[RANK_MAX];
    for (int i = 0; i <= x.rank; i++) {
        shape[i] = x.shape[i <= axis ? i : i - 1];
        perm[i] = i == 0 ? axis : i <= axis ? i - 1 : i;
    }
    shape[axis] = count;
    shape[axis + 1] = dim_div(g->dims, x.shape[axis], count, span);
    return graph_permute(g, graph_reshape(g, id, x.rank + 1, shape, span), perm, span);
}

/* partial[0] + partial[1] + .. */
static NodeId add_partials(Graph *g, NodeId partial, int64_t splits, Span span) {
    const Node x = g->node[partial];
    Dim start[RANK_MAX], shape[RANK_MAX];
    NodeId sum = 0;
    for (int i = 0; i < x.rank; i++) start[i] = dim_const(g->dims, 0), shape[i] = x.shape[i];
    shape[0] = dim_const(g->dims, 1);
    for (int64_t i = 0; i < splits; i++) {
        start[0] = dim_const(g->dims, i);
        const NodeId one = graph_slice(g, partial, start, shape, span);
        sum = sum ? graph_map(g, OP_ADD, sum, one, 0, span) : one;
    }
    return sum;
}

static NodeId split_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    (void)from;
    const int64_t splits = splits_of(context, old);
    if (splits == 1) return graph_add(to, draft);
    const int batch = draft->attr[0], summed = draft->attr[1];
    NodeId a = cut(to, draft->src[0], to->node[draft->src[0]].rank - summed, splits, draft->span);
    NodeId b = cut(to, draft->src[1], to->node[draft->src[1]].rank - summed, splits, draft->span);
    NodeId partial = graph_dot(to, a, b, batch + 1, summed, draft->span);
    NodeId sum = add_partials(to, partial, splits, draft->span);
    return graph_reshape(to, sum, draft->rank, draft->shape, draft->span);
}

const Graph *split_products(const Graph *g, const Machine *machine) {
    Split s = {.from = g, .machine = machine};
    bool any = false;
    s.product = arena_array(g->arena, bool, g->count);
    s.scores = arena_array(g->arena, bool, g->count);
    find_scores(&s);
    for (NodeId id = 1; id < g->count && !any; id++) any = splits_of(&s, id) > 1;
    return any ? graph_rewrite(g, split_rule, &s) : g;
}
