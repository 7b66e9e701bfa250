/* pick.c: sum(where(iota(V) == k, x, 0)) along V is the element of x at k, if there is one: the
 * kernel reads it instead of searching the row. So a loss reads the logit of its label. */
#include "kernel/build/build.h"

static bool is_computed_here(const Builder *b, NodeId id) {
    return b->plan->free[id] || b->plan->group_of[id] == b->group;
}

/* All of it must be in this kernel, without scans and contractions, which are not computed
 * for one element. */
static bool may_pick(const Builder *b, const Node *sum) {
    const NodeId where = sum->src[0], eq = b->g->node[where].src[0];
    if (!is_computed_here(b, where) || !is_computed_here(b, eq)) return false;
    const LoopNest *nest = &b->plan->groups.at[b->group].nests.at[b->nest];
    for (int i = 0; i < nest->nodes.count; i++) {
        OpClass class = op_info[b->g->node[nest->nodes.at[i]].op].class;
        if (class == SCAN || class == DOT) return false;
    }
    return true;
}

static int op_value(Builder *b, Value v, Op op, int x, int y, int z) {
    v.kind = V_OP;
    v.op = op;
    v.src[0] = x, v.src[1] = y, v.src[2] = z;
    return add_value(b, v);
}

int pick_value(Builder *b, NodeId sum, const Ix *index) {
    const Graph *g = b->g;
    const Node *n = &g->node[sum];
    Pick p;
    if (!find_pick(g, n, &p) || !may_pick(b, n)) return 0;
    const Dtype type = g->node[p.k].type;
    Ix at[RANK_MAX];
    for (int i = 0; i < n->rank; i++) at[i] = index[i];
    int k = build_value(b, p.k, at, 0);
    Value clamp = {.kind = V_CLAMP, .type = T_I64, .operand = type, .node = sum};
    clamp.src[0] = k;
    clamp.attr = g->node[p.x].shape[p.axis];
    int inside = add_value(b, clamp), wide = k;
    at[p.axis] = ix_value(b->x, inside, g->node[p.x].shape[p.axis], ~0u);
    int x = build_value(b, p.x, at, 0);
    if (type != T_I64) {
        Value cast = {.kind = V_CAST, .op = OP_CAST, .type = T_I64, .operand = type, .node = sum};
        cast.src[0] = k;
        wide = add_value(b, cast);
    }
    int hit =
        op_value(b, (Value){.type = T_BOOL, .operand = T_I64, .node = sum}, OP_EQ, wide, inside, 0);
    int zero = build_value(b, g->node[n->src[0]].src[2], at, 0);
    return op_value(b, (Value){.type = n->type, .operand = n->type, .node = sum}, OP_WHERE, hit, x,
                    zero);
}
