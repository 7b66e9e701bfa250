/* stored_views.c: views that are stored as such between kernels. A contraction needs its summed
 * axes adjacent in its left operand; another contraction can store its result in that order for
 * free, if the last axis stays last. So the attention's kernel, not the projection's, puts heads
 * side by side. Row kernels of a GPU store rows of operands in the order in which the contraction
 * reads them, too. Others are marked in the graph (padded.c).
 * In: Graph. Out: plan->kept. */
#include "sched/fuse/fuse_private.h"

typedef struct Uses {
    int *count;   /* readers of a node, outputs included */
    bool *result; /* a contraction, or a pointwise function of one */
    bool *row;    /* of rows that are reduced, in the order that they have there */
    bool *moved;  /* of such rows in another order */
} Uses;

/* What a node that is no contraction reads of rows. */
static void find_rows(const Graph *g, Uses *u, NodeId id) {
    const Node *n = &g->node[id];
    const OpClass class = op_info[n->op].class;
    u->row[id] = class == REDUCE;
    for (int i = 0; i < n->src_count && (class == MAP || class == VIEW); i++) {
        u->row[id] |= u->row[n->src[i]];
        u->moved[id] |= u->moved[n->src[i]];
    }
    u->moved[id] |= u->row[id] && (n->op == OP_PERMUTE || n->op == OP_RESHAPE);
}

static Uses count_uses(const Graph *g) {
    Uses u = {arena_array(g->arena, int, g->count), arena_array(g->arena, bool, g->count),
              arena_array(g->arena, bool, g->count), arena_array(g->arena, bool, g->count)};
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        u.result[id] = n->op == OP_DOT;
        find_rows(g, &u, id);
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

/* Is it a permutation of what a row kernel makes for it alone, with the last axis still last? */
static bool may_keep_rows(const Graph *g, const Uses *u, NodeId view) {
    const Node *n = &g->node[view];
    const NodeId x = n->src[0];
    return n->op == OP_PERMUTE && n->attr[n->rank - 1] == n->rank - 1 && u->count[x] == 1 &&
           op_info[g->node[x].op].class == MAP && u->row[x] && !u->moved[x] && !u->result[x];
}

void find_kept(Plan *plan) {
    const Graph *g = plan->g;
    Uses u = count_uses(g);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (n->stored) plan->kept[id] = true;
        if (n->op != OP_DOT) continue;
        if (may_keep(g, &u, n->src[0])) plan->kept[n->src[0]] = true;
        for (int s = 0; s < 2 && machine_is_gpu(plan->machine); s++)
            if (may_keep_rows(g, &u, n->src[s])) plan->kept[n->src[s]] = true;
    }
}
