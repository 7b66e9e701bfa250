/* test_eval_rows.c: what the evaluator makes of rows: reductions, scans and the composites,
 * which are compared with formulas written here in another way. */
#include "world.h"

#define LN2 0.69314718055994530942
#define INF INFINITY
#define F   T_F64
#define I   T_I32

/* ---- elementwise composites ------------------------------------------------------------- */

typedef struct MapCase {
    Op op;
    Dtype type; /* of the operands */
    double a, b, c, want;
} MapCase;

static const MapCase map_cases[] = {
    {OP_RELU, F, -1, 0, 0, 0},
    {OP_RELU, F, 2, 0, 0, 2},
    {OP_RELU, F, NAN, 0, 0, NAN},
    {OP_RELU, I, -5, 0, 0, 0},
    {OP_RELU, I, 5, 0, 0, 5},
    {OP_CLAMP, F, 5, -1, 1, 1},
    {OP_CLAMP, F, -5, -1, 1, -1},
    {OP_CLAMP, F, 0.5, -1, 1, 0.5},
    {OP_CLAMP, F, NAN, -1, 1, NAN},
    {OP_CLAMP, F, 0, 2, 1, 1},
    {OP_CLAMP, I, 5, -1, 1, 1},
    {OP_SIGMOID, F, 0, 0, 0, 0.5},
    {OP_SIGMOID, F, LN2, 0, 0, 2.0 / 3},
    {OP_SIGMOID, F, -INF, 0, 0, 0},
    {OP_SIGMOID, F, INF, 0, 0, 1},
    {OP_SILU, F, LN2, 0, 0, 2 * LN2 / 3},
    {OP_SILU, F, INF, 0, 0, INF},
    {OP_SILU, F, -1000, 0, 0, -0.0},
    {OP_GELU, F, 1, 0, 0, 0.84134474606854294859},
    {OP_GELU, F, -1, 0, 0, -0.15865525393145705141},
    {OP_GELU, F, 0, 0, 0, 0},
    {OP_GELU, F, NAN, 0, 0, NAN},
    {OP_GELU_TANH, F, 1, 0, 0, 0.84119199060827670478},
    {OP_GELU_TANH, F, 0, 0, 0, 0},
    {OP_GELU_TANH, F, INF, 0, 0, INF},
    {OP_SOFTPLUS, F, 0, 0, 0, LN2},
    {OP_SOFTPLUS, F, LN2, 0, 0, 1.0986122886681098},
    {OP_SOFTPLUS, F, 1000, 0, 0, 1000},
    {OP_SOFTPLUS, F, -INF, 0, 0, 0},
    {OP_SOFTPLUS, F, NAN, 0, 0, NAN},
    {OP_STOP_GRADIENT, F, -2.5, 0, 0, -2.5},
    {OP_STOP_GRADIENT, F, NAN, 0, 0, NAN},
    {OP_STOP_GRADIENT, I, 7, 0, 0, 7},
};

static NodeId map_node(World *w, const MapCase *c, Dtype type) {
    NodeId a = vector(w, type, 1, &c->a);
    if (c->op != OP_CLAMP) return node_with(w, c->op, a, 0, 0, 0);
    return node_with(w, c->op, a, vector(w, type, 1, &c->b), vector(w, type, 1, &c->c), 0);
}

static void elementwise_composites_give_known_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof map_cases / sizeof *map_cases; i++) {
        const MapCase *c = &map_cases[i];
        World w;
        world_open(&w);
        Tensor *t = run(&w, map_node(&w, c, c->type), EVAL_EXACT);
        if (!agrees(value_at(t, 0), c->want, 4e-16))
            fail_msg("%s(%g, %g, %g) is %.17g, not %.17g", op_info[c->op].name, c->a, c->b, c->c,
                     value_at(t, 0), c->want);
        tensor_free(t);
        world_close(&w);
    }
}

/* Each step of the declared composite rounds: a few units off. */
static void declared_composites_are_near_the_exact_ones(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof map_cases / sizeof *map_cases; i++) {
        const MapCase *c = &map_cases[i];
        if (c->type != F) continue;
        World w;
        world_open(&w);
        NodeId node = map_node(&w, c, T_F32);
        Tensor *exact = run(&w, node, EVAL_EXACT), *declared = run(&w, node, EVAL_DECLARED);
        expect_near(declared, 0, value_at(exact, 0), 1e-6);
        tensor_free(exact);
        tensor_free(declared);
        world_close(&w);
    }
}

/* ---- reductions of four elements ---------------------------------------------------------- */

typedef struct RowCase {
    Op op;
    Dtype type;
    double x[4], want;
} RowCase;

static const RowCase row_cases[] = {
    {OP_SUM, F, {1, 2, 3, 4.5}, 10.5},
    {OP_SUM, F, {1e100, 1, -1e100, 0}, 0}, /* not exact arithmetic: only a long sum */
    {OP_SUM, F, {INF, 1, -INF, 0}, NAN},
    {OP_SUM, I, {INT32_MAX, 1, 0, 0}, INT32_MIN},
    {OP_SUM, T_I8, {100, 100, 100, 0}, 300},
    {OP_SUM, T_BOOL, {1, 0, 1, 1}, 3},
    {OP_PROD, F, {1, 2, -3, 0.5}, -3},
    {OP_PROD, I, {65536, 65536, 3, 1}, 0},
    {OP_PROD, T_U8, {200, 200, 1, 1}, 40000},
    {OP_RMAX, F, {1, -2, 7, 3}, 7},
    {OP_RMAX, F, {1, NAN, 7, 3}, NAN},
    {OP_RMAX, F, {-INF, -INF, -INF, -INF}, -INF},
    {OP_RMAX, I, {-5, -2, -7, -3}, -2},
    {OP_RMIN, F, {1, -2, 7, 3}, -2},
    {OP_RMIN, F, {1, 2, 3, NAN}, NAN},
    {OP_RMIN, T_U8, {5, 200, 7, 3}, 3},
    {OP_ANY, T_BOOL, {0, 0, 1, 0}, 1},
    {OP_ANY, T_BOOL, {0, 0, 0, 0}, 0},
    {OP_ALL, T_BOOL, {1, 1, 1, 1}, 1},
    {OP_ALL, T_BOOL, {1, 1, 0, 1}, 0},
    {OP_ARGMAX, F, {1, 7, 7, 3}, 1},
    {OP_ARGMAX, F, {1, 9, NAN, NAN}, 2},
    {OP_ARGMAX, F, {-0.0, 0.0, -1, 0.0}, 0},
    {OP_ARGMAX, F, {-INF, -INF, -INF, -INF}, 0},
    {OP_ARGMAX, I, {-3, -1, -2, -1}, 1},
    {OP_MEAN, F, {1, 2, 3, 5}, 2.75},
    {OP_VAR, F, {1, 2, 3, 6}, 3.5},
    {OP_VAR, F, {7, 7, 7, 7}, 0},
    {OP_LOGSUMEXP, F, {0, 0, 0, 0}, 2 * LN2},
    {OP_LOGSUMEXP, F, {1000, 1000, 1000, 1000}, 1000 + 2 * LN2},
    {OP_LOGSUMEXP, F, {-INF, -INF, -INF, -INF}, -INF},
    {OP_LOGSUMEXP, F, {-INF, 3, -INF, -INF}, 3},
    {OP_LOGSUMEXP, F, {0, NAN, -INF, 1}, NAN},
};

static void reductions_give_known_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof row_cases / sizeof *row_cases; i++) {
        const RowCase *c = &row_cases[i];
        World w;
        world_open(&w);
        NodeId x = vector(&w, c->type, 4, c->x);
        Tensor *t = run(&w, node_with(&w, c->op, x, 0, 0, 1), EVAL_EXACT);
        assert_int_equal(tensor_count(t), 1);
        if (!agrees(value_at(t, 0), c->want, 4e-16))
            fail_msg("%s [%g, %g, %g, %g] is %.17g, not %.17g", op_info[c->op].name, c->x[0],
                     c->x[1], c->x[2], c->x[3], value_at(t, 0), c->want);
        tensor_free(t);
        world_close(&w);
    }
}

/* x[2, 3, 4] holding 0, 1, .. 23, over axes 0 and 2: three sums of eight. */
static void reductions_run_over_several_axes(void **state) {
    (void)state;
    double x[24];
    for (int i = 0; i < 24; i++) x[i] = i;
    World w;
    world_open(&w);
    NodeId node = input(&w, T_F32, 3, SHAPE(2, 3, 4), x);
    expect(&w, graph_reduce(w.g, OP_SUM, node, 5, NOWHERE), T_F32, 3, VALUES(60, 92, 124));
    expect(&w, graph_reduce(w.g, OP_RMAX, node, 2, NOWHERE), T_F32, 8,
           VALUES(8, 9, 10, 11, 20, 21, 22, 23));
    expect(&w, graph_reduce(w.g, OP_ARGMAX, node, 1, NOWHERE), T_I32, 12,
           VALUES(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
    expect(&w, graph_reduce(w.g, OP_RMIN, node, 7, NOWHERE), T_F32, 1, VALUES(0));
    world_close(&w);
}

static void cumsum_runs_along_its_axis(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = input(&w, T_F32, 2, SHAPE(2, 3), VALUES(1, 2, 3, 10, 20, 30));
    expect(&w, node_with(&w, OP_CUMSUM, x, 0, 0, 1), T_F32, 6, VALUES(1, 3, 6, 10, 30, 60));
    expect(&w, node_with(&w, OP_CUMSUM, x, 0, 0, 0), T_F32, 6, VALUES(1, 2, 3, 11, 22, 33));
    Node reverse = w.g->node[node_with(&w, OP_CUMSUM, x, 0, 0, 1)];
    reverse.attr[1] = 1;
    expect(&w, graph_add(w.g, &reverse), T_F32, 6, VALUES(6, 5, 3, 60, 50, 30));
    NodeId i = vector(&w, T_I32, 3, VALUES(INT32_MAX, 1, 1));
    expect(&w, node_with(&w, OP_CUMSUM, i, 0, 0, 0), T_I32, 3,
           VALUES(INT32_MAX, INT32_MIN, (double)INT32_MIN + 1));
    world_close(&w);
}

static void running_products_are_of_all_so_far(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = input(&w, T_BF16, 2, SHAPE(2, 4), VALUES(2, -3, 0, 4, 0.5, INF, 0, 7));
    expect(&w, graph_scan(w.g, OP_CUMPROD, x, 1, false, NOWHERE), T_F32, 8,
           VALUES(2, -6, -0.0, -0.0, 0.5, INF, NAN, NAN));
    expect(&w, graph_scan(w.g, OP_CUMPROD, x, 1, true, NOWHERE), T_F32, 8,
           VALUES(-0.0, -0.0, 0, 4, NAN, NAN, 0, 7));
    NodeId i = vector(&w, T_U8, 3, VALUES(255, 255, 255));
    expect(&w, graph_scan(w.g, OP_CUMPROD, i, 0, false, NOWHERE), T_I32, 3,
           VALUES(255, 65025, 16581375));
    world_close(&w);
}

static void running_extremes_keep_what_they_found(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = input(&w, T_BF16, 2, SHAPE(2, 4), VALUES(1, 3, -2, 4, 5, NAN, -INF, 7));
    expect(&w, graph_scan(w.g, OP_CUMMAX, x, 1, false, NOWHERE), T_BF16, 8,
           VALUES(1, 3, 3, 4, 5, NAN, NAN, NAN));
    expect(&w, graph_scan(w.g, OP_CUMMIN, x, 1, true, NOWHERE), T_BF16, 8,
           VALUES(-2, -2, -2, 4, NAN, NAN, -INF, 7));
    expect(&w, graph_scan(w.g, OP_CUMMAX, x, 0, true, NOWHERE), T_BF16, 8,
           VALUES(5, NAN, -2, 7, 5, NAN, -INF, 7));
    NodeId i = vector(&w, T_U8, 4, VALUES(3, 200, 0, 255));
    expect(&w, graph_scan(w.g, OP_CUMMAX, i, 0, false, NOWHERE), T_U8, 4, VALUES(3, 200, 200, 255));
    expect(&w, graph_scan(w.g, OP_CUMMIN, i, 0, false, NOWHERE), T_U8, 4, VALUES(3, 3, 0, 0));
    NodeId l = vector(&w, T_I64, 3, VALUES(-9007199254740992.0, -9007199254740990.0, 0));
    expect(&w, graph_scan(w.g, OP_CUMMIN, l, 0, true, NOWHERE), T_I64, 3,
           VALUES(-9007199254740992.0, -9007199254740990.0, 0));
    world_close(&w);
}

/* ---- composites against other formulas, in long double --------------------------------------- */

enum { ROWS = 3, COLUMNS = 5 };

typedef long double Formula(const double *x, int j); /* of element j of a row */

static long double total(const double *x, long double f(long double)) {
    long double sum = 0;
    for (int j = 0; j < COLUMNS; j++) sum += f(x[j]);
    return sum;
}

static long double self(long double x) { return x; }
static long double square(long double x) { return x * x; }

static long double f_softmax(const double *x, int j) { return expl(x[j]) / total(x, expl); }
static long double f_log_softmax(const double *x, int j) { return logl(f_softmax(x, j)); }

/* E[x^2] - E[x]^2, the other formula of the variance. */
static long double variance(const double *x) {
    long double mean = total(x, self) / COLUMNS;
    return total(x, square) / COLUMNS - mean * mean;
}

/* Gains are 1, 2, .. and biases 10, 20, .. */
static long double f_layer_norm(const double *x, int j) {
    long double mean = total(x, self) / COLUMNS;
    return (x[j] - mean) / sqrtl(variance(x) + 0.25L) * (j + 1) + 10 * (j + 1);
}

static long double f_rms_norm(const double *x, int j) {
    return x[j] / sqrtl(total(x, square) / COLUMNS + 0.25L) * (j + 1);
}

static long double f_mean(const double *x, int j) { return total(x, self) / COLUMNS + 0 * j; }
static long double f_var(const double *x, int j) { return variance(x) + 0 * j; }
static long double f_logsumexp(const double *x, int j) { return logl(total(x, expl)) + 0 * j; }
static long double f_cross_entropy(const double *x, int j) { return -f_log_softmax(x, 3) + 0 * j; }

static const struct {
    Op op;
    Formula *formula;
} formulas[] = {
    {OP_SOFTMAX, f_softmax},
    {OP_LOG_SOFTMAX, f_log_softmax},
    {OP_LAYER_NORM, f_layer_norm},
    {OP_RMS_NORM, f_rms_norm},
    {OP_MEAN, f_mean},
    {OP_VAR, f_var},
    {OP_LOGSUMEXP, f_logsumexp},
    {OP_CROSS_ENTROPY, f_cross_entropy},
};

static NodeId composite(World *w, Op op, NodeId x, Dtype type) {
    if (op == OP_CROSS_ENTROPY)
        return node_with(w, op, x, vector(w, T_I32, ROWS, VALUES(3, 3, 3)), 0, 0);
    if (op != OP_LAYER_NORM && op != OP_RMS_NORM) return node_with(w, op, x, 0, 0, 2);
    NodeId gain = vector(w, type, COLUMNS, VALUES(1, 2, 3, 4, 5));
    NodeId bias = vector(w, type, COLUMNS, VALUES(10, 20, 30, 40, 50));
    return norm(w, op, x, gain, op == OP_LAYER_NORM ? bias : 0, 0.25);
}

static void check_formula(Op op, Formula *formula, Dtype type, EvalMode mode, double tolerance) {
    World w;
    world_open(&w);
    NodeId x = input(&w, type, 2, SHAPE(ROWS, COLUMNS), NULL);
    Tensor *t = run(&w, composite(&w, op, x, type), mode);
    int columns = (int)(tensor_count(t) / ROWS);
    for (int r = 0; r < ROWS; r++) {
        double row[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) row[j] = value_at(w.input[0], r * COLUMNS + j);
        for (int j = 0; j < columns; j++)
            expect_near(t, r * columns + j, (double)formula(row, j), tolerance);
    }
    tensor_free(t);
    world_close(&w);
}

static void composites_agree_with_other_formulas(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        check_formula(formulas[i].op, formulas[i].formula, F, EVAL_EXACT, 1e-14);
        check_formula(formulas[i].op, formulas[i].formula, T_F32, EVAL_DECLARED, 1e-5);
        check_formula(formulas[i].op, formulas[i].formula, T_F32, EVAL_NUDGED, 1e-5);
    }
}

static void softmax_of_special_rows(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = input(&w, T_F32, 2, SHAPE(4, 2), VALUES(-INF, -INF, 1000, 1000, -INF, 5, NAN, 1));
    expect(&w, node_with(&w, OP_SOFTMAX, x, 0, 0, 2), T_F32, 8,
           VALUES(0, 0, 0.5, 0.5, 0, 1, NAN, NAN));
    world_close(&w);
}

/* The last bit of the logsumexp of these rows is 2^-10. */
static void losses_of_large_logits_keep_their_bits(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = input(&w, T_F32, 2, SHAPE(3, 2), VALUES(10000, 9999, -INF, -INF, INF, 1));
    NodeId labels = vector(&w, T_I32, 3, VALUES(1, 0, 1));
    const double values[] = {-0.31326168751822283, -1.3132616875182228, NAN, NAN, NAN, NAN};
    const double losses[] = {1.3132616875182228, NAN, INF};
    Tensor *t = run(&w, node_with(&w, OP_LOG_SOFTMAX, x, 0, 0, 2), EVAL_DECLARED);
    for (int i = 0; i < 6; i++) expect_near(t, i, values[i], 1e-7);
    tensor_free(t);
    t = run(&w, node_with(&w, OP_CROSS_ENTROPY, x, labels, 0, 0), EVAL_DECLARED);
    for (int i = 0; i < 3; i++) expect_near(t, i, losses[i], 1e-7);
    tensor_free(t);
    world_close(&w);
}

/* Along the first axis, and along both at once. */
static void softmax_runs_along_any_axes(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId x = input(&w, F, 2, SHAPE(2, 2), VALUES(0, 0, LN2, 0));
    expect(&w, node_with(&w, OP_SOFTMAX, x, 0, 0, 1), F, 4, VALUES(1.0 / 3, 0.5, 2.0 / 3, 0.5));
    expect(&w, node_with(&w, OP_SOFTMAX, x, 0, 0, 3), F, 4, VALUES(0.2, 0.2, 0.4, 0.2));
    world_close(&w);
}

static void cross_entropy_clamps_or_reports_labels(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId logits = input(&w, F, 2, SHAPE(2, 2), VALUES(0, LN2, 0, LN2));
    NodeId labels = vector(&w, T_I32, 2, VALUES(-1, 9));
    NodeId loss = node_with(&w, OP_CROSS_ENTROPY, logits, labels, 0, 0);
    expect(&w, loss, F, 2, VALUES(log(3), log(1.5)));
    Tensor *out;
    assert_false(eval(w.g, w.symbols, inputs_of(&w), EVAL_EXACT, true, &out));
    assert_int_equal(w.diag->errors, 1);
    assert_string_equal(w.diag->messages.at[0].text,
                        "cross_entropy: index -1 (element 0 of the labels) is out of range: the "
                        "axis has size 2");
    world_close(&w);
}

/* ---- no op is forgotten ----------------------------------------------------------------- */

static void every_reduction_and_composite_has_a_case(void **state) {
    (void)state;
    bool seen[OP_COUNT] = {[OP_SCATTER] = true}; /* test_eval.c */
    for (size_t i = 0; i < sizeof map_cases / sizeof *map_cases; i++) seen[map_cases[i].op] = true;
    for (size_t i = 0; i < sizeof row_cases / sizeof *row_cases; i++) seen[row_cases[i].op] = true;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) seen[formulas[i].op] = true;
    for (int op = 1; op < OP_COUNT; op++)
        if ((op_info[op].class == REDUCE || op_info[op].class == COMPOSITE) && !seen[op])
            fail_msg("no case for %s", op_info[op].name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elementwise_composites_give_known_values),
        cmocka_unit_test(declared_composites_are_near_the_exact_ones),
        cmocka_unit_test(reductions_give_known_values),
        cmocka_unit_test(reductions_run_over_several_axes),
        cmocka_unit_test(cumsum_runs_along_its_axis),
        cmocka_unit_test(running_products_are_of_all_so_far),
        cmocka_unit_test(running_extremes_keep_what_they_found),
        cmocka_unit_test(composites_agree_with_other_formulas),
        cmocka_unit_test(softmax_of_special_rows),
        cmocka_unit_test(losses_of_large_logits_keep_their_bits),
        cmocka_unit_test(softmax_runs_along_any_axes),
        cmocka_unit_test(cross_entropy_clamps_or_reports_labels),
        cmocka_unit_test(every_reduction_and_composite_has_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
