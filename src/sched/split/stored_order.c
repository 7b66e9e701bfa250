/* stored_order.c: results of contractions that others multiply in another order of their axes, as
 * heads side by side, are stored in that order where they have several readers, for a CPU: the
 * kernel that stores them does it for free, and each product would pack its operand element by
 * element. Those of one reader are found by the scheduler (fuse/stored_views.c).
 * needs: simplified. keeps: meaning. breaks: nothing.
 *
 *     o[B, H, S, D], permute(o) @ w, f(o, permute(o) @ w)       becomes
 *     p[B, S, H, D] = permute(o), p @ w, f(permute(p), p @ w), where p is stored
 */
#include "sched/split/split.h"

typedef struct Pass {
    NodeId *order; /* result -> the permutation that is stored; 0: none */
} Pass;

/* Results of contractions, and pointwise functions of them. */
static const bool *find_results(const Graph *g) {
    bool *result = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        result[id] = n->op == OP_DOT;
        for (int i = 0; i < n->src_count; i++)
            result[id] |= op_info[n->op].class == MAP && result[n->src[i]];
    }
    return result;
}

/* By node: does a contraction multiply it, directly or through views? */
static const bool *find_operands(const Graph *g) {
    bool *operand = arena_array(g->arena, bool, g->count);
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        for (int i = 0; i < n->src_count; i++)
            operand[n->src[i]] |= class == DOT || (class == VIEW && operand[id]);
    }
    return operand;
}

/* Need other readers of the result than the permutation, if any, what that gives first? Then no
 * kernel has them together with the result. */
static bool is_first(const Graph *g, NodeId permuted) {
    const NodeId x = g->node[permuted].src[0];
    bool *after = arena_array(g->arena, bool, g->count);
    after[permuted] = true;
    for (int i = 0; i < g->outputs.count; i++)
        if (g->outputs.at[i].node == x) return false;
    for (NodeId id = permuted + 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++) after[id] |= after[g->node[id].src[i]];
    for (NodeId id = 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++)
            if (g->node[id].src[i] == x && id != permuted &&
                (!after[id] || op_info[g->node[id].op].class != MAP))
                return false;
    return true;
}

/* By node: is it read more than once, directly or through views? */
static const bool *find_shared(const Graph *g) {
    bool *shared = arena_array(g->arena, bool, g->count);
    const int *readers = split_readers(g);
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        shared[id] |= readers[id] > 1;
        if (op_info[n->op].class == VIEW) shared[n->src[0]] |= shared[id];
    }
    return shared;
}

/* The last axis stays last, so that whole vectors are stored. */
static bool moves_rows(const Node *n) {
    return n->op == OP_PERMUTE && !n->stored && n->attr[n->rank - 1] == n->rank - 1;
}

static bool find(Pass *p, const Graph *g) {
    const bool *result = find_results(g), *operand = find_operands(g);
    const bool *shared = find_shared(g);
    bool any = false;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (!moves_rows(n) || !result[n->src[0]] || !operand[id] || !shared[n->src[0]] ||
            !is_first(g, id))
            continue;
        p->order[n->src[0]] = id;
        any = true;
    }
    return any;
}

static NodeId stored_order_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                                void *context) {
    const Pass *p = context;
    int back[RANK_MAX];
    if (draft->op == OP_PERMUTE && p->order[from->node[old].src[0]] == old)
        return to->node[draft->src[0]].src[0];
    const NodeId made = graph_add(to, draft);
    if (!p->order[old]) return made;
    Node kept = from->node[p->order[old]];
    kept.src[0] = made;
    kept.stored = true;
    for (int i = 0; i < kept.rank; i++) back[kept.attr[i]] = i;
    return graph_permute(to, graph_add(to, &kept), back, draft->span);
}

const Graph *split_stored_order(const Graph *g) {
    Pass p = {.order = arena_array(g->arena, NodeId, g->count)};
    return find(&p, g) ? graph_rewrite(g, stored_order_rule, &p) : g;
}
