/* products.c: split-K: with few output tiles, multiprocessors would be idle, so k is split into
 * pieces and a second kernel adds their results. needs: simplified. keeps: meaning; sums are in
 * another order. breaks: nothing.
 *
 *     a[M, K] b[N, K]   becomes   sum over s of a[M, s, K/S] b[N, s, K/S]
 *
 * Only if sizes are known. The pieces are a batch axis; the epilogue is fused with the sum. */
#include "sched/split/split.h"

enum {
    TILE = 64,          /* the least side of a tile that multiplies efficiently */
    PIECE_LENGTH = 512, /* terms, at least */
    PIECE_STEP = 64,    /* pieces start at multiples of this many terms */
    MOST_PIECES = 32
};

typedef struct Split {
    const Graph *from;
    int processors;
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

/* Tiles of `each` elements along axes [from, to); 0: not known. */
static int64_t tiles_of(const Graph *g, const Node *n, int from, int to, int64_t each) {
    int64_t all = 1, extent;
    for (int i = from; i < to; i++) {
        if (!dim_is_const(g->dims, n->shape[i], &extent)) return 0;
        all *= extent;
    }
    return (all + each - 1) / each;
}

/* The number of pieces of the first summed axis; 1: it is not split. */
static int64_t pieces_of(const Split *s, NodeId id) {
    const Graph *g = s->from;
    const Node *n = &g->node[id];
    if (n->op != OP_DOT || g->attrs.max_kernels || (n->type != T_F32 && n->type != T_I32)) return 1;
    if (s->scores[n->src[0]] || s->scores[n->src[1]] || n->rank == RANK_MAX) return 1;
    const Node *a = &g->node[n->src[0]], *b = &g->node[n->src[1]];
    const int batch = n->attr[0], summed = n->attr[1], m = a->rank - summed;
    int64_t length, tiles = tiles_of(g, n, 0, batch, 1) * tiles_of(g, n, batch, m, TILE) *
                            tiles_of(g, n, m, n->rank, TILE);
    if (!tiles || a->rank == RANK_MAX || b->rank == RANK_MAX) return 1;
    if (!dim_is_const(g->dims, a->shape[m], &length)) return 1;
    int64_t most = s->processors / tiles;
    if (most > MOST_PIECES) most = MOST_PIECES;
    while (most > 1 && (length % (most * PIECE_STEP) || length / most < PIECE_LENGTH)) most--;
    return most > 1 ? most : 1;
}

/* The axis becomes two, the outer one first. */
static NodeId cut(Graph *g, NodeId id, int axis, int64_t pieces, Span span) {
    const Node x = g->node[id];
    Dim shape[RANK_MAX], count = dim_const(g->dims, pieces);
    int perm[RANK_MAX];
    for (int i = 0; i <= x.rank; i++) {
        shape[i] = x.shape[i <= axis ? i : i - 1];
        perm[i] = i == 0 ? axis : i <= axis ? i - 1 : i;
    }
    shape[axis] = count;
    shape[axis + 1] = dim_div(g->dims, x.shape[axis], count, span);
    return graph_permute(g, graph_reshape(g, id, x.rank + 1, shape, span), perm, span);
}

static NodeId split_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    (void)from;
    const int64_t pieces = pieces_of(context, old);
    if (pieces == 1) return graph_add(to, draft);
    const int batch = draft->attr[0], summed = draft->attr[1];
    NodeId a = cut(to, draft->src[0], to->node[draft->src[0]].rank - summed, pieces, draft->span);
    NodeId b = cut(to, draft->src[1], to->node[draft->src[1]].rank - summed, pieces, draft->span);
    NodeId parts = graph_dot(to, a, b, batch + 1, summed, draft->span);
    NodeId sum = graph_reduce(to, OP_SUM, parts, 1, draft->span);
    return graph_reshape(to, sum, draft->rank, draft->shape, draft->span);
}

const Graph *split_products(const Graph *g, int processors) {
    Split s = {.from = g, .processors = processors};
    bool any = false;
    s.product = arena_array(g->arena, bool, g->count);
    s.scores = arena_array(g->arena, bool, g->count);
    find_scores(&s);
    for (NodeId id = 1; id < g->count && !any; id++) any = pieces_of(&s, id) > 1;
    return any ? graph_rewrite(g, split_rule, &s) : g;
}
