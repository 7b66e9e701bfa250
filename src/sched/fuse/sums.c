/* sums.c: contractions that are added: x w + t b, each with its own operands and depth. One kernel
 * accumulates all of them in the same registers, one contraction after the other.
 * In: clusters. Out: the sum. */
#include "sched/fuse/fuse_private.h"

#include <stdlib.h>

/* One type, one shape, one kind of unit: the kernel multiplies all of them in the same way. */
static bool is_alike(const Graph *g, NodeId x, NodeId y) {
    const Node *a = &g->node[x], *b = &g->node[y];
    return a->type == b->type && a->attr[0] == b->attr[0] &&
           shape_equal(a->rank, a->shape, b->rank, b->shape) &&
           g->node[a->src[0]].rank - a->attr[1] == g->node[b->src[0]].rank - b->attr[1] &&
           cost_product_weight(g, x) == cost_product_weight(g, y);
}

static int position(const NodeId *nodes, int count, NodeId id) {
    for (int i = 0; i < count; i++)
        if (nodes[i] == id) return i;
    return -1;
}

/* Marks the contractions with 1; returns their number, or 0 if they cannot be added, or share a
 * left operand: then they are better side by side. */
static int mark_dots(const Graph *g, const NodeId *nodes, int count, int *dots) {
    NodeId first = 0;
    bool same_left = true;
    int all = 0;
    for (int i = 0; i < count; i++) {
        const Node *n = &g->node[nodes[i]];
        if (n->op != OP_DOT) continue;
        if (!first) first = nodes[i];
        if (!is_alike(g, first, nodes[i])) return 0;
        same_left = same_left && n->src[0] == g->node[first].src[0];
        dots[i] = 1;
        all++;
    }
    return same_left ? 0 : all;
}

/* A value that another node reads cannot be a part of a larger sum. */
static bool has_one_reader(const Clusters *c, NodeId id) {
    return !c->output[id] && c->reader_at[id + 1] - c->reader_at[id] == 1;
}

/* A tree of additions, each read only by the next; counts the contractions below a node. */
NodeId dot_sum(const Clusters *c, const NodeVec *nodes) {
    int *dots = arena_array(c->arena, int, nodes->count);
    const int all = mark_dots(c->g, nodes->at, nodes->count, dots);
    for (int i = 0; all && i < nodes->count; i++) {
        const Node *n = &c->g->node[nodes->at[i]];
        if (n->op != OP_ADD) continue;
        int a = position(nodes->at, i, n->src[0]), b = position(nodes->at, i, n->src[1]);
        if (a < 0 || b < 0 || !dots[a] || !dots[b]) continue;
        if (!has_one_reader(c, n->src[0]) || !has_one_reader(c, n->src[1])) continue;
        dots[i] = dots[a] + dots[b];
        if (dots[i] == all) return nodes->at[i];
    }
    return 0;
}

/* Are the contractions of a and b together those of one sum, and read only by it? */
bool is_dot_sum(const Clusters *c, int a, int b) {
    const Cluster *both[] = {&c->at[a], &c->at[b]};
    if (both[0]->dots + both[1]->dots > DOTS_MAX) return false;
    NodeVec all = {0};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < both[k]->nodes.count; i++)
            vec_push(c->arena, &all, both[k]->nodes.at[i]);
    qsort(all.at, (size_t)all.count, sizeof *all.at, node_order);
    return dot_sum(c, &all) != 0;
}
