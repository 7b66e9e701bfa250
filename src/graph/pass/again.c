/* again.c: what must not be computed again. Kernels add up products in orders of their own, so a
 * contraction that is computed again may round otherwise. */
#include "graph/pass/pass.h"

static bool depends_on_dot(const Graph *g, NodeId id) {
    bool *depends = arena_array(g->arena, bool, (size_t)id + 1);
    for (NodeId at = 1; at <= id; at++) {
        depends[at] = g->node[at].op == OP_DOT;
        for (int i = 0; i < g->node[at].src_count; i++) depends[at] |= depends[g->node[at].src[i]];
    }
    return depends[id];
}

bool compares_products(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    const bool compares = n->op == OP_EQ || n->op == OP_NE || n->op == OP_LT || n->op == OP_LE;
    return compares && depends_on_dot(g, n->src[0]) && depends_on_dot(g, n->src[1]);
}
