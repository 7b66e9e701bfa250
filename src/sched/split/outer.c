/* outer.c: reductions over outer and over short inner axes, as those of the channels of a batch:
 * for a GPU the outer axes are reduced first, as columns, since a warp that takes short pieces of
 * rows reads few neighbours at a time. needs: simplified. keeps: meaning; sums are in another
 * order. breaks: nothing.
 *
 *     sum(x[N, C, K], axis = [0, 2])   becomes   sum(sum(x, axis = 0), axis = 1)
 *
 * Only if sizes are known, nothing as large as x depends on the result, and x on no other
 * reduction, with which one kernel reads it. */
#include "sched/split/split.h"

enum {
    SHORT = 64,       /* elements of an inner row: as many make whole cache lines */
    LEAST_OUTER = 64, /* rows that become one */
    LARGE = 1 << 20   /* elements: below, a launch costs more */
};

typedef struct Pass {
    const Graph *from;
    double *largest;     /* node -> elements of the largest node that depends on it */
    const bool *reduced; /* node -> does it depend on a reduction, or a scan? */
} Pass;

/* The axes that are reduced first; 0: all are at once. */
static uint32_t outer_axes(const Pass *p, NodeId id) {
    const Graph *g = p->from;
    const Node *n = &g->node[id];
    if (op_info[n->op].class != REDUCE || n->op == OP_ARGMAX || p->reduced[n->src[0]]) return 0;
    const uint32_t inner = split_inner_axes(g, n), outer = (uint32_t)n->attr[0] & ~inner;
    int64_t all, row, rows;
    if (!split_extent(g, n->src[0], (1u << n->rank) - 1, &all)) return 0;
    if (!split_extent(g, n->src[0], inner, &row) || !split_extent(g, n->src[0], outer, &rows))
        return 0;
    const bool is_suitable = row > 1 && row < SHORT && rows >= LEAST_OUTER && all >= LARGE;
    return is_suitable && rows * row < all && p->largest[id] < (double)all / 8 ? outer : 0;
}

static NodeId outer_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                         void *context) {
    const uint32_t outer = outer_axes(context, old);
    (void)from;
    if (!outer) return graph_add(to, draft);
    const NodeId columns = graph_reduce(to, draft->op, draft->src[0], outer, draft->span);
    split_name_parts(to, columns, draft);
    return graph_reduce(to, draft->op, columns, (uint32_t)draft->attr[0] & ~outer, draft->span);
}

const Graph *split_outer(const Graph *g, const Machine *machine) {
    Pass p = {g, arena_array(g->arena, double, g->count), split_reduced(g)};
    bool any = false;
    if (!machine_is_gpu(machine) || g->attrs.max_kernels) return g;
    for (NodeId id = g->count - 1; id > 0; id--) {
        const double own =
            cost_elements(g, id) > p.largest[id] ? cost_elements(g, id) : p.largest[id];
        any |= outer_axes(&p, id) != 0;
        for (int i = 0; i < g->node[id].src_count; i++)
            if (own > p.largest[g->node[id].src[i]]) p.largest[g->node[id].src[i]] = own;
    }
    return any ? graph_rewrite(g, outer_rule, &p) : g;
}
