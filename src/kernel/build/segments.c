/* segments.c: the sort of indices that a scatter needs, or a step of it: its body is the loop over
 * the indices, whose row is computed at each. Or the loop over elements that are combined by their
 * indices: where each goes, and what is combined. What is stored in the end, emission writes. In: a
 * nest with nodes of the class SEGMENTS. Out: the body. */
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

static SortValues binned_values(const Builder *b, const Node *n) {
    const Node *x = &b->g->node[n->src[0]];
    SortValues sort = {.op = n->op,
                       .parts = n->attr[2],
                       .with = (Op)n->attr[1],
                       .type = n->type,
                       .rows = dim_const(b->g->dims, 1),
                       .columns = 1};
    for (int i = 0; i < x->rank; i++) {
        int64_t size;
        if (i <= n->attr[3])
            sort.rows = dim_mul(b->g->dims, sort.rows, x->shape[i]);
        else if (dim_is_const(b->g->dims, x->shape[i], &size))
            sort.columns *= size;
        else
            BUG("build: open columns of bins");
    }
    return sort;
}

static void one_loop(Builder *b, Dim count) {
    b->body->axes.at[0].is_col = true;
    b->body->lane = SEGMENTS_COUNT;
    b->body->rows = dim_const(b->g->dims, 1);
    b->body->cols = count;
}

/* The first store is of where an element goes. */
static void binned_body(Builder *b, const LoopNest *nest, NodeId first) {
    const Node *n = &b->g->node[first], *x = &b->g->node[n->src[0]];
    const int axis = n->attr[3];
    Ix index[RANK_MAX], to[RANK_MAX];
    flat_axis(b, SEGMENTS_COUNT, x->rank, x->shape, index);
    b->x->extent[SEGMENTS_ROWS] = dim_const(b->g->dims, 1);
    for (int i = 1; i < n->rank; i++)
        b->x->extent[SEGMENTS_ROWS] = dim_mul(b->g->dims, b->x->extent[SEGMENTS_ROWS], n->shape[i]);
    one_loop(b, node_elements(b->g, n->src[0]));
    b->body->sort = binned_values(b, n);
    Value row = {.kind = V_CLAMP, .type = T_I64, .operand = T_I32, .node = first};
    row.src[0] = build_value(b, n->src[1], &index[axis], 0);
    row.attr = n->attr[0], row.is_within = true;
    for (int i = 0; i < x->rank; i++) to[i] = index[i];
    to[axis] = ix_value(b->x, add_value(b, row), n->attr[0], ~0u);
    Value bin = {.kind = V_INDEX, .type = T_I32, .node = first};
    bin.ix = ix_flatten(b->x, x->rank, to, n->shape + 1);
    Store s = {.value = add_value(b, bin), .ix = ix_const(b->x, dim_const(b->g->dims, 0))};
    s.buffer = kernel_buffer(b, b->plan->buffer_of[first], true);
    vec_push(b->arena, &b->body->stores, s);
    for (int i = 0; i < nest->nodes.count; i++) {
        const NodeId id = nest->nodes.at[i];
        if (b->g->node[id].op != OP_BINNED) continue;
        s.value = build_value(b, b->g->node[id].src[0], index, 0);
        s.buffer = kernel_buffer(b, b->plan->buffer_of[id], true);
        vec_push(b->arena, &b->body->stores, s);
    }
}

void segments_body(Builder *b, const LoopNest *nest) {
    const NodeId id = find_segments(b, nest);
    const Node *n = &b->g->node[id], *indices = &b->g->node[n->src[0]];
    Dims *d = b->g->dims;
    if (n->op == OP_BINNED) {
        binned_body(b, nest, id);
        return;
    }
    const Dim before = n->op == OP_GROUPS ? dim_const(d, n->attr[1]) : n->attr[0];
    Ix index[RANK_MAX];
    flat_axis(b, SEGMENTS_COUNT, 1, indices->shape, index);
    b->x->extent[SEGMENTS_ROWS] = n->attr[0];
    one_loop(b, indices->shape[0]);
    b->body->sort = sort_values(b, n);
    Store s = {.value = build_value(b, n->src[0], index, 0)};
    s.ix = ix_add(b->x, ix_const(b->x, dim_add(d, before, dim_const(d, 1))), index[0]);
    if (n->op == OP_TALLY) s.ix = ix_const(b->x, dim_const(d, 0)); /* counts, not positions */
    s.buffer = kernel_buffer(b, b->plan->buffer_of[id], true);
    vec_push(b->arena, &b->body->stores, s);
}
