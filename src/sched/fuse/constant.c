/* constant.c: finds what depends only on constant inputs (@constant), to be computed once.
 * In: Graph. Out: plan->constancy; NULL if no input is constant. */
#include "sched/fuse/fuse_private.h"

/* The dims in shapes of constant inputs: those that are known when constants are prepared. */
static bool *known_dims(const Graph *g) {
    bool *known = arena_array(g->arena, bool, g->dims->symbols.count + 1);
    for (int i = 0; i < g->inputs.count; i++) {
        const Node *n = &g->node[g->inputs.at[i].node];
        if (!g->attrs.constant[i]) continue;
        for (int s = 0; s < g->dims->symbols.count; s++)
            for (int axis = 0; axis < n->rank; axis++)
                known[s] |= dim_uses(g->dims, n->shape[axis], s);
    }
    return known;
}

bool plan_is_constant_size(const Plan *plan, Dim size) {
    const Dims *d = plan->g->dims;
    for (int s = 0; s < d->symbols.count; s++)
        if (!plan->constant_dims[s] && dim_uses(d, size, s)) return false;
    return true;
}

static bool has_known_sizes(const Plan *plan, const Node *n) {
    bool attrs = n->op == OP_SLICE || n->op == OP_PAD;
    if (n->op == OP_DIM) return plan_is_constant_size(plan, n->attr[0]);
    for (int axis = 0; axis < n->rank; axis++)
        if (!plan_is_constant_size(plan, n->shape[axis]) ||
            (attrs && !plan_is_constant_size(plan, n->attr[axis])))
            return false;
    return true;
}

/* Work that is too costly to repeat at every call. A GPU computes functions of elements while it
 * waits for memory. */
static bool is_worth_keeping(const Plan *plan, const Node *n) {
    OpClass class = op_info[n->op].class;
    return class == REDUCE || class == PARTIAL || class == SCAN || class == DOT ||
           (op_info[n->op].costly && !machine_is_gpu(plan->machine));
}

static Constancy constancy_of(const Plan *plan, const Node *n) {
    Constancy most = NUMBER;
    if (n->op == OP_INPUT) return plan->g->attrs.constant[n->attr[0]] ? CONSTANT : VARIES;
    if (!has_known_sizes(plan, n)) return VARIES;
    for (int i = 0; i < n->src_count; i++) {
        Constancy source = plan->constancy[n->src[i]];
        if (source == VARIES) return VARIES;
        if (source > most) most = source;
    }
    return most == CONSTANT && is_worth_keeping(plan, n) ? CONSTANT_KEPT : most;
}

void find_constant(Plan *plan) {
    const Graph *g = plan->g;
    if (!g->attrs.constant) return;
    plan->constant_dims = known_dims(g);
    plan->constancy = arena_array(g->arena, Constancy, g->count);
    for (NodeId id = 1; id < g->count; id++) plan->constancy[id] = constancy_of(plan, &g->node[id]);
}

bool plan_packs_once(const Plan *plan) { return plan->constancy && !machine_is_gpu(plan->machine); }

Constancy nodes_constancy(const Plan *plan, const NodeVec *nodes) {
    Constancy most = plan->constancy ? NUMBER : VARIES;
    for (int i = 0; i < nodes->count && most != VARIES; i++) {
        Constancy one = plan->constancy[nodes->at[i]];
        if (one == VARIES || one > most) most = one;
    }
    return most;
}
