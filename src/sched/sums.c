/* sums.c: contractions that are added up: x w + t b, with operands and a length of the sum for
 * each. One kernel adds all their terms in the same registers, one contraction after the other. In:
 * nodes. Out: the sum. */
#include "sched/fusion.h"

#include <stdlib.h>

/* Of one type and one shape, on the same units: the kernel multiplies all of them in one way. */
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

/* Additions of additions; a node of the tree counts the contractions below it. */
NodeId plan_dot_sum(const Graph *g, const NodeId *nodes, int count) {
    int *dots = arena_array(g->arena, int, count), all = 0;
    NodeId first = 0;
    bool same_left = true;
    for (int i = 0; i < count; i++) {
        const Node *n = &g->node[nodes[i]];
        if (n->op != OP_DOT) continue;
        if (!first) first = nodes[i];
        if (!is_alike(g, first, nodes[i])) return 0;
        same_left = same_left && n->src[0] == g->node[first].src[0];
        dots[i] = 1;
        all++;
    }
    if (same_left) return 0;
    for (int i = 0; i < count; i++) {
        const Node *n = &g->node[nodes[i]];
        if (n->op != OP_ADD || n->src[0] == n->src[1]) continue;
        int a = position(nodes, i, n->src[0]), b = position(nodes, i, n->src[1]);
        if (a < 0 || b < 0 || !dots[a] || !dots[b]) continue;
        dots[i] = dots[a] + dots[b];
        if (dots[i] == all) return nodes[i];
    }
    return 0;
}

static bool has_other_reader(const Clusters *c, NodeId id, const NodeId *nodes, int count) {
    for (int i = c->reader_at[id]; i < c->reader_at[id + 1]; i++)
        if (position(nodes, count, c->reader[i]) < 0) return true;
    return c->output[id] || c->reader_at[id + 1] - c->reader_at[id] != 1;
}

/* Are the contractions of a and b together those of one sum, and read by nothing but it? */
bool is_dot_sum(const Clusters *c, int a, int b) {
    const Cluster *both[] = {&c->at[a], &c->at[b]};
    NodeVec all = {0};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < both[k]->nodes.count; i++)
            vec_push(c->arena, &all, both[k]->nodes.at[i]);
    qsort(all.at, (size_t)all.count, sizeof *all.at, node_order);
    NodeId sum =
        both[0]->dots + both[1]->dots <= DOTS_MAX ? plan_dot_sum(c->g, all.at, all.count) : 0;
    if (!sum) return false;
    for (int i = 0; i < all.count; i++)
        if (c->g->node[all.at[i]].op == OP_DOT && has_other_reader(c, all.at[i], all.at, all.count))
            return false;
    return true;
}
