/* stored_views.c: views that are stored as such between kernels. A contraction needs its summed
 * axes adjacent in its left operand; another contraction can store its result in that order for
 * free, if the last axis stays last. So the attention's kernel, not the projection's, puts heads
 * side by side. Others are marked in the graph (padded.c).
 * In: Graph. Out: plan->kept. */
#include "sched/fuse/fuse_private.h"

typedef struct Uses {
    int *count;   /* readers of a node, outputs included */
    bool *result; /* a contraction, or a pointwise function of one */
} Uses;

static Uses count_uses(const Graph *g) {
    Uses u = {arena_array(g->arena, int, g->count), arena_array(g->arena, bool, g->count)};
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        u.result[id] = n->op == OP_DOT;
        for (int i = 0; i < n->src_count; i++) {
            u.count[n->src[i]]++;
            u.result[id] |= op_info[n->op].class == MAP && u.result[n->src[i]];
        }
    }
    for (int i = 0; i < g->outputs.count; i++) u.count[g->outputs.at[i].node]++;
    return u;
}

/* From the view down to what it rearranges: no other readers, and the last axis stays last before
 * any reshape. */
static bool may_keep(const Graph *g, const Uses *u, NodeId view) {
    NodeId id = view;
    if (!is_rearranged(g, view)) return false;
    for (; op_info[g->node[id].op].class == VIEW; id = g->node[id].src[0]) {
        const Node *n = &g->node[id];
        const bool is_lowest = op_info[g->node[n->src[0]].op].class != VIEW;
        if (u->count[id] != 1) return false;
        if (n->op == OP_PERMUTE && n->attr[n->rank - 1] != n->rank - 1) return false;
        if (is_lowest && n->op != OP_PERMUTE) return false;
    }
    return u->result[id] && u->count[id] == 1;
}

void find_kept(Plan *plan) {
    const Graph *g = plan->g;
    Uses u = count_uses(g);
    for (NodeId id = 1; id < g->count; id++) {
        if (g->node[id].stored) plan->kept[id] = true;
        if (g->node[id].op == OP_DOT && may_keep(g, &u, g->node[id].src[0]))
            plan->kept[g->node[id].src[0]] = true;
    }
}
