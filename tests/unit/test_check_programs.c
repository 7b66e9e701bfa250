/* test_check_programs.c: the tolerance rule on whole programs: honest f32 programs that add in
 * another order, contract to fma, or fall on the other side of a tie must pass; a wrong element, or
 * a rounding left out or added, must not. */
#include "world.h"

enum { SEEDS = 20, FIRST_SEED = 100 };

/* ---- programs ------------------------------------------------------------------------------ */

/* Builds a program on random inputs; `size` is that of its first axis. */
typedef NodeId Build(World *w, int64_t size);

static NodeId widen(World *w, NodeId x) { return graph_cast(w->g, x, T_F32, NOWHERE); }
static NodeId narrow(World *w, NodeId x) { return graph_cast(w->g, x, T_BF16, NOWHERE); }

static NodeId binary(World *w, Op op, NodeId a, NodeId b) {
    return graph_map(w->g, op, a, b, 0, NOWHERE);
}

/* bf16(a . b), the usual matmul. */
static NodeId linear(World *w, int64_t size) {
    NodeId a = input(w, T_BF16, 2, SHAPE(size, 96), NULL);
    NodeId b = input(w, T_BF16, 2, SHAPE(size, 96), NULL);
    return narrow(w, node_with(w, OP_GELU, graph_dot(w->g, a, b, 0, 1, NOWHERE), 0, 0, 0));
}

/* softmax(q . k) as bf16 . v: a rounding inside, next to ties here and there. */
static NodeId attention(World *w, int64_t size) {
    NodeId q = input(w, T_BF16, 2, SHAPE(size, 16), NULL);
    NodeId k = input(w, T_BF16, 2, SHAPE(64, 16), NULL);
    NodeId v = input(w, T_BF16, 2, SHAPE(8, 64), NULL);
    NodeId p = node_with(w, OP_SOFTMAX, graph_dot(w->g, q, k, 0, 1, NOWHERE), 0, 0, 2);
    return graph_dot(w->g, narrow(w, p), v, 0, 1, NOWHERE);
}

static NodeId narrow_attention(World *w, int64_t size) { return narrow(w, attention(w, size)); }

/* x * y - y * z + x, which cancels and contracts. */
static NodeId difference(World *w, int64_t size) {
    NodeId x = vector(w, T_F32, size, NULL), y = vector(w, T_F32, size, NULL);
    NodeId z = vector(w, T_F32, size, NULL);
    NodeId d = binary(w, OP_SUB, binary(w, OP_MUL, x, y), binary(w, OP_MUL, y, z));
    return binary(w, OP_ADD, d, x);
}

/* One number, the sum of many that nearly cancel. */
static NodeId total(World *w, int64_t size) {
    return graph_reduce(w->g, OP_SUM, vector(w, T_F32, 500 * size, NULL), 1, NOWHERE);
}

static NodeId normalised(World *w, int64_t size) {
    NodeId x = widen(w, input(w, T_F16, 2, SHAPE(size, 40), NULL));
    NodeId gain = vector(w, T_F32, 40, NULL), bias = vector(w, T_F32, 40, NULL);
    return graph_cast(w->g, norm(w, OP_LAYER_NORM, x, gain, bias, 1e-5), T_F16, NOWHERE);
}

/* 0 or 1, which rounding decides where a quotient is next to 1. */
static NodeId comparison(World *w, int64_t size) {
    NodeId x = vector(w, T_F32, size, NULL), y = vector(w, T_F32, size, NULL);
    return graph_cast(w->g, binary(w, OP_LT, binary(w, OP_DIV, x, y), binary(w, OP_DIV, y, x)),
                      T_I32, NOWHERE);
}

static NodeId double_dot(World *w, int64_t size) {
    NodeId a = input(w, T_F64, 2, SHAPE(size, 300), NULL);
    NodeId b = input(w, T_F64, 2, SHAPE(3, 300), NULL);
    return graph_dot(w->g, a, b, 0, 1, NOWHERE);
}

static NodeId quantised(World *w, int64_t size) {
    NodeId x = vector(w, T_F32, size, NULL);
    return graph_cast(w->g, node_with(w, OP_EXP, x, 0, 0, 0), T_F8E4M3, NOWHERE);
}

/* The last two fall on the other side of a tie here and there when they are nudged. */
static Build *const programs[] = {linear,     difference, total,     normalised,      comparison,
                                  double_dot, quantised,  attention, narrow_attention};
enum { PROGRAMS = sizeof programs / sizeof *programs, STEADY = PROGRAMS - 2 };

static NodeId program_open(World *w, Build *program, int64_t size, uint64_t seed) {
    world_open(w);
    NodeId node = program(w, size);
    for (int i = 0; i < w->g->inputs.count; i++) tensor_random(w->input[i], seed * 7 + (uint64_t)i);
    return node;
}

static CheckReport check_in(World *w, const Tensor *candidate) {
    CheckReport report;
    assert_true(check_outputs(w->g, w->symbols, inputs_of(w), true, &candidate, &report));
    return report;
}

static void must_pass(World *w, const Tensor *candidate, int program, int64_t size) {
    CheckReport report = check_in(w, candidate);
    Text text = text_new(w->arena);
    check_print("y", &report, &text);
    if (!report.ok) fail_msg("program %d of size %d: %s", program, (int)size, text_get(&text));
}

/* Programs that are nudged in other ways than check_outputs nudges them are honest too. */
static void honest_programs_pass(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 5, 70};
    for (int p = 0; p < STEADY; p++)
        for (int s = 0; s < 3; s++)
            for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
                World w;
                NodeId node = program_open(&w, programs[p], sizes[s], seed);
                Tensor *t = run(&w, node, (EvalMode)(EVAL_NUDGED + 40));
                must_pass(&w, t, p, sizes[s]);
                tensor_free(t);
                world_close(&w);
            }
}

/* One element off by 1 % of the largest, or by two steps of the type where these are longer. */
static void wrong_elements_of_programs_fail(void **state) {
    (void)state;
    for (int p = 0; p < PROGRAMS; p++)
        for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            World w;
            NodeId node = program_open(&w, programs[p], 70, seed);
            Tensor *t = run(&w, node, EVAL_DECLARED);
            int64_t at = (int64_t)(seed * 31) % tensor_count(t);
            double largest = 0, value = value_at(t, at);
            for (int64_t i = 0; i < tensor_count(t); i++)
                largest = fmax(largest, fabs(value_at(t, i)));
            double off = dtype_is_float(t->type)
                             ? fmax(0.01 * largest, 2.5 * dtype_epsilon(t->type) * fabs(value))
                             : 1;
            set(t, at, value + off);
            if (check_in(&w, t).ok) fail_msg("program %d: an element off by %g passes", p, off);
            tensor_free(t);
            world_close(&w);
        }
}

/* ---- a rounding left out, or added -------------------------------------------------------- */

/* The same program with one difference: whether p is rounded to bf16. */
static NodeId attention_without_rounding(World *w, int64_t size) {
    NodeId q = input(w, T_BF16, 2, SHAPE(size, 16), NULL);
    NodeId k = input(w, T_BF16, 2, SHAPE(64, 16), NULL);
    NodeId v = input(w, T_BF16, 2, SHAPE(8, 64), NULL);
    NodeId p = node_with(w, OP_SOFTMAX, graph_dot(w->g, q, k, 0, 1, NOWHERE), 0, 0, 2);
    return graph_dot(w->g, p, widen(w, v), 0, 1, NOWHERE);
}

/* bf16(bf16(x * y) + z), and bf16(x * y + z). */
static NodeId twice_rounded(World *w, int64_t size) {
    NodeId x = widen(w, vector(w, T_BF16, size, NULL)), y = widen(w, vector(w, T_BF16, size, NULL));
    NodeId z = widen(w, vector(w, T_BF16, size, NULL));
    return narrow(w, binary(w, OP_ADD, widen(w, narrow(w, binary(w, OP_MUL, x, y))), z));
}

static NodeId once_rounded(World *w, int64_t size) {
    NodeId x = widen(w, vector(w, T_BF16, size, NULL)), y = widen(w, vector(w, T_BF16, size, NULL));
    NodeId z = widen(w, vector(w, T_BF16, size, NULL));
    return narrow(w, binary(w, OP_ADD, binary(w, OP_MUL, x, y), z));
}

static bool passes_for(Build *candidate, Build *program, int64_t size, uint64_t seed) {
    World other, w;
    Tensor *t = run(&other, program_open(&other, candidate, size, seed), EVAL_DECLARED);
    tensor_free(
        run(&w, program_open(&w, program, size, seed), EVAL_DECLARED)); /* names the output */
    bool ok = check_in(&w, t).ok;
    tensor_free(t);
    world_close(&w);
    world_close(&other);
    return ok;
}

static void roundings_left_out_or_added_fail(void **state) {
    (void)state;
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
        assert_false(passes_for(attention_without_rounding, attention, 70, seed));
        assert_false(passes_for(attention, attention_without_rounding, 70, seed));
        assert_false(passes_for(once_rounded, twice_rounded, 1000, seed));
        assert_false(passes_for(twice_rounded, once_rounded, 1000, seed));
    }
}

/* ---- programs in C ------------------------------------------------------------------------- */

static float pairwise(const Tensor *x, int64_t from, int64_t count) {
    if (count == 1) return (float)value_at(x, from);
    return pairwise(x, from, count / 2) + pairwise(x, from + count / 2, count - count / 2);
}

static void pairwise_sums_pass(void **state) {
    (void)state;
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 5 * SEEDS; seed++) {
        World w;
        NodeId node = program_open(&w, total, 1, seed);
        Tensor *t = run(&w, node, EVAL_EXACT);
        set(t, 0, pairwise(w.input[0], 0, tensor_count(w.input[0])));
        must_pass(&w, t, 2, 1);
        tensor_free(t);
        world_close(&w);
    }
}

/* One product of 4096 terms. */
static NodeId long_dot(World *w, int64_t size) {
    NodeId a = input(w, T_F32, 2, SHAPE(size, 4096), NULL);
    NodeId b = input(w, T_F32, 2, SHAPE(1, 4096), NULL);
    return graph_dot(w->g, a, b, 0, 1, NOWHERE);
}

/* From the last term to the first, in lanes that are added in the end. */
static float dot_backwards(const World *w, int lanes) {
    float total = 0;
    for (int lane = 0; lane < lanes; lane++) {
        float partial = 0;
        for (int64_t i = 4095 - lane; i >= 0; i -= lanes)
            partial =
                fmaf((float)value_at(w->input[0], i), (float)value_at(w->input[1], i), partial);
        total += partial;
    }
    return total;
}

static void single_dots_pass(void **state) {
    (void)state;
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + 8 * SEEDS; seed++) {
        World w;
        NodeId node = program_open(&w, long_dot, 1, seed);
        Tensor *t = run(&w, node, EVAL_EXACT);
        set(t, 0, dot_backwards(&w, 1));
        must_pass(&w, t, -1, 1);
        set(t, 0, dot_backwards(&w, 16));
        must_pass(&w, t, -1, 1);
        set(t, 0, value_at(t, 0) + 0.002); /* a ten-thousandth of a usual sum of these */
        assert_false(check_in(&w, t).ok);
        tensor_free(t);
        world_close(&w);
    }
}

/* The order of these terms decides whether their sum is finite, infinite or NaN. */
static void sums_that_may_overflow_pass(void **state) {
    (void)state;
    static const double terms[] = {3e38, 3e38, -3e38, -3e38, 1, 2, -3e38, 3, 1, 2, 3, 4};
    World w;
    world_open(&w);
    NodeId x = input(&w, T_F32, 2, SHAPE(3, 4), terms);
    NodeId sum = graph_reduce(w.g, OP_SUM, x, 2, NOWHERE);
    Tensor *t = run(&w, sum, EVAL_EXACT);
    static const double kinds[] = {0, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        set(t, 0, kinds[i]);
        assert_true(check_in(&w, t).ok);
    }
    for (int i = 1; i < 4; i++) { /* but not here */
        set(t, 1, kinds[i]);
        assert_false(check_in(&w, t).ok);
    }
    tensor_free(t);
    world_close(&w);
}

static void contracted_products_pass(void **state) {
    (void)state;
    for (int64_t size = 1; size < 200; size += 33)
        for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            World w;
            NodeId node = program_open(&w, difference, size, seed);
            Tensor *t = run(&w, node, EVAL_EXACT);
            for (int64_t i = 0; i < size; i++) {
                float x = (float)value_at(w.input[0], i), y = (float)value_at(w.input[1], i);
                float z = (float)value_at(w.input[2], i);
                set(t, i, fmaf(x, y, -(y * z)) + x);
            }
            must_pass(&w, t, 1, size);
            tensor_free(t);
            world_close(&w);
        }
}

/* x * y less its mean, of one term: 0, or what rounding took from the product. */
static NodeId less_its_mean(World *w, int64_t size) {
    NodeId x = vector(w, T_F32, size, NULL), y = vector(w, T_F32, size, NULL);
    NodeId product = binary(w, OP_MUL, x, y);
    NodeId mean = graph_reduce(w->g, OP_SUM, product, 1, NOWHERE);
    return narrow(w, binary(w, OP_SUB, product, mean));
}

static void contracted_products_of_one_term_pass(void **state) {
    (void)state;
    for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
        World w;
        Tensor *t = run(&w, program_open(&w, less_its_mean, 1, seed), EVAL_EXACT);
        float x = (float)value_at(w.input[0], 0), y = (float)value_at(w.input[1], 0);
        set(t, 0, dtype_round(T_BF16, fmaf(x, y, -(x * y))));
        must_pass(&w, t, -1, 1);
        set(t, 0, 2e-6);
        assert_false(check_in(&w, t).ok);
        tensor_free(t);
        world_close(&w);
    }
}

/* A row of q . k from the last term to the first. */
static void scores(const World *w, int64_t row, float *s) {
    for (int j = 0; j < 64; j++) {
        s[j] = 0;
        for (int d = 15; d >= 0; d--)
            s[j] = fmaf((float)value_at(w->input[0], row * 16 + d),
                        (float)value_at(w->input[1], j * 16 + d), s[j]);
    }
}

/* Not shifted by the maximum, which these small scores do not need; multiplied by 1/sum. */
static void probabilities(float *s) {
    float sum = 0;
    for (int j = 0; j < 64; j++) sum += s[j] = expf(s[j]);
    for (int j = 0; j < 64; j++) s[j] = (float)dtype_round(T_BF16, s[j] * (1 / sum));
}

static void attention_in_c_passes(void **state) {
    (void)state;
    for (int64_t size = 1; size < 100; size += 23)
        for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            World w;
            Tensor *t = run(&w, program_open(&w, attention, size, seed), EVAL_EXACT);
            for (int64_t row = 0; row < size; row++) {
                float s[64];
                scores(&w, row, s);
                probabilities(s);
                for (int d = 0; d < 8; d++) {
                    float sum = 0;
                    for (int j = 63; j >= 0; j--)
                        sum += s[j] * (float)value_at(w.input[2], d * 64 + j);
                    set(t, row * 8 + d, sum);
                }
            }
            must_pass(&w, t, 7, size);
            tensor_free(t);
            world_close(&w);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_programs_pass),
        cmocka_unit_test(wrong_elements_of_programs_fail),
        cmocka_unit_test(roundings_left_out_or_added_fail),
        cmocka_unit_test(pairwise_sums_pass),
        cmocka_unit_test(single_dots_pass),
        cmocka_unit_test(sums_that_may_overflow_pass),
        cmocka_unit_test(contracted_products_pass),
        cmocka_unit_test(contracted_products_of_one_term_pass),
        cmocka_unit_test(attention_in_c_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
