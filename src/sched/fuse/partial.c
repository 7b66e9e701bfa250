/* partial.c: seeds for reductions of chunks of a product's rows: the nodes between a contraction
 * and these reductions become one cluster before anything else is fused. Otherwise the kernel that
 * combines the partial results could take some of them, which then no kernel before it could
 * compute.
 * In: clusters of one node. */
#include "sched/fuse/fuse_private.h"

/* Does the right operand have axes before its last one? */
static bool has_chunks(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    return n->op == OP_DOT && g->node[n->src[0]].rank - n->attr[1] + 1 < n->rank;
}

/* Does the node reduce the last axis of a value with the contraction's shape? */
static bool reduces_chunks(const Graph *g, NodeId id, const Node *dot) {
    const Node *n = &g->node[id], *x = &g->node[n->src[0]];
    return op_info[n->op].class == REDUCE && n->attr[0] == 1 << (dot->rank - 1) &&
           shape_equal(x->rank, x->shape, dot->rank, dot->shape);
}

/* Nodes computed from the contraction, up to the last such reductions. */
static const bool *find_between(const Graph *g, NodeId dot) {
    bool *below = arena_array(g->arena, bool, g->count);
    bool *above = arena_array(g->arena, bool, g->count), any = false;
    below[dot] = true;
    for (NodeId id = dot + 1; id < g->count; id++) {
        for (int i = 0; i < g->node[id].src_count; i++) below[id] |= below[g->node[id].src[i]];
        above[id] = below[id] && reduces_chunks(g, id, &g->node[dot]);
        any |= above[id];
    }
    if (!any) return NULL;
    for (NodeId id = g->count - 1; id > dot; id--)
        for (int i = 0; above[id] && i < g->node[id].src_count; i++)
            above[g->node[id].src[i]] |= below[g->node[id].src[i]];
    above[dot] = false;
    return above;
}

void fuse_partials(Clusters *c) {
    for (NodeId dot = 1; dot < c->g->count; dot++) {
        if (!has_chunks(c->g, dot)) continue;
        const bool *between = find_between(c->g, dot);
        int into = -1;
        for (NodeId id = dot + 1; between && id < c->g->count; id++) {
            Space space;
            if (!between[id] || c->of[id] < 0 || c->inner[id]) continue;
            if (into < 0)
                into = c->of[id];
            else if (may_fuse(c, into, c->of[id], &space) == FUSED)
                into = clusters_merge(c, into, c->of[id], &space);
        }
    }
}
