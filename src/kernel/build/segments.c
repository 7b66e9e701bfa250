/* segments.c: the sort of indices that a scatter needs: its body is the loop over the indices,
 * whose row is computed at each. What is stored in the end, emission writes. In: a nest with an
 * OP_SEGMENTS. Out: the body. */
#include "kernel/build/build.h"

static NodeId find_segments(const Builder *b, const LoopNest *nest) {
    for (int i = 0; i < nest->nodes.count; i++)
        if (b->g->node[nest->nodes.at[i]].op == OP_SEGMENTS) return nest->nodes.at[i];
    BUG("build: no sort of indices");
}

void segments_body(Builder *b, const LoopNest *nest) {
    const NodeId id = find_segments(b, nest);
    const Node *n = &b->g->node[id], *indices = &b->g->node[n->src[0]];
    Dims *d = b->g->dims;
    Ix index[RANK_MAX];
    flat_axis(b, SEGMENTS_COUNT, 1, indices->shape, index);
    b->x->extent[SEGMENTS_ROWS] = n->attr[0];
    b->body->axes.at[0].is_col = true;
    b->body->lane = SEGMENTS_COUNT;
    b->body->rows = dim_const(d, 1);
    b->body->cols = indices->shape[0];
    const Ix starts = ix_const(b->x, dim_add(d, n->attr[0], dim_const(d, 1)));
    Store s = {.value = build_value(b, n->src[0], index, 0), .ix = ix_add(b->x, starts, index[0])};
    s.buffer = kernel_buffer(b, b->plan->buffer_of[id], true);
    vec_push(b->arena, &b->body->stores, s);
}
