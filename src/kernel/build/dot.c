/* dot.c: contractions: four flattened axes (batch, m, n, k), operands evaluated through the views
 * above them, and the result as an accumulator that the epilogue reads. */
#include "kernel/build/build.h"

static Dim product(Dims *d, const Dim *shape, int count) {
    Dim p = dim_const(d, 1);
    for (int i = 0; i < count; i++) p = dim_mul(d, p, shape[i]);
    return p;
}

void flat_index(Builder *b, int axis, int rank, const Dim *shape, Ix *index) {
    bool one = dim_is(b->g->dims, b->x->extent[axis], 1);
    Ix at = one ? ix_const(b->x, dim_const(b->g->dims, 0)) : ix_axis(b->x, axis);
    ix_unflatten(b->x, at, rank, shape, index);
}

void flat_axis(Builder *b, int number, int count, const Dim *shape, Ix *index) {
    Axis axis = {number, product(b->g->dims, shape, count), false};
    b->x->extent[number] = axis.extent;
    vec_push(b->arena, &b->body->axes, axis);
    flat_index(b, number, count, shape, index);
}

/* The number of reduced axes from `right` on: the innermost ones. */
static int column_count(const Builder *b, const Node *n, int right, const Space *space) {
    int count = 0, k = space->rank;
    for (int i = n->rank; i-- > right;) {
        bool one = dim_is(b->g->dims, n->shape[i], 1);
        if (!one && !(space->reduced >> --k & 1)) break;
        count = n->rank - i;
    }
    return count;
}

static bool is_turned(const Builder *b) { return b->sums && b->sums->is_turned; }

static void dot_axes(Builder *b, NodeId dot, const Space *space) {
    const Node *n = &b->g->node[dot], *p = &b->g->node[n->src[0]];
    Dims *d = b->g->dims;
    Draft *body = b->body;
    int batch = n->attr[0], summed = n->attr[1], m = p->rank - batch - summed, right = batch + m;
    Ix index[RANK_MAX], along[RANK_MAX];
    flat_axis(b, DOT_BATCH, batch, n->shape, index);
    flat_axis(b, is_turned(b) ? DOT_N : DOT_M, m, n->shape + batch, index + batch);
    flat_axis(b, is_turned(b) ? DOT_M : DOT_N, n->rank - right, n->shape + right, index + right);
    flat_axis(b, DOT_K, summed, p->shape + p->rank - summed, along);
    for (int i = 0; i < space->rank; i++) body->columns += space->reduced >> i & 1;
    if (space->reduced) {
        int columns = column_count(b, n, right, space), segments = n->rank - right - columns;
        flat_axis(b, DOT_SEGMENT, segments, n->shape + right, index + right);
        flat_axis(b, DOT_COLUMN, columns, n->shape + right + segments, index + right + segments);
    }
    for (int i = 0, k = 0; i < n->rank; i++)
        if (!dim_is(d, n->shape[i], 1)) b->reduce_of[k] = index[i], b->axis_of[k++] = index[i];
    body->axes.at[DOT_K].is_col = true;
    body->row_count = DOT_K;
    body->lane = DOT_N;
    body->rows = product(d, b->x->extent, DOT_K);
    body->cols = b->x->extent[DOT_K];
}

int dot_operand(Builder *b, const Node *dot, int side, int own_axis, int summed_axis) {
    const Node *x = &b->g->node[dot->src[side]];
    int batch = dot->attr[0], summed = dot->attr[1], own = x->rank - batch - summed;
    Ix index[RANK_MAX];
    flat_index(b, DOT_BATCH, batch, x->shape, index);
    flat_index(b, own_axis, own, x->shape + batch, index + batch);
    flat_index(b, summed_axis, summed, x->shape + batch + own, index + batch + own);
    return build_value(b, dot->src[side], index, 0);
}

static int panels(Builder *b, const Node *dot, int side) {
    int buffer = plan_panels(b->plan, b->group, dot->src[side], side == 0);
    return buffer < 0 ? 0 : 1 + kernel_buffer(b, buffer, false);
}

static int accumulate(Builder *b, NodeId dot) {
    const Node *n = &b->g->node[dot];
    Accumulator acc = {.op = OP_DOT, .type = n->type, .online_max = -1};
    const bool is_result = b->family != F_DOT && !b->plan->inner[dot];
    const int n_axis = is_result ? ATTENTION_COLUMN : DOT_N;
    const int k_axis = is_result              ? ATTENTION_KEY
                       : b->family == F_CHAIN ? chain_depth(b, dot)
                                              : DOT_K;
    const int left = is_turned(b);
    acc.value = dot_operand(b, n, left, DOT_M, k_axis);
    acc.index = dot_operand(b, n, !left, n_axis, k_axis);
    for (int side = 0; side < 2; side++) acc.panels[side] = panels(b, n, side);
    Value v = {.kind = V_ACC, .op = OP_DOT, .type = n->type, .node = dot};
    v.attr = b->body->accs.count;
    acc.result = add_value(b, v);
    vec_push(b->arena, &b->body->accs, acc);
    return acc.result;
}

/* The finished accumulator at a column of its row; the loop's own column needs no guard. */
static int at_column(Builder *b, int result, NodeId id, const Ix *index, int guard) {
    const Node *n = &b->g->node[id];
    int right = n->rank;
    for (int left = b->body->columns; left; left -= !dim_is(b->g->dims, n->shape[right], 1))
        right--;
    if (!b->body->columns) return result;
    const Ix column = ix_flatten(b->x, n->rank - right, index + right, n->shape + right);
    if (column == ix_axis(b->x, DOT_COLUMN)) return result;
    Value v = b->body->values.at[result];
    v.ix = column, v.guard = guard;
    b->guarded += guard != 0;
    return add_value(b, v);
}

int dot_value(Builder *b, NodeId dot, const Ix *index, int guard) {
    for (int i = 0; i < b->body->accs.count; i++) {
        const int result = b->body->accs.at[i].result;
        if (b->body->values.at[result].node == dot) return at_column(b, result, dot, index, guard);
    }
    return accumulate(b, dot);
}

int dot_sum_value(Builder *b, int acc, NodeId id, const Ix *index, int guard) {
    return at_column(b, b->body->accs.at[acc].result, id, index, guard);
}

/* ---- contractions side by side, and added up ------------------------------------------------- */

/* Product `term` of each sum, along a k axis of its own, after all other axes. */
static Summand added_summand(Builder *b, const DotSums *sums, int term) {
    const Node *n = &b->g->node[sums->dot[0][term]], *x = &b->g->node[n->src[0]];
    const int axis = DOT_COLUMN + 1 + b->body->added.count, summed = n->attr[1];
    Ix along[RANK_MAX];
    flat_axis(b, axis, summed, x->shape + x->rank - summed, along);
    b->body->axes.at[b->body->axes.count - 1].is_col = true;
    Summand s = {.left = dot_operand(b, n, 0, DOT_M, axis), .axis = axis};
    for (int i = 0; i < sums->count; i++)
        s.right[i] = dot_operand(b, &b->g->node[sums->dot[i][term]], 1, DOT_N, axis);
    return s;
}

bool body_has_rows(const Body *b) { return b->dots && b->lane == DOT_COLUMN; }

void dot_start(Builder *b, const LoopNest *nest) {
    const DotSums *sums = b->sums = &nest->sums;
    dot_axes(b, sums->dot[0][0], &nest->space);
    for (int i = 0; i < sums->count; i++) accumulate(b, sums->dot[i][0]);
    b->body->dots = sums->count;
    for (int i = 1; i < sums->terms; i++) {
        const Summand s = added_summand(b, sums, i);
        vec_push(b->arena, &b->body->added, s);
    }
}

void dot_rows(Builder *b) {
    Draft *body = b->body;
    if (!body->columns) return;
    const Axis loops[] = {body->axes.at[DOT_BATCH], body->axes.at[DOT_SEGMENT],
                          body->axes.at[DOT_M], body->axes.at[DOT_COLUMN]};
    body->axes.count = 0;
    for (int i = 0; i < 4; i++) vec_push(b->arena, &body->axes, loops[i]);
    body->axes.at[3].is_col = true;
    body->row_count = 3;
    body->lane = DOT_COLUMN;
    body->rows =
        dim_mul(b->g->dims, product(b->g->dims, b->x->extent, DOT_N), b->x->extent[DOT_SEGMENT]);
    body->cols = b->x->extent[DOT_COLUMN];
    draft_find_online(body);
}

int body_summand_count(const Body *b) { return 1 + b->added.count; }

Summand body_summand(const Body *b, int i) {
    if (i) return b->added.at[i - 1];
    Summand s = {.left = b->accs.at[0].value, .axis = DOT_K};
    for (int j = 0; j < b->dots; j++) s.right[j] = b->accs.at[j].index;
    return s;
}
