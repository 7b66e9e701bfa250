/* blocks.c: a contraction of scaled blocks: the axes of a plain one, whose k goes through all of
 * them, and beside it the axis of blocks, along which factors are read.
 * In: the nodes from the contraction to the sum. Out: Body.blocks, one accumulator. */
#include "kernel/build/build.h"

static NodeId find_dot(const Builder *b, const LoopNest *nest) {
    for (int i = 0; i < nest->nodes.count; i++)
        if (b->g->node[nest->nodes.at[i]].op == OP_DOT) return nest->nodes.at[i];
    BUG("build: no contraction below the sum %%%d", nest->blocks);
}

/* index: of an element of the contraction's result. */
static void block_axes(Builder *b, const Node *dot, Ix *index) {
    const Node *p = &b->g->node[dot->src[0]];
    const int block = dot->attr[0] - 1, m = block + 1, right = p->rank - 1;
    const Dim along[] = {dot->shape[block], p->shape[right]};
    Ix ignored[2];
    Draft *body = b->body;
    flat_axis(b, DOT_BATCH, block, dot->shape, index);
    flat_axis(b, DOT_M, right - m, dot->shape + m, index + m);
    flat_axis(b, DOT_N, dot->rank - right, dot->shape + right, index + right);
    flat_axis(b, DOT_K, 2, along, ignored);
    flat_axis(b, DOT_BLOCK, 1, along, index + block);
    for (int i = 0, k = 0; i < dot->rank; i++)
        if (i != block && !dim_is(b->g->dims, dot->shape[i], 1))
            b->reduce_of[k] = index[i], b->axis_of[k++] = index[i];
    for (int i = DOT_K; i < body->axes.count; i++) body->axes.at[i].is_col = true;
    body->row_count = DOT_K;
    body->lane = DOT_N;
    body->rows = b->x->extent[DOT_BATCH];
    for (int i = DOT_M; i <= DOT_N; i++)
        body->rows = dim_mul(b->g->dims, body->rows, b->x->extent[i]);
    body->cols = b->x->extent[DOT_K];
}

/* An operand, along all blocks of k. */
static int operand(Builder *b, const Node *dot, int side, int own_axis) {
    const Node *x = &b->g->node[dot->src[side]];
    const int block = dot->attr[0] - 1, k = x->rank - 1;
    const Dim along[] = {x->shape[block], x->shape[k]};
    Ix index[RANK_MAX], position[2];
    flat_index(b, DOT_BATCH, block, x->shape, index);
    flat_index(b, own_axis, k - block - 1, x->shape + block + 1, index + block + 1);
    flat_index(b, DOT_K, 2, along, position);
    index[block] = position[0], index[k] = position[1];
    return build_value(b, dot->src[side], index, 0);
}

void blocks_start(Builder *b, const LoopNest *nest) {
    const NodeId id = find_dot(b, nest);
    const Node *dot = &b->g->node[id], *sum = &b->g->node[nest->blocks];
    Accumulator acc = {.op = OP_DOT, .type = dot->type, .online_max = -1};
    BlockValues blocks = {0};
    Ix index[RANK_MAX];
    block_axes(b, dot, index);
    acc.value = operand(b, dot, 0, DOT_M);
    acc.index = operand(b, dot, 1, DOT_N);
    Value v = {.kind = V_PART, .op = OP_DOT, .type = dot->type, .node = id};
    b->body->blocks.part = blocks.part = add_value(b, v);
    blocks.term = build_value(b, sum->src[0], index, 0);
    v = (Value){.kind = V_ACC, .op = OP_DOT, .type = dot->type, .node = nest->blocks};
    acc.result = add_value(b, v);
    vec_push(b->arena, &b->body->accs, acc);
    b->body->dots = 1;
    b->body->blocks = blocks;
    b->blocks = nest->blocks;
}
