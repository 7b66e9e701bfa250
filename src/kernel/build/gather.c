/* gather.c: take, and the lists of scatter: values that are read at positions which are values
 * themselves. In: a node and the index of an element. Out: its value. */
#include "kernel/build/build.h"

int gather_value(Builder *b, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id], *from = &b->g->node[n->src[0]];
    const Node *indices = &b->g->node[n->src[1]];
    int axis = n->attr[0];
    Ix at[RANK_MAX];
    Value v = {.kind = V_CLAMP, .type = T_I64, .operand = indices->type, .node = id};
    v.src[0] = build_value(b, n->src[1], index + axis, guard);
    v.attr = from->shape[axis];
    int clamped = add_value(b, v);
    for (int i = 0; i < from->rank; i++)
        if (i != axis) at[i] = i < axis ? index[i] : index[i + indices->rank - 1];
    at[axis] = ix_value(b->x, clamped, from->shape[axis], ~0u);
    return build_value(b, n->src[0], at, guard);
}

/* The list of row `at` of the result; x and the next position are read within its loop. */
int follow_value(Builder *b, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id], *x = &b->g->node[n->src[3]];
    const int axis = n->attr[0];
    Ix at[RANK_MAX];
    Value v = {.kind = V_FOLLOW, .type = n->type, .operand = n->type, .node = id, .guard = guard};
    Value link = {.kind = V_LINK, .type = T_I64, .operand = T_I32, .node = id};
    v.attr = n->attr[1];
    v.src[0] = build_value(b, n->src[0], index, guard);
    v.src[1] = link.src[0] = build_value(b, n->src[1], index + axis, guard);
    link.attr = x->shape[axis];
    v.src[4] = add_value(b, link);
    for (int i = 0; i < n->rank; i++) at[i] = index[i];
    at[axis] = ix_value(b->x, v.src[4], x->shape[axis], ~0u);
    v.src[2] = build_value(b, n->src[3], at, guard);
    v.src[3] = build_value(b, n->src[2], at + axis, guard);
    return add_value(b, v);
}
