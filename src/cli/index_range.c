/* index_range.c: which inputs hold indices, and their bounds, so that random ones are valid.
 * In: a graph before decompose, which still has take and cross_entropy. */
#include "cli/command.h"

/* The source of an op that holds indices, and the axis of src[0] that they index; -1: none. */
static int index_source(const Graph *g, const Node *n, int *axis) {
    const bool along = n->op == OP_GATHER || n->op == OP_SCATTER;
    if (along) *axis = n->attr[0];
    if (n->op == OP_CROSS_ENTROPY) *axis = g->node[n->src[0]].rank - 1;
    return along || n->op == OP_CROSS_ENTROPY ? n->src[1] : 0;
}

/* The input that `id` is a copy, view or conversion of, 0 if there is none. */
static NodeId moved_input(const Graph *g, NodeId id) {
    while (op_info[g->node[id].op].class == VIEW || g->node[id].op == OP_CAST)
        id = g->node[id].src[0];
    return g->node[id].op == OP_INPUT ? id : 0;
}

int64_t index_range(const Graph *g, int input, const int64_t *dims) {
    int64_t least = 0;
    for (NodeId id = 1; id < g->count; id++) {
        int axis = 0;
        int64_t size;
        NodeId indices = index_source(g, &g->node[id], &axis);
        if (!indices || moved_input(g, indices) != g->inputs.at[input].node) continue;
        const Node *table = &g->node[g->node[id].src[0]];
        if (dim_value(g->dims, table->shape[axis], dims, &size) && (!least || size < least))
            least = size;
    }
    return least;
}
