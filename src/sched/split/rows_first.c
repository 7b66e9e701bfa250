/* rows_first.c: reductions of a product's results along their rows and other axes: along the rows
 * first, in the kernel that multiplies, so that the product is not stored. needs: simplified.
 * keeps: meaning; sums are in another order. breaks: nothing.
 *
 *     max(q k^T)[M, N], axis = [0, 1]     becomes     max(max(q k^T, axis = 1), axis = 0)
 *
 * Only if all readers of the product, and of what is computed from its elements, are reductions
 * with such axes, or of rows. Comparisons of products with what depends on products stay as they
 * are (again.c). On a GPU, whose tiles have few of the columns. */
#include "sched/split/split.h"

static uint32_t last_axis(const Node *n) { return 1u << (n->rank - 1); }

/* Of rows, and perhaps of other axes. */
static bool reduces_rows(const Node *n) {
    return op_info[n->op].class == REDUCE && n->op != OP_ARGMAX &&
           ((uint32_t)n->attr[0] & last_axis(n));
}

static bool has_rows(const Graph *g, const Node *n) {
    return n->op == OP_DOT && g->node[n->src[1]].rank > n->attr[0] + n->attr[1];
}

static ReducedProducts find_products(const Graph *g) {
    bool *products = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) products[id] = has_rows(g, &g->node[id]);
    return split_reduced_products(g, products, reduces_rows);
}

/* The axes beside the rows; 0: there are none, or all are reduced at once. */
static uint32_t other_axes(const ReducedProducts *p, const Node *n) {
    const NodeId product = n->src_count ? p->root[n->src[0]] : 0;
    if (!product || p->refused[product] || !reduces_rows(n)) return 0;
    return (uint32_t)n->attr[0] & ~last_axis(n);
}

static NodeId rows_first_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                              void *context) {
    const uint32_t others = other_axes(context, &from->node[old]);
    if (!others) return graph_add(to, draft);
    const NodeId rows = graph_reduce(to, draft->op, draft->src[0], last_axis(draft), draft->span);
    split_name_parts(to, rows, draft);
    return graph_reduce(to, draft->op, rows, others, draft->span);
}

const Graph *split_rows_first(const Graph *g, const Machine *machine) {
    bool any = false;
    if (!machine_is_gpu(machine) || g->attrs.max_kernels) return g;
    ReducedProducts p = find_products(g);
    for (NodeId id = 1; id < g->count; id++) any |= other_axes(&p, &g->node[id]) != 0;
    return any ? graph_rewrite(g, rows_first_rule, &p) : g;
}
