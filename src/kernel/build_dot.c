/* build_dot.c: contractions: four flattened axes (batch, m, n, k), operands evaluated where the
 * views above them say, and the result as an accumulator that the rest of the kernel reads. */
#include "kernel/build.h"

static Dim product(Dims *d, const Dim *shape, int count) {
    Dim p = dim_const(d, 1);
    for (int i = 0; i < count; i++) p = dim_mul(d, p, shape[i]);
    return p;
}

/* The axes of a shape, from one flattened axis. */
static void spread(Builder *b, int axis, int rank, const Dim *shape, Ix *index) {
    ix_unflatten(b->x, ix_axis(b->x, axis), rank, shape, index);
}

void dot_axes(Builder *b, NodeId dot) {
    const Node *n = &b->g->node[dot], *p = &b->g->node[n->src[0]];
    Dims *d = b->g->dims;
    int batch = n->attr[0], summed = n->attr[1], m = p->rank - batch - summed;
    Dim extent[DOT_AXES] = {product(d, n->shape, batch), product(d, n->shape + batch, m),
                            product(d, n->shape + batch + m, n->rank - batch - m),
                            product(d, p->shape + p->rank - summed, summed)};
    for (int i = 0; i < DOT_AXES; i++) {
        Axis axis = {i, extent[i], i == DOT_K};
        b->x->extent[i] = extent[i];
        vec_push(b->arena, &b->body->axes, axis);
    }
    b->body->row_count = DOT_K;
    b->body->lane = DOT_N;
    b->body->rows = product(d, extent, DOT_K);
    b->body->cols = extent[DOT_K];
    Ix index[RANK_MAX];
    spread(b, DOT_BATCH, batch, n->shape, index);
    spread(b, DOT_M, m, n->shape + batch, index + batch);
    spread(b, DOT_N, n->rank - batch - m, n->shape + batch + m, index + batch + m);
    for (int i = 0, k = 0; i < n->rank; i++)
        if (!dim_is(d, n->shape[i], 1)) b->axis_of[k++] = index[i];
}

/* An operand with axes batch.., own.., k... */
static int operand(Builder *b, const Node *dot, int side, int own_axis) {
    const Node *x = &b->g->node[dot->src[side]];
    int batch = dot->attr[0], summed = dot->attr[1], own = x->rank - batch - summed;
    Ix index[RANK_MAX];
    spread(b, DOT_BATCH, batch, x->shape, index);
    spread(b, own_axis, own, x->shape + batch, index + batch);
    spread(b, DOT_K, summed, x->shape + batch + own, index + batch + own);
    return build_value(b, dot->src[side], index, 0);
}

int dot_value(Builder *b, NodeId dot) {
    const Node *n = &b->g->node[dot];
    for (int i = 0; i < b->body->accs.count; i++) { /* looked at from elsewhere, but the same */
        int result = b->body->accs.at[i].result;
        if (b->body->values.at[result].node == dot) return result;
    }
    Accumulator acc = {.op = OP_DOT, .type = n->type, .online_max = -1};
    acc.value = operand(b, n, 0, DOT_M);
    acc.index = operand(b, n, 1, DOT_N);
    Value v = {.kind = V_ACC, .op = OP_DOT, .type = n->type, .node = dot};
    v.attr = b->body->accs.count;
    acc.result = add_value(b, v);
    vec_push(b->arena, &b->body->accs, acc);
    return acc.result;
}
