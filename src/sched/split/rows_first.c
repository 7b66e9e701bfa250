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

typedef struct RowsFirst {
    const Graph *from;
    NodeId *root;  /* node of a product's shape -> the product that it is a function of */
    bool *refused; /* product: another node reads it */
} RowsFirst;

static uint32_t last_axis(const Node *n) { return 1u << (n->rank - 1); }

/* Of rows, and perhaps of other axes. */
static bool reduces_rows(const Node *n) {
    return op_info[n->op].class == REDUCE && n->op != OP_ARGMAX &&
           ((uint32_t)n->attr[0] & last_axis(n));
}

static bool has_rows(const Graph *g, const Node *n) {
    return n->op == OP_DOT && g->node[n->src[1]].rank > n->attr[0] + n->attr[1];
}

static void note_reader(RowsFirst *r, NodeId id, NodeId product) {
    const Node *n = &r->from->node[id];
    if (reduces_rows(n)) return;
    if (r->root[id] != product || compares_products(r->from, id)) r->refused[product] = true;
}

static void find_products(RowsFirst *r) {
    const Graph *g = r->from;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (has_rows(g, n)) r->root[id] = id;
        for (int i = 0; i < n->src_count && op_info[n->op].class == MAP; i++)
            if (!r->root[id]) r->root[id] = r->root[n->src[i]];
        for (int i = 0; i < n->src_count; i++)
            if (r->root[n->src[i]]) note_reader(r, id, r->root[n->src[i]]);
    }
    for (int i = 0; i < g->outputs.count; i++) r->refused[r->root[g->outputs.at[i].node]] = true;
}

/* The axes beside the rows; 0: there are none, or all are reduced at once. */
static uint32_t other_axes(const RowsFirst *r, NodeId id) {
    const Node *n = &r->from->node[id];
    const NodeId product = n->src_count ? r->root[n->src[0]] : 0;
    if (!product || r->refused[product] || !reduces_rows(n)) return 0;
    return (uint32_t)n->attr[0] & ~last_axis(n);
}

static NodeId rows_first_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                              void *context) {
    const uint32_t others = other_axes(context, old);
    (void)from;
    if (!others) return graph_add(to, draft);
    const NodeId rows = graph_reduce(to, draft->op, draft->src[0], last_axis(draft), draft->span);
    split_name_parts(to, rows, draft);
    return graph_reduce(to, draft->op, rows, others, draft->span);
}

const Graph *split_rows_first(const Graph *g, const Machine *machine) {
    RowsFirst r = {g, arena_array(g->arena, NodeId, g->count),
                   arena_array(g->arena, bool, g->count)};
    bool any = false;
    if (!machine_is_gpu(machine) || g->attrs.max_kernels) return g;
    find_products(&r);
    for (NodeId id = 1; id < g->count; id++) any |= other_axes(&r, id) != 0;
    return any ? graph_rewrite(g, rows_first_rule, &r) : g;
}
