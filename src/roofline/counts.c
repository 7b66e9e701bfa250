/* counts.c: what a kernel moves and computes, as formulas of the dims.
 * In: a Plan with its buffers, a Group. Out: bytes, and operations by unit. */
#include "roofline/roofline.h"

static void add(Dims *d, Dim *sum, Dim more) { *sum = *sum && more ? dim_add(d, *sum, more) : 0; }

static bool sums_along(const Graph *g, const Node *n, int symbol) {
    const Node *a = &g->node[n->src[0]];
    const OpClass class = op_info[n->op].class;
    if (class != DOT && class != REDUCE && class != PARTIAL) return false;
    for (int i = 0; i < a->rank; i++) {
        const bool is_summed = class == DOT ? i >= a->rank - n->attr[1] : n->attr[0] >> i & 1;
        if (is_summed && dim_uses(g->dims, a->shape[i], symbol)) return true;
    }
    return false;
}

/* A sum is exchanged in the type in which the kernel stores it, if a conversion is all that
 * follows. */
static Dtype exchanged_type(const Graph *g, const LoopNest *nest, NodeId id) {
    for (int i = 0; i < nest->nodes.count; i++) {
        const Node *n = &g->node[nest->nodes.at[i]];
        if (n->op == OP_CAST && n->src[0] == id) return n->type;
    }
    return g->node[id].type;
}

static void count_node(const Plan *plan, const LoopNest *nest, NodeId id, int shard, Counts *c) {
    const Graph *g = plan->g;
    const Node *n = &g->node[id];
    int times;
    const Unit unit = node_unit(g, id, &times);
    const Dim ops = plan_node_flops(plan, id);
    add(g->dims, &c->ops[unit], ops ? dim_mul(g->dims, ops, dim_const(g->dims, times)) : 0);
    if (shard < 0 || !n->src_count || !sums_along(g, n, shard)) return;
    const Dim size = dim_const(g->dims, (int64_t)dtype_size(exchanged_type(g, nest, id)));
    Dim elements = node_elements(g, id);
    if (n->op == OP_PARTIAL_SUM) /* the chunks are added first */
        elements = dim_div(g->dims, elements, dim_const(g->dims, n->attr[1]), n->span);
    add(g->dims, &c->exchanged, elements ? dim_mul(g->dims, elements, size) : 0);
}

Counts counts_of(const Plan *plan, const Group *group, int shard) {
    const Dim zero = dim_const(plan->g->dims, 0);
    Counts c = {.read = group->bytes_read, .written = group->bytes_written, .exchanged = zero};
    for (int u = 0; u < UNIT_COUNT; u++) c.ops[u] = zero;
    for (int i = 0; i < group->nests.count; i++) {
        const LoopNest *nest = &group->nests.at[i];
        for (int j = 0; j < nest->nodes.count; j++)
            count_node(plan, nest, nest->nodes.at[j], shard, &c);
    }
    return c;
}
