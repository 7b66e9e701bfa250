/* segments.c: the sort of indices that a scatter needs, or a step of it: its body is the loop over
 * the indices, whose row is computed at each. What is stored in the end, emission writes. In: a
 * nest with a node of the class SEGMENTS. Out: the body. */
#include "kernel/build/build.h"

static NodeId find_segments(const Builder *b, const LoopNest *nest) {
    for (int i = 0; i < nest->nodes.count; i++)
        if (op_info[b->g->node[nest->nodes.at[i]].op].class == SEGMENTS) return nest->nodes.at[i];
    BUG("build: no sort of indices");
}

static SortValues sort_values(Builder *b, const Node *n) {
    SortValues sort = {.op = n->op, .groups = n->attr[1], .parts = n->attr[2]};
    if (n->op != OP_GROUPS && n->op != OP_GROUPED) return sort;
    sort.from = kernel_buffer(b, b->plan->buffer_of[n->src[1]], false);
    if (n->op == OP_GROUPS) sort.parts = b->g->node[n->src[1]].attr[2];
    return sort;
}

void segments_body(Builder *b, const LoopNest *nest) {
    const NodeId id = find_segments(b, nest);
    const Node *n = &b->g->node[id], *indices = &b->g->node[n->src[0]];
    Dims *d = b->g->dims;
    const Dim before = n->op == OP_GROUPS ? dim_const(d, n->attr[1]) : n->attr[0];
    Ix index[RANK_MAX];
    flat_axis(b, SEGMENTS_COUNT, 1, indices->shape, index);
    b->x->extent[SEGMENTS_ROWS] = n->attr[0];
    b->body->axes.at[0].is_col = true;
    b->body->lane = SEGMENTS_COUNT;
    b->body->rows = dim_const(d, 1);
    b->body->cols = indices->shape[0];
    b->body->sort = sort_values(b, n);
    Store s = {.value = build_value(b, n->src[0], index, 0)};
    s.ix = ix_add(b->x, ix_const(b->x, dim_add(d, before, dim_const(d, 1))), index[0]);
    if (n->op == OP_TALLY) s.ix = ix_const(b->x, dim_const(d, 0)); /* counts, not positions */
    s.buffer = kernel_buffer(b, b->plan->buffer_of[id], true);
    vec_push(b->arena, &b->body->stores, s);
}
