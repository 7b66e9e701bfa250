/* free.c: pointwise values that are never stored, because they take a few operations and are made
 * of iota, dims and literals alone, or of much smaller inputs: masks, one-hot rows, random numbers.
 * Every reader computes them.
 * In: Graph. Out: plan->free. */
#include "sched/fuse/fuse_private.h"

enum {
    FREE_OPS = 24,  /* operations for each element, at most */
    RANDOM_OPS = 8, /* such operations of a costly function of random numbers */
    SPREAD = 16     /* elements for each element of an input that is read */
};

/* The cost of recomputing a value. */
typedef struct Again {
    bool is_cheap, is_random;
    int ops;
    double reads; /* elements of inputs, read */
} Again;

static Again cost_again(const Graph *g, NodeId id, const Again *source) {
    const Node *n = &g->node[id];
    const OpClass class = op_info[n->op].class;
    Again a = {.is_cheap = class == LEAF || class == VIEW || class == MAP};
    if (n->op == OP_INPUT) a.reads = n->rank ? cost_elements(g, id) : 0;
    a.is_random = n->op == OP_PHILOX;
    for (int i = 0; i < n->src_count; i++) a.is_random |= source[n->src[i]].is_random;
    if (class == MAP) a.ops = !op_info[n->op].costly ? 1 : a.is_random ? RANDOM_OPS : FREE_OPS + 1;
    for (int i = 0; i < n->src_count; i++) {
        const Again *s = &source[n->src[i]];
        a.is_cheap = a.is_cheap && s->is_cheap;
        a.ops += s->ops;
        a.reads += s->reads;
    }
    a.is_cheap = a.is_cheap && a.ops <= (a.is_random ? 2 * FREE_OPS : FREE_OPS);
    if (!a.is_cheap) a.ops = 0; /* unused; a long chain must not overflow */
    return a;
}

static bool is_small(const Graph *g, NodeId id, const Again *again) {
    return SPREAD * again[id].reads <= cost_elements(g, id);
}

/* From readers to sources: what only free values and sorts of indices read is free, too. */
static void mark_free(const Graph *g, const Again *again, bool *free) {
    bool *only_free = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) only_free[id] = true;
    for (int i = 0; i < g->outputs.count; i++) only_free[g->outputs.at[i].node] = false;
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        bool may_be = is_work(g, id) && again[id].is_cheap;
        free[id] = may_be && (only_free[id] || is_small(g, id, again));
        bool passes_on = is_transparent(g, id) ? only_free[id] : free[id];
        const bool sorts = op_info[n->op].class == SEGMENTS; /* it computes its indices, too */
        const int indices = n->op == OP_BINNED;
        for (int i = 0; i < n->src_count; i++)
            only_free[n->src[i]] &= passes_on || (sorts && i == indices);
    }
}

static bool reads_work(const Graph *g, NodeId id, const bool *free) {
    const Node *n = &g->node[id];
    for (int i = 0; i < n->src_count; i++) {
        NodeId base = base_of(g, n->src[i]);
        if (is_work(g, base) && !free[base]) return true;
    }
    return false;
}

void find_free(Plan *plan) {
    const Graph *g = plan->g;
    Again *again = arena_array(g->arena, Again, g->count);
    for (NodeId id = 1; id < g->count; id++) again[id] = cost_again(g, id, again);
    mark_free(g, again, plan->free);
    for (NodeId id = 1; id < g->count; id++)
        plan->free[id] = plan->free[id] && !reads_work(g, id, plan->free);
}
