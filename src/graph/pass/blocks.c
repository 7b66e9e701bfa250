/* blocks.c: sums over blocks of k of a scaled product, as products of f8 have a factor for each
 * block of their operands:
 *
 *     sum over b of (sum over k of x[b m k] w[b n k]) * s[b m n]
 *
 * In: Graph. Out: the parts of such a sum. Nothing is rewritten: the scheduler makes it one
 * contraction. */
#include "graph/pass/pass.h"

enum { MOST_FACTORS = 6 }; /* one after the other: both operands of each are searched */

/* Is the node read by this reader alone? */
static bool has_one_reader(const Graph *g, NodeId id) {
    int readers = 0;
    for (int i = 0; i < g->outputs.count; i++) readers += g->outputs.at[i].node == id;
    for (NodeId n = id + 1; n < g->count; n++)
        for (int i = 0; i < g->node[n].src_count; i++) readers += g->node[n].src[i] == id;
    return readers == 1;
}

/* The contraction below so many factors, and views, if `moves`; 0: there is none, or two. */
static NodeId dot_within(const Graph *g, NodeId id, int factors, bool moves) {
    const Node *n = &g->node[id];
    while (moves && (n->op == OP_PERMUTE || n->op == OP_RESHAPE)) id = n->src[0], n = &g->node[id];
    if (n->op == OP_DOT) return id;
    if (n->op != OP_MUL || !factors) return 0;
    const NodeId left = dot_within(g, n->src[0], factors - 1, moves);
    const NodeId right = dot_within(g, n->src[1], factors - 1, moves);
    return left && right ? 0 : left ? left : right;
}

/* Does it multiply blocks of f8 that are as long as what tensor cores add up? */
static bool is_of_blocks(const Graph *g, NodeId dot) {
    const Node *d = &g->node[dot], *x = &g->node[d->src[0]];
    int64_t depth;
    return dot && d->type == T_F32 && d->attr[1] == 1 && d->attr[0] > 0 && !d->attr[2] &&
           dim_is_const(g->dims, x->shape[x->rank - 1], &depth) && depth == F8_DEPTH &&
           dtype_size(x->type) == 1 && dtype_is_float(x->type) &&
           x->type == g->node[d->src[1]].type;
}

NodeId blocks_dot(const Graph *g, const Node *sum) {
    if (sum->op != OP_SUM || g->node[sum->src[0]].op != OP_MUL) return 0;
    const NodeId dot = dot_within(g, sum->src[0], MOST_FACTORS, false);
    return is_of_blocks(g, dot) && sum->attr[0] == 1 << (g->node[dot].attr[0] - 1) ? dot : 0;
}

bool blocks_are_scaled(const Graph *g, NodeId id) {
    return is_of_blocks(g, dot_within(g, id, MOST_FACTORS, true));
}

bool blocks_are_closed(const Graph *g, const Node *sum) {
    NodeId id = sum->src[0];
    while (g->node[id].op != OP_DOT && has_one_reader(g, id))
        id = g->node[id].src[!dot_within(g, g->node[id].src[0], MOST_FACTORS, false)];
    return has_one_reader(g, id);
}
