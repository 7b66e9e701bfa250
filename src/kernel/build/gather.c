/* gather.c: take, and the segments of scatter: values that are read at positions which are values
 * themselves. In: a node and the index of an element. Out: its value. */
#include "kernel/build/build.h"

/* Are indices read within their tensor even where the guard of what they gather is false? */
static bool is_read_within(Builder *b, NodeId indices, const Ix *index) {
    const Node *n = &b->g->node[indices];
    Dims *d = b->x->dims;
    if (n->op != OP_INPUT) return false;
    const IxNode at = b->x->node.at[ix_flatten(b->x, n->rank, index, n->shape)];
    const Dim count = node_elements(b->g, indices);
    return at.lo && at.hi && count && dim_le(d, dim_const(d, 0), at.lo) &&
           dim_le(d, dim_add(d, at.hi, dim_const(d, 1)), count);
}

/* Lanes of a CPU have positions of 32 bits where these suffice. */
static Dtype position_type(const Builder *b, Dtype indices, Dim extent) {
    int64_t least, most;
    dim_range(b->x->dims, extent, &least, &most);
    const bool is_narrow = dtype_compute(indices) == T_I32 && most <= INT32_MAX;
    return is_narrow && !machine_is_gpu(b->plan->machine) ? T_I32 : T_I64;
}

/* Is a value proven to be in 0..extent - 1? In kernels of a GPU it is clamped in any case. */
static bool is_in_range(const Builder *b, int value, Dim extent) {
    const Body body = draft_body(b->body);
    const IntRange r = value_range(&body, value);
    Dims *d = b->x->dims;
    return !machine_is_gpu(b->plan->machine) && r.least >= 0 && r.most < INT64_MAX &&
           dim_le(d, dim_const(d, r.most + 1), extent);
}

int gather_value(Builder *b, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id], *from = &b->g->node[n->src[0]];
    const Node *indices = &b->g->node[n->src[1]];
    int axis = n->attr[0];
    Ix at[RANK_MAX];
    Value v = {.kind = V_CLAMP, .operand = indices->type, .node = id};
    const bool needs_guard = !is_read_within(b, n->src[1], index + axis);
    v.src[0] = build_value(b, n->src[1], index + axis, needs_guard ? guard : 0);
    v.attr = from->shape[axis];
    v.type = position_type(b, v.operand, v.attr);
    v.is_within = is_in_range(b, v.src[0], v.attr);
    int clamped = add_value(b, v);
    for (int i = 0; i < from->rank; i++)
        if (i != axis) at[i] = i < axis ? index[i] : index[i + indices->rank - 1];
    at[axis] = ix_value(b->x, clamped, from->shape[axis], ~0u);
    return build_value(b, n->src[0], at, guard);
}

/* Row `index` of the result. The cursor goes from the row's start to its end; the position there,
 * and x at it, are read within that loop. */
int combine_value(Builder *b, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id], *x = &b->g->node[n->src[4]];
    const int axis = n->attr[0];
    const Dim count = x->shape[axis];
    Ix at[RANK_MAX];
    Value v = {.kind = V_COMBINE, .type = n->type, .operand = n->type, .node = id};
    Value cursor = {.kind = V_CURSOR, .type = T_I64, .operand = T_I32, .node = id};
    Value position = {.kind = V_CLAMP, .operand = T_I32, .node = id};
    position.type = position_type(b, T_I32, count);
    v.attr = n->attr[1];
    v.src[0] = build_value(b, n->src[0], index, guard);
    v.src[1] = build_value(b, n->src[1], index + axis, guard);
    v.src[2] = build_value(b, n->src[2], index + axis, guard);
    cursor.src[0] = v.src[1], cursor.attr = count;
    v.src[4] = add_value(b, cursor);
    const Ix of_cursor = ix_value(b->x, v.src[4], count, ~0u);
    position.src[0] = build_value(b, n->src[3], &of_cursor, 0);
    position.attr = count, position.is_within = true;
    for (int i = 0; i < n->rank; i++) at[i] = index[i];
    at[axis] = ix_value(b->x, add_value(b, position), count, ~0u);
    v.src[3] = build_value(b, n->src[4], at, guard);
    return add_value(b, v);
}
