/* test_eval.c: the reference evaluator as a whole: leaves, views, matrix products, take, what its
 * modes mean, and how it fails. The elementwise ops and the rows have tests of their own. */
#include "world.h"

/* ---- what the modes mean ------------------------------------------------------------------ */

/* (x + 1) - 1 of a small x: gone in f32, kept when exact, and nudged at most by a few units. */
static void modes_differ_in_rounding(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = vector(&w, T_F32, 1, VALUES(0x1p-30)), one = vector(&w, T_F32, 1, VALUES(1));
    NodeId y = graph_map(w.g, OP_SUB, graph_map(w.g, OP_ADD, x, one, 0, NOWHERE), one, 0, NOWHERE);
    Tensor *exact = run(&w, y, EVAL_EXACT), *declared = run(&w, y, EVAL_DECLARED);
    Tensor *nudged = run(&w, y, EVAL_NUDGED);
    expect_near(exact, 0, 0x1p-30, 0);
    expect_near(declared, 0, 0, 0);
    assert_true(fabs(value_at(nudged, 0)) <= 0x1p-21);
    tensor_free(exact);
    tensor_free(declared);
    tensor_free(nudged);
    world_close(&w);
}

static void exact_rounds_at_casts_only(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = vector(&w, T_F32, 1, VALUES(1)), eps = vector(&w, T_F32, 1, VALUES(0x1p-20));
    NodeId sum = graph_map(w.g, OP_ADD, x, eps, 0, NOWHERE);
    NodeId narrow = graph_cast(w.g, graph_cast(w.g, sum, T_BF16, NOWHERE), T_F32, NOWHERE);
    expect(&w, graph_map(w.g, OP_SUB, narrow, x, 0, NOWHERE), T_F32, 1, VALUES(0));
    expect(&w, graph_map(w.g, OP_SUB, sum, x, 0, NOWHERE), T_F32, 1, VALUES(0x1p-20));
    world_close(&w);
}

/* 2^24 + 1 + 1 .. stays in f32, where each 1 is lost. */
static void declared_sums_are_f32_from_first_to_last(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = vector(&w, T_F32, 4, VALUES(16777216, 1, 1, 1));
    NodeId sum = graph_reduce(w.g, OP_SUM, x, 1, NOWHERE);
    Tensor *exact = run(&w, sum, EVAL_EXACT), *declared = run(&w, sum, EVAL_DECLARED);
    Tensor *nudged = run(&w, sum, (EvalMode)(EVAL_NUDGED + 1));
    expect_near(exact, 0, 16777220, 0); /* 16777219, as f32 */
    expect_near(declared, 0, 16777216, 0);
    expect_near(nudged, 0, 16777218, 0); /* (2^24 + 1) + (1 + 1) */
    tensor_free(exact);
    tensor_free(declared);
    tensor_free(nudged);
    world_close(&w);
}

/* 1.0f / 3 cubed, a product at a time. */
static void declared_literal_powers_multiply(void **state) {
    (void)state;
    World w;
    world_open(&w);
    float third = 1.0f / 3, square = third * third;
    NodeId x = vector(&w, T_F32, 1, VALUES(third));
    NodeId shape[] = {dim_const(w.g->dims, 1)};
    NodeId three = graph_broadcast(w.g, constant(&w, T_F32, 3), 1, shape, NOWHERE);
    Tensor *t = run(&w, graph_map(w.g, OP_POW, x, three, 0, NOWHERE), EVAL_DECLARED);
    expect_near(t, 0, square * third, 0);
    tensor_free(t);
    world_close(&w);
}

/* Nudging leaves alone what is exact in every program. */
static void nudged_keeps_exact_results(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = vector(&w, T_F32, 3, VALUES(3, -0.5, 1)),
           two = vector(&w, T_F32, 3, VALUES(2, 2, 2));
    Tensor *t = run(&w, graph_map(w.g, OP_MUL, x, two, 0, NOWHERE), EVAL_NUDGED);
    for (int i = 0; i < 3; i++) expect_near(t, i, VALUES(6, -1, 2)[i], 0);
    tensor_free(t);
    world_close(&w);
}

/* ---- leaves and views ------------------------------------------------------------------- */

static void leaves_hold_their_values(void **state) {
    (void)state;
    World w;
    world_open(&w);
    Dim n = dim_symbol(w.g->dims, "N", NOWHERE);
    w.symbols[0] = 3;
    expect(&w, graph_iota(w.g, n, NOWHERE), T_I32, 3, VALUES(0, 1, 2));
    expect(&w, graph_dim(w.g, dim_mul(w.g->dims, n, n), NOWHERE), T_I64, 1, VALUES(9));
    expect(&w, constant(&w, T_F32, 0.1), T_F32, 1, VALUES(0.1f));
    expect(&w, constant(&w, T_BOOL, 1), T_BOOL, 1, VALUES(1));
    expect(&w, constant(&w, T_I64, -5), T_I64, 1, VALUES(-5));
    world_close(&w);
}

static void dims_of(World *w, const int64_t *shape, int rank, Dim *dims) {
    for (int axis = 0; axis < rank; axis++) dims[axis] = dim_const(w->g->dims, shape[axis]);
}

static void views_move_elements(void **state) {
    (void)state;
    World w;
    Dim d[RANK_MAX] = {0}, at[RANK_MAX] = {0};
    world_open(&w);
    NodeId x = input(&w, T_F32, 2, SHAPE(2, 3), VALUES(1, 2, 3, 4, 5, 6));
    dims_of(&w, SHAPE(3, 2), 2, d);
    expect(&w, graph_reshape(w.g, x, 2, d, NOWHERE), T_F32, 6, VALUES(1, 2, 3, 4, 5, 6));
    expect(&w, graph_permute(w.g, x, (const int[]){1, 0}, NOWHERE), T_F32, 6,
           VALUES(1, 4, 2, 5, 3, 6));
    dims_of(&w, SHAPE(0, 1), 2, at);
    dims_of(&w, SHAPE(2, 2), 2, d);
    expect(&w, graph_slice(w.g, x, at, d, NOWHERE), T_F32, 4, VALUES(2, 3, 5, 6));
    dims_of(&w, SHAPE(1, 0), 2, at);
    dims_of(&w, SHAPE(3, 4), 2, d);
    expect(&w, graph_pad(w.g, x, at, d, constant(&w, T_F32, 9), NOWHERE), T_F32, 12,
           VALUES(9, 9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9));
    expect(&w, graph_flip(w.g, x, 2, NOWHERE), T_F32, 6, VALUES(3, 2, 1, 6, 5, 4));
    expect(&w, graph_flip(w.g, x, 3, NOWHERE), T_F32, 6, VALUES(6, 5, 4, 3, 2, 1));
    world_close(&w);
}

static void permute_takes_axis_perm_i(void **state) {
    (void)state;
    double x[24];
    for (int i = 0; i < 24; i++) x[i] = i;
    World w;
    world_open(&w);
    NodeId node = input(&w, T_I32, 3, SHAPE(2, 3, 4), x);
    Tensor *t = run(&w, graph_permute(w.g, node, (const int[]){2, 0, 1}, NOWHERE), EVAL_EXACT);
    assert_int_equal(t->shape[0], 4);
    assert_int_equal(t->shape[1], 2);
    assert_int_equal(t->shape[2], 3);
    /* result[k, i, j] is x[i, j, k] */
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 3; j++)
                assert_int_equal(value_at(t, (k * 2 + i) * 3 + j), (i * 3 + j) * 4 + k);
    tensor_free(t);
    world_close(&w);
}

static void broadcast_repeats(void **state) {
    (void)state;
    World w;
    Dim d[RANK_MAX] = {0};
    world_open(&w);
    NodeId row = vector(&w, T_F32, 3, VALUES(1, 2, 3));
    dims_of(&w, SHAPE(2, 3), 2, d);
    expect(&w, graph_broadcast(w.g, row, 2, d, NOWHERE), T_F32, 6, VALUES(1, 2, 3, 1, 2, 3));
    NodeId column = input(&w, T_F32, 2, SHAPE(2, 1), VALUES(7, 8));
    expect(&w, graph_broadcast(w.g, column, 2, d, NOWHERE), T_F32, 6, VALUES(7, 7, 7, 8, 8, 8));
    world_close(&w);
}

/* ---- take ------------------------------------------------------------------------------- */

static void take_replaces_the_axis(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = input(&w, T_F32, 2, SHAPE(2, 3), VALUES(1, 2, 3, 4, 5, 6));
    NodeId at = input(&w, T_I32, 2, SHAPE(2, 2), VALUES(2, 0, 0, 1));
    NodeId columns = node_with(&w, OP_GATHER, x, at, 0, 1);
    expect(&w, columns, T_F32, 8, VALUES(3, 1, 1, 2, 6, 4, 4, 5));
    assert_int_equal(w.g->node[columns].rank, 3);
    NodeId rows = vector(&w, T_U8, 3, VALUES(1, 1, 0));
    expect(&w, node_with(&w, OP_GATHER, x, rows, 0, 0), T_F32, 9,
           VALUES(4, 5, 6, 4, 5, 6, 1, 2, 3));
    world_close(&w);
}

static NodeId scatter(World *w, NodeId base, NodeId at, NodeId x, int axis, Op with) {
    return graph_scatter(w->g, base, at, x, axis, with, NOWHERE);
}

static void scatter_combines_in_order(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId base = input(&w, T_F32, 2, SHAPE(3, 2), VALUES(1, 2, 3, 4, 5, 6));
    NodeId at = vector(&w, T_I64, 3, VALUES(2, 0, 2));
    NodeId x = input(&w, T_F32, 2, SHAPE(3, 2), VALUES(10, -20, 30, 40, 50, -60));
    expect(&w, scatter(&w, base, at, x, 0, OP_ADD), T_F32, 6, VALUES(31, 42, 3, 4, 65, -74));
    expect(&w, scatter(&w, base, at, x, 0, OP_MAX), T_F32, 6, VALUES(30, 40, 3, 4, 50, 6));
    expect(&w, scatter(&w, base, at, x, 0, OP_MIN), T_F32, 6, VALUES(1, 2, 3, 4, 5, -60));
    expect(&w, scatter(&w, base, at, x, 0, OP_NULL), T_F32, 6, VALUES(30, 40, 3, 4, 50, -60));
    NodeId across = input(&w, T_F32, 3, SHAPE(3, 2, 1), VALUES(1, 2, 3, 4, 5, 6));
    NodeId both = input(&w, T_U8, 2, SHAPE(2, 1), VALUES(1, 1));
    expect(&w, scatter(&w, base, both, across, 1, OP_ADD), T_F32, 6, VALUES(1, 5, 3, 11, 5, 17));
    NodeId row = vector(&w, T_I32, 3, VALUES(2, 0, 2));
    NodeId segments = node_with(&w, OP_SEGMENTS, row, 0, 0, dim_const(w.g->dims, 3));
    expect(&w, segments, T_I32, 7, VALUES(0, 1, 1, 3, 1, 0, 2));
    const Dim rows = dim_const(w.g->dims, 3);
    Node tally = {.op = OP_TALLY, .src_count = 1, .src = {row}, .attr = {rows, 2, 2}};
    expect(&w, graph_add(w.g, &tally), T_I32, 4, VALUES(1, 1, 0, 1));
    Node groups = {.op = OP_GROUPS, .src_count = 2, .src = {row, graph_add(w.g, &tally)}};
    groups.attr[0] = rows, groups.attr[1] = 2;
    expect(&w, graph_add(w.g, &groups), T_I32, 6, VALUES(0, 1, 3, 1, 0, 2));
    Node grouped = {.op = OP_GROUPED, .src_count = 2, .src = {row, graph_add(w.g, &groups)}};
    grouped.attr[0] = rows, grouped.attr[1] = 2;
    expect(&w, graph_add(w.g, &grouped), T_I32, 7, VALUES(0, 1, 1, 3, 1, 0, 2));
    Node binned = {.op = OP_BINNED, .src_count = 2, .src = {x, row}, .attr = {rows, OP_SUM, 2, 0}};
    expect(&w, graph_add(w.g, &binned), T_F32, 12,
           VALUES(30, 40, 0, 0, 10, -20, 0, 0, 0, 0, 50, -60));
    binned.src[0] = across, binned.attr[1] = OP_RMAX, binned.attr[2] = 1;
    expect(&w, graph_add(w.g, &binned), T_F32, 6, VALUES(3, 4, -INFINITY, -INFINITY, 5, 6));
    const Dim first[] = {dim_const(w.g->dims, 0), dim_const(w.g->dims, 1), dim_const(w.g->dims, 4)};
    NodeId starts = graph_slice(w.g, segments, &first[0], &rows, NOWHERE);
    NodeId ends = graph_slice(w.g, segments, &first[1], &rows, NOWHERE);
    NodeId positions = graph_slice(w.g, segments, &first[2], &rows, NOWHERE);
    expect(&w,
           graph_add(w.g, &(Node){.op = OP_COMBINE,
                                  .src_count = 5,
                                  .src = {base, starts, ends, positions, x},
                                  .attr = {0, OP_ADD},
                                  .span = NOWHERE}),
           T_F32, 6, VALUES(31, 42, 3, 4, 65, -74));
    world_close(&w);
}

/* 3 chunks of 2 rows: the last one has none. */
static void partial_sums_are_of_chunks(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = input(&w, T_F32, 3, SHAPE(2, 2, 2), VALUES(1, 2, 3, 4, 5, 6, 7, 8));
    Node sums = {.op = OP_PARTIAL_SUM, .src_count = 1, .src = {x}, .attr = {3, 3}, .span = NOWHERE};
    expect(&w, graph_add(w.g, &sums), T_F32, 6, VALUES(4, 6, 12, 14, 0, 0));
    world_close(&w);
}

static void scatter_clamps(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId base = vector(&w, T_I32, 2, VALUES(1, INT32_MAX)),
           at = vector(&w, T_I32, 2, VALUES(-1, 9));
    NodeId x = vector(&w, T_I32, 2, VALUES(5, 1));
    expect(&w, scatter(&w, base, at, x, 0, OP_ADD), T_I32, 2, VALUES(6, INT32_MIN));
    world_close(&w);
}

static void take_clamps_or_reports(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = vector(&w, T_F32, 3, VALUES(1, 2, 3)), at = vector(&w, T_I64, 3, VALUES(1, 3, -1));
    expect(&w, node_with(&w, OP_GATHER, x, at, 0, 0), T_F32, 3, VALUES(2, 3, 1));
    Tensor *out;
    assert_false(eval(w.g, w.symbols, inputs_of(&w), EVAL_EXACT, true, &out));
    assert_null(out);
    assert_string_equal(w.diag->messages.at[0].text,
                        "take: index 3 (element 1 of the indices) is out of range: the axis has "
                        "size 3");
    world_close(&w);
}

/* ---- matrix products -------------------------------------------------------------------- */

/* a[b, m, k] . c[b, n, k] by four loops over the tensors themselves. */
static void dot_sums_over_the_last_axes(void **state) {
    (void)state;
    enum { B = 2, M = 3, N = 4, K = 5 };
    World w;
    world_open(&w);
    NodeId a = input(&w, T_BF16, 3, SHAPE(B, M, K), NULL);
    NodeId c = input(&w, T_BF16, 3, SHAPE(B, N, K), NULL);
    NodeId dot = graph_dot(w.g, a, c, 1, 1, NOWHERE);
    Tensor *exact = run(&w, dot, EVAL_EXACT), *declared = run(&w, dot, EVAL_DECLARED);
    assert_int_equal(exact->type, T_F32);
    for (int i = 0; i < B * M * N; i++) {
        int b = i / (M * N), m = i / N % M, n = i % N;
        double want = 0;
        float sum = 0;
        for (int k = 0; k < K; k++) {
            double x = value_at(w.input[0], (b * M + m) * K + k);
            double y = value_at(w.input[1], (b * N + n) * K + k);
            want += x * y;
            sum += (float)x * (float)y;
        }
        expect_near(exact, i, (float)want, 0);
        expect_near(declared, i, sum, 0);
    }
    tensor_free(exact);
    tensor_free(declared);
    world_close(&w);
}

static void dot_sums_over_two_axes(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId a = input(&w, T_F64, 3, SHAPE(1, 2, 2), VALUES(1, 2, 3, 4));
    NodeId b = input(&w, T_F64, 3, SHAPE(2, 2, 2), VALUES(1, 1, 1, 1, 1, 10, 100, 1000));
    expect(&w, graph_dot(w.g, a, b, 0, 2, NOWHERE), T_F64, 2, VALUES(10, 4321));
    world_close(&w);
}

static void dot_of_integers_wraps(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId a = input(&w, T_I32, 2, SHAPE(1, 2), VALUES(65536, 1));
    NodeId b = input(&w, T_I32, 2, SHAPE(1, 2), VALUES(65536, 7));
    expect(&w, graph_dot(w.g, a, b, 0, 1, NOWHERE), T_I32, 1, VALUES(7));
    NodeId c = input(&w, T_I8, 2, SHAPE(1, 2), VALUES(-128, 100));
    expect(&w, graph_dot(w.g, c, c, 0, 1, NOWHERE), T_I32, 1, VALUES(26384));
    world_close(&w);
}

/* 1 + 2^-11 has twelve significant bits, one more than tf32. */
static void declared_tf32_shortens_operands(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId a = input(&w, T_F32, 2, SHAPE(1, 1), VALUES(1 + 0x1p-11));
    NodeId b = input(&w, T_F32, 2, SHAPE(1, 1), VALUES(1));
    NodeId dot = graph_dot(w.g, a, b, 0, 1, NOWHERE);
    w.g->attrs.precision = P_TF32;
    Tensor *exact = run(&w, dot, EVAL_EXACT), *declared = run(&w, dot, EVAL_DECLARED);
    expect_near(exact, 0, 1 + 0x1p-11, 0);
    expect_near(declared, 0, 1, 0);
    tensor_free(exact);
    tensor_free(declared);
    world_close(&w);
}

/* exp(where(mask, x, -inf)) of two keys, the second of which is masked. */
static NodeId masked_weights(World *w) {
    NodeId shape[] = {dim_const(w->g->dims, 2)};
    NodeId below = graph_broadcast(w->g, constant(w, T_F32, -INFINITY), 1, shape, NOWHERE);
    NodeId mask = vector(w, T_BOOL, 2, VALUES(1, 0)), x = vector(w, T_F32, 2, VALUES(0, 1));
    return graph_map(w->g, OP_EXP, graph_map(w->g, OP_WHERE, mask, x, below, NOWHERE), 0, 0,
                     NOWHERE);
}

static void masked_weights_hide_their_values(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId weights = masked_weights(&w), v = vector(&w, T_F32, 2, VALUES(3, NAN));
    NodeId product = graph_map(w.g, OP_MUL, weights, v, 0, NOWHERE);
    NodeId dots[] = {graph_dot(w.g, weights, v, 0, 1, NOWHERE),
                     graph_dot(w.g, v, weights, 0, 1, NOWHERE),
                     graph_dot(w.g, product, v, 0, 1, NOWHERE)};
    for (int i = 0; i < 3; i++) {
        Tensor *undecided = run(&w, dots[i], EVAL_UNDECIDED);
        Tensor *nudged = run(&w, dots[i], EVAL_NUDGED);
        expect(&w, dots[i], T_F32, 1, VALUES(i == 2 ? 9 : 3));
        expect_near(nudged, 0, i == 2 ? 9 : 3, 1e-5);
        assert_true(isnan(value_at(undecided, 0)));
        tensor_free(undecided);
        tensor_free(nudged);
    }
    world_close(&w);
}

/* The order of the factors decides about 1e30 * 1e30 * 1e-30, and not about the others. */
static void products_of_large_and_small_are_undecided(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId of[] = {vector(&w, T_F32, 3, VALUES(1e30, 1e30, 1e-30)),
                   vector(&w, T_F32, 3, VALUES(1e30, 1e-30, 1e-30)),
                   vector(&w, T_F32, 4, VALUES(1e30, 1e30, 1e-30, 1e-30)),
                   vector(&w, T_F32, 3, VALUES(1e30, 1e30, 0.5)),
                   vector(&w, T_F32, 3, VALUES(1e-30, 1e-30, 2)),
                   vector(&w, T_F32, 3, VALUES(3, -2, 0))};
    for (int i = 0; i < 6; i++) {
        Tensor *y = run(&w, graph_reduce(w.g, OP_PROD, of[i], 1, NOWHERE), EVAL_UNDECIDED);
        assert_int_equal(isnan(value_at(y, 0)), i < 3);
        tensor_free(y);
    }
    world_close(&w);
}

/* What no mask has made 0 is multiplied, and what no matmul reads is as it is computed. */
static void only_masks_hide(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId zeros = vector(&w, T_F32, 2, VALUES(1, 0)), v = vector(&w, T_F32, 2, VALUES(3, NAN));
    expect(&w, graph_dot(w.g, zeros, v, 0, 1, NOWHERE), T_F32, 1, VALUES(NAN));
    NodeId product = graph_map(w.g, OP_MUL, masked_weights(&w), v, 0, NOWHERE);
    expect(&w, product, T_F32, 2, VALUES(3, NAN));
    world_close(&w);
}

/* ---- outputs and failures --------------------------------------------------------------- */

static void outputs_may_be_read_again_and_shared(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = vector(&w, T_F32, 2, VALUES(1, 2));
    NodeId y = graph_map(w.g, OP_NEG, x, 0, 0, NOWHERE);
    NodeId z = graph_map(w.g, OP_ADD, y, y, 0, NOWHERE);
    graph_output(w.g, "y", y, NOWHERE);
    graph_output(w.g, "z", z, NOWHERE);
    graph_output(w.g, "x", x, NOWHERE);
    graph_output(w.g, "again", y, NOWHERE);
    Tensor *out[4];
    assert_true(eval(w.g, w.symbols, inputs_of(&w), EVAL_EXACT, true, out));
    for (int i = 0; i < 2; i++) {
        expect_near(out[0], i, -1 - i, 0);
        expect_near(out[1], i, -2 - 2 * i, 0);
        expect_near(out[2], i, 1 + i, 0);
        expect_near(out[3], i, -1 - i, 0);
    }
    for (int i = 0; i < 4; i++) tensor_free(out[i]);
    world_close(&w);
}

static void too_many_elements_are_an_error(void **state) {
    (void)state;
    World w;
    world_open(&w);
    w.limits.elements = 1000;
    w.symbols[0] = 1001;
    Dim n = dim_symbol(w.g->dims, "N", NOWHERE);
    graph_output(w.g, "y", graph_iota(w.g, n, NOWHERE), NOWHERE);
    Tensor *out;
    assert_false(eval(w.g, w.symbols, NULL, EVAL_EXACT, true, &out));
    assert_null(out);
    assert_non_null(strstr(w.diag->messages.at[0].text, "i32[N]"));
    assert_non_null(strstr(w.diag->messages.at[0].text, "elements=1000"));
    world_close(&w);
}

static void too_little_memory_is_a_refusal(void **state) {
    (void)state;
    World w;
    world_open(&w);
    w.limits.elements = INT64_MAX;
    w.symbols[0] = INT64_MAX / 2;
    Dim n = dim_symbol(w.g->dims, "N", NOWHERE);
    NodeId one = constant(&w, T_F32, 1);
    graph_output(w.g, "y", graph_broadcast(w.g, one, 1, &n, NOWHERE), NOWHERE);
    Tensor *out;
    assert_false(eval(w.g, w.symbols, NULL, EVAL_EXACT, true, &out));
    assert_null(out);
    assert_int_equal(w.diag->errors, 0);
    assert_non_null(strstr(w.diag->refusal, "out of memory"));
    world_close(&w);
}

static void inputs_that_do_not_fit_are_an_error(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = vector(&w, T_F32, 2, VALUES(1, 2));
    graph_output(w.g, "y", graph_map(w.g, OP_NEG, x, 0, 0, NOWHERE), NOWHERE);
    tensor_free(w.input[0]);
    w.input[0] = tensor_new(T_F32, 1, SHAPE(3));
    Tensor *out;
    assert_false(eval(w.g, w.symbols, inputs_of(&w), EVAL_EXACT, true, &out));
    assert_string_equal(w.diag->messages.at[0].text, "input p is not f32[2] with the dims given");
    world_close(&w);
}

/* ---- no op is forgotten ----------------------------------------------------------------- */

/* The classes of which each op has a test above; test_eval_map.c and test_eval_rows.c have
 * others. */
static void every_other_op_has_a_test(void **state) {
    (void)state;
    static const bool seen[OP_COUNT] = {
        [OP_INPUT] = true,   [OP_CONST] = true,     [OP_DIM] = true,      [OP_IOTA] = true,
        [OP_RESHAPE] = true, [OP_PERMUTE] = true,   [OP_SLICE] = true,    [OP_PAD] = true,
        [OP_GATHER] = true,  [OP_BROADCAST] = true, [OP_DOT] = true,      [OP_CUMSUM] = true,
        [OP_CUMMAX] = true,  [OP_CUMMIN] = true,    [OP_CUMPROD] = true,
        [OP_FLIP] = true,    [OP_COMBINE] = true,   [OP_SEGMENTS] = true, [OP_PARTIAL_SUM] = true,
        [OP_TALLY] = true,   [OP_GROUPS] = true,    [OP_GROUPED] = true,  [OP_BINNED] = true};
    for (int op = 1; op < OP_COUNT; op++) {
        OpClass class = op_info[op].class;
        bool elsewhere = class == MAP || class == REDUCE || class == COMPOSITE || class == SUGAR;
        if (!elsewhere && !seen[op]) fail_msg("no test for %s", op_info[op].name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_differ_in_rounding),
        cmocka_unit_test(exact_rounds_at_casts_only),
        cmocka_unit_test(declared_sums_are_f32_from_first_to_last),
        cmocka_unit_test(declared_literal_powers_multiply),
        cmocka_unit_test(nudged_keeps_exact_results),
        cmocka_unit_test(leaves_hold_their_values),
        cmocka_unit_test(views_move_elements),
        cmocka_unit_test(permute_takes_axis_perm_i),
        cmocka_unit_test(broadcast_repeats),
        cmocka_unit_test(take_replaces_the_axis),
        cmocka_unit_test(scatter_combines_in_order),
        cmocka_unit_test(partial_sums_are_of_chunks),
        cmocka_unit_test(scatter_clamps),
        cmocka_unit_test(take_clamps_or_reports),
        cmocka_unit_test(dot_sums_over_the_last_axes),
        cmocka_unit_test(dot_sums_over_two_axes),
        cmocka_unit_test(dot_of_integers_wraps),
        cmocka_unit_test(declared_tf32_shortens_operands),
        cmocka_unit_test(masked_weights_hide_their_values),
        cmocka_unit_test(products_of_large_and_small_are_undecided),
        cmocka_unit_test(only_masks_hide),
        cmocka_unit_test(outputs_may_be_read_again_and_shared),
        cmocka_unit_test(too_many_elements_are_an_error),
        cmocka_unit_test(too_little_memory_is_a_refusal),
        cmocka_unit_test(inputs_that_do_not_fit_are_an_error),
        cmocka_unit_test(every_other_op_has_a_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
