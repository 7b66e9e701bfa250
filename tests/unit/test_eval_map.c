/* test_eval_map.c: what the evaluator makes of the elementwise ops and of casts: values worked out
 * by hand, special values, integers that wrap. One row of the table is one element. */
#include "graph/eval/eval_private.h"
#include "world.h"

#include <limits.h>

/* ---- elementwise ops: one row of the table is one element ---------------------------------- */

typedef struct MapCase {
    Op op;
    Dtype type; /* of the operands */
    double a, b, c, want;
} MapCase;

#define E   2.71828182845904523536
#define LN2 0.69314718055994530942
#define PI  3.14159265358979323846
#define INF INFINITY
#define F   T_F64
#define I   T_I32

static const MapCase map_cases[] = {
    {OP_NEG, F, 2.5, 0, 0, -2.5},
    {OP_NEG, F, 0.0, 0, 0, -0.0},
    {OP_NEG, F, INF, 0, 0, -INF},
    {OP_NEG, I, 7, 0, 0, -7},
    {OP_NEG, I, INT32_MIN, 0, 0, INT32_MIN},
    {OP_ABS, F, -2.5, 0, 0, 2.5},
    {OP_ABS, F, -0.0, 0, 0, 0.0},
    {OP_ABS, F, NAN, 0, 0, NAN},
    {OP_ABS, F, -INF, 0, 0, INF},
    {OP_ABS, I, -7, 0, 0, 7},
    {OP_ABS, I, INT32_MIN, 0, 0, INT32_MIN},
    {OP_SIGN, F, -2.5, 0, 0, -1},
    {OP_SIGN, F, 1e-300, 0, 0, 1},
    {OP_SIGN, F, -0.0, 0, 0, -0.0},
    {OP_SIGN, F, 0.0, 0, 0, 0.0},
    {OP_SIGN, F, NAN, 0, 0, NAN},
    {OP_SIGN, F, INF, 0, 0, 1},
    {OP_SIGN, I, -7, 0, 0, -1},
    {OP_SIGN, I, 0, 0, 0, 0},
    {OP_FLOOR, F, -1.5, 0, 0, -2},
    {OP_FLOOR, F, 1.75, 0, 0, 1},
    {OP_FLOOR, F, -0.0, 0, 0, -0.0},
    {OP_FLOOR, F, NAN, 0, 0, NAN},
    {OP_CEIL, F, 1.25, 0, 0, 2},
    {OP_CEIL, F, -1.5, 0, 0, -1},
    {OP_CEIL, F, -0.5, 0, 0, -0.0},
    {OP_CEIL, F, INF, 0, 0, INF},
    {OP_ROUND, F, 0.5, 0, 0, 0},
    {OP_ROUND, F, 1.5, 0, 0, 2},
    {OP_ROUND, F, 2.5, 0, 0, 2},
    {OP_ROUND, F, -0.5, 0, 0, -0.0},
    {OP_ROUND, F, -2.75, 0, 0, -3},
    {OP_SQRT, F, 2.25, 0, 0, 1.5},
    {OP_SQRT, F, -1, 0, 0, NAN},
    {OP_SQRT, F, -0.0, 0, 0, -0.0},
    {OP_SQRT, F, INF, 0, 0, INF},
    {OP_RSQRT, F, 4, 0, 0, 0.5},
    {OP_RSQRT, F, 0, 0, 0, INF},
    {OP_RSQRT, F, -1, 0, 0, NAN},
    {OP_RSQRT, F, INF, 0, 0, 0},
    {OP_CBRT, F, -27, 0, 0, -3},
    {OP_CBRT, F, -0.0, 0, 0, -0.0},
    {OP_CBRT, F, -INF, 0, 0, -INF},
    {OP_CBRT, F, NAN, 0, 0, NAN},
    {OP_EXP, F, 1, 0, 0, E},
    {OP_EXP, F, -INF, 0, 0, 0},
    {OP_EXP, F, 1000, 0, 0, INF},
    {OP_EXP, F, NAN, 0, 0, NAN},
    {OP_EXP2, F, 10, 0, 0, 1024},
    {OP_EXP2, F, -1, 0, 0, 0.5},
    {OP_EXP2, F, -INF, 0, 0, 0},
    {OP_EXP2, F, 2000, 0, 0, INF},
    {OP_EXPM1, F, 1e-10, 0, 0, 1.00000000005e-10},
    {OP_EXPM1, F, -0.0, 0, 0, -0.0},
    {OP_EXPM1, F, -INF, 0, 0, -1},
    {OP_LOG, F, E, 0, 0, 1},
    {OP_LOG, F, 2, 0, 0, LN2},
    {OP_LOG, F, 0, 0, 0, -INF},
    {OP_LOG, F, -1, 0, 0, NAN},
    {OP_LOG2, F, 8, 0, 0, 3},
    {OP_LOG2, F, 0, 0, 0, -INF},
    {OP_LOG2, F, -1, 0, 0, NAN},
    {OP_LOG10, F, 1000, 0, 0, 3},
    {OP_LOG10, F, -0.0, 0, 0, -INF},
    {OP_LOG10, F, -1, 0, 0, NAN},
    {OP_LOG10, F, INF, 0, 0, INF},
    {OP_LOG1P, F, 1, 0, 0, LN2},
    {OP_LOG1P, F, 1e-10, 0, 0, 9.9999999995e-11},
    {OP_LOG1P, F, -1, 0, 0, -INF},
    {OP_LOG1P, F, -2, 0, 0, NAN},
    {OP_LOG1P, F, -0.0, 0, 0, -0.0},
    {OP_SIN, F, PI / 6, 0, 0, 0.5},
    {OP_SIN, F, 1e22, 0, 0, -0.8522008497671888},
    {OP_SIN, F, INF, 0, 0, NAN},
    {OP_COS, F, PI / 3, 0, 0, 0.5},
    {OP_COS, F, 0, 0, 0, 1},
    {OP_COS, F, -INF, 0, 0, NAN},
    {OP_TAN, F, PI / 4, 0, 0, 1},
    {OP_TAN, F, 1e22, 0, 0, -1.6287782256068986},
    {OP_TAN, F, -0.0, 0, 0, -0.0},
    {OP_TAN, F, INF, 0, 0, NAN},
    {OP_ASIN, F, 0.5, 0, 0, PI / 6},
    {OP_ASIN, F, -1, 0, 0, -PI / 2},
    {OP_ASIN, F, -0.0, 0, 0, -0.0},
    {OP_ASIN, F, 1.0000001, 0, 0, NAN},
    {OP_ASIN, F, NAN, 0, 0, NAN},
    {OP_ACOS, F, 0.5, 0, 0, PI / 3},
    {OP_ACOS, F, -1, 0, 0, PI},
    {OP_ACOS, F, 1, 0, 0, 0},
    {OP_ACOS, F, -INF, 0, 0, NAN},
    {OP_ATAN, F, 1, 0, 0, PI / 4},
    {OP_ATAN, F, -INF, 0, 0, -PI / 2},
    {OP_ATAN, F, -0.0, 0, 0, -0.0},
    {OP_ATAN, F, NAN, 0, 0, NAN},
    {OP_PHILOX, T_I64, 0, 0, 0, 1713891541},
    {OP_PHILOX, T_I64, 0, 1, 0, -513161843},
    {OP_PHILOX, T_I64, 0, 2, 0, -1135104948},
    {OP_PHILOX, T_I64, 0, 3, 0, -1694442536},
    {OP_UNIT_FLOAT, I, 0, 0, 0, 0},
    {OP_UNIT_FLOAT, I, 255, 0, 0, 0},
    {OP_UNIT_FLOAT, I, INT32_MIN, 0, 0, 0.5},
    {OP_UNIT_FLOAT, I, -1, 0, 0, 1 - 0x1p-24},
    {OP_ATAN2, F, 1, -1, 0, 3 * PI / 4},
    {OP_ATAN2, F, -1, 0, 0, -PI / 2},
    {OP_ATAN2, F, 0, -1, 0, PI},
    {OP_ATAN2, F, -0.0, -1, 0, -PI},
    {OP_ATAN2, F, -0.0, 1, 0, -0.0},
    {OP_ATAN2, F, INF, -INF, 0, 3 * PI / 4},
    {OP_ATAN2, F, NAN, 1, 0, NAN},
    {OP_ATAN2, F, 1, NAN, 0, NAN},
    {OP_SINH, F, LN2, 0, 0, 0.75},
    {OP_SINH, F, -1000, 0, 0, -INF},
    {OP_SINH, F, -0.0, 0, 0, -0.0},
    {OP_SINH, F, NAN, 0, 0, NAN},
    {OP_COSH, F, LN2, 0, 0, 1.25},
    {OP_COSH, F, -0.0, 0, 0, 1},
    {OP_COSH, F, -INF, 0, 0, INF},
    {OP_COSH, F, NAN, 0, 0, NAN},
    {OP_TANH, F, LN2, 0, 0, 0.6},
    {OP_TANH, F, INF, 0, 0, 1},
    {OP_TANH, F, -INF, 0, 0, -1},
    {OP_TANH, F, -0.0, 0, 0, -0.0},
    {OP_ERF, F, 0.5, 0, 0, 0.5204998778130465},
    {OP_ERF, F, -INF, 0, 0, -1},
    {OP_ERF, F, -0.0, 0, 0, -0.0},
    {OP_ADD, F, 1.5, 2.25, 0, 3.75},
    {OP_ADD, F, INF, -INF, 0, NAN},
    {OP_ADD, I, INT32_MAX, 1, 0, INT32_MIN},
    {OP_ADD, T_I8, 100, 100, 0, 200},
    {OP_ADD, T_U8, 200, 100, 0, 300},
    {OP_SUB, F, 1.5, 2.25, 0, -0.75},
    {OP_SUB, I, INT32_MIN, 1, 0, INT32_MAX},
    {OP_SUB, T_U8, 1, 2, 0, -1},
    {OP_MUL, F, 1.5, -2, 0, -3},
    {OP_MUL, F, 0, INF, 0, NAN},
    {OP_MUL, I, 65536, 65537, 0, 65536},
    {OP_DIV, F, 1, 8, 0, 0.125},
    {OP_DIV, F, 1, 0, 0, INF},
    {OP_DIV, F, 0, 0, 0, NAN},
    {OP_DIV, I, -7, 2, 0, -3},
    {OP_DIV, I, 7, 0, 0, 0},
    {OP_DIV, I, INT32_MIN, -1, 0, INT32_MIN},
    {OP_MOD, F, -7.5, 2, 0, -1.5},
    {OP_MOD, F, 7.5, -2, 0, 1.5},
    {OP_MOD, F, 1, 0, 0, NAN},
    {OP_MOD, F, 3, INF, 0, 3},
    {OP_MOD, I, -7, 3, 0, -1},
    {OP_MOD, I, 7, -3, 0, 1},
    {OP_MOD, I, 7, 0, 0, 0},
    {OP_MOD, I, INT32_MIN, -1, 0, 0},
    {OP_POW, F, 2, 0.5, 0, 1.4142135623730951},
    {OP_POW, F, -2, 3, 0, -8},
    {OP_POW, F, -2, 0.5, 0, NAN},
    {OP_POW, F, NAN, 0, 0, 1},
    {OP_POW, F, 0, -1, 0, INF},
    {OP_POW, I, 3, 5, 0, 243},
    {OP_POW, I, 2, 33, 0, 0},
    {OP_POW, I, 3, 21, 0, 1870418611},
    {OP_POW, I, 2, -1, 0, 0},
    {OP_POW, I, -1, -3, 0, -1},
    {OP_POW, I, -1, -4, 0, 1},
    {OP_POW, I, 0, -1, 0, 0},
    {OP_POW, I, 0, 0, 0, 1},
    {OP_MIN, F, 1, 2, 0, 1},
    {OP_MIN, F, NAN, 2, 0, NAN},
    {OP_MIN, F, 2, NAN, 0, NAN},
    {OP_MIN, F, 0.0, -0.0, 0, -0.0},
    {OP_MIN, F, -0.0, 0.0, 0, -0.0},
    {OP_MIN, I, -3, 2, 0, -3},
    {OP_MIN, T_U8, 3, 200, 0, 3},
    {OP_MAX, F, 1, 2, 0, 2},
    {OP_MAX, F, NAN, 2, 0, NAN},
    {OP_MAX, F, 2, NAN, 0, NAN},
    {OP_MAX, F, -0.0, 0.0, 0, 0.0},
    {OP_MAX, F, 0.0, -0.0, 0, 0.0},
    {OP_MAX, I, -3, 2, 0, 2},
    {OP_LT, F, 1, 2, 0, 1},
    {OP_LT, F, 2, 2, 0, 0},
    {OP_LT, F, NAN, 2, 0, 0},
    {OP_LT, I, -1, 2, 0, 1},
    {OP_LE, F, 2, 2, 0, 1},
    {OP_LE, F, 2, NAN, 0, 0},
    {OP_LE, I, 3, 2, 0, 0},
    {OP_EQ, F, -0.0, 0.0, 0, 1},
    {OP_EQ, F, NAN, NAN, 0, 0},
    {OP_EQ, I, 3, 3, 0, 1},
    {OP_NE, F, NAN, NAN, 0, 1},
    {OP_NE, F, -0.0, 0.0, 0, 0},
    {OP_NE, I, 3, 2, 0, 1},
    {OP_NE, T_BOOL, 1, 0, 0, 1},
    {OP_AND, T_BOOL, 1, 1, 0, 1},
    {OP_AND, T_BOOL, 1, 0, 0, 0},
    {OP_OR, T_BOOL, 0, 1, 0, 1},
    {OP_OR, T_BOOL, 0, 0, 0, 0},
    {OP_NOT, T_BOOL, 0, 0, 0, 1},
    {OP_NOT, T_BOOL, 1, 0, 0, 0},
    {OP_ISNAN, F, NAN, 0, 0, 1},
    {OP_ISNAN, F, INF, 0, 0, 0},
};

enum { MAP_CASES = sizeof map_cases / sizeof *map_cases };

static void map_ops_give_known_values(void **state) {
    (void)state;
    for (int i = 0; i < MAP_CASES; i++) {
        const MapCase *c = &map_cases[i];
        World w;
        world_open(&w);
        int count = op_sources(c->op);
        NodeId a = vector(&w, c->type, 1, &c->a);
        NodeId b = count > 1 ? vector(&w, c->type, 1, &c->b) : 0;
        NodeId d = count > 2 ? vector(&w, c->type, 1, &c->c) : 0;
        Tensor *t = run(&w, node_with(&w, c->op, a, b, d, 0), EVAL_EXACT);
        if (!agrees(value_at(t, 0), c->want, 4e-16))
            fail_msg("%s(%g, %g, %g) is %.17g, not %.17g", op_info[c->op].name, c->a, c->b, c->c,
                     value_at(t, 0), c->want);
        tensor_free(t);
        world_close(&w);
    }
}

/* Every case again as f32: the declared result is the exact one, rounded once. */
static void declared_map_ops_round_to_f32(void **state) {
    (void)state;
    for (int i = 0; i < MAP_CASES; i++) {
        const MapCase *c = &map_cases[i];
        if (c->type != F || op_info[c->op].rule == R_COMPARE || c->op == OP_ISNAN) continue;
        World w;
        world_open(&w);
        int count = op_sources(c->op);
        NodeId a = vector(&w, T_F32, 1, &c->a);
        NodeId b = count > 1 ? vector(&w, T_F32, 1, &c->b) : 0;
        NodeId d = count > 2 ? vector(&w, T_F32, 1, &c->c) : 0;
        NodeId node = node_with(&w, c->op, a, b, d, 0);
        Tensor *exact = run(&w, node, EVAL_EXACT), *declared = run(&w, node, EVAL_DECLARED);
        if (!agrees(value_at(declared, 0), value_at(exact, 0), 0))
            fail_msg("%s(%g, %g) is %.17g, not %.17g", op_info[c->op].name, c->a, c->b,
                     value_at(declared, 0), value_at(exact, 0));
        tensor_free(exact);
        tensor_free(declared);
        world_close(&w);
    }
}

/* The known answers that come with Random123, the authors' library. */
static void philox_gives_known_answers(void **state) {
    (void)state;
    static const struct {
        uint32_t counter[4], want[4];
        uint64_t seed;
    } cases[] = {
        {{0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, 0},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
         UINT64_MAX},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
         0x299f31d0a4093822},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t block[4];
        memcpy(block, cases[i].counter, sizeof block);
        eval_philox(block, cases[i].seed);
        assert_memory_equal(block, cases[i].want, sizeof block);
    }
}

static void where_does_not_look_at_the_other_side(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId cond = vector(&w, T_BOOL, 3, VALUES(1, 0, 1));
    NodeId a = vector(&w, T_F32, 3, VALUES(1, NAN, NAN)),
           b = vector(&w, T_F32, 3, VALUES(NAN, 2, 3));
    expect(&w, node_with(&w, OP_WHERE, cond, a, b, 0), T_F32, 3, VALUES(1, 2, NAN));
    world_close(&w);
}

static void i64_wraps_in_64_bits(void **state) {
    (void)state;
    World w;
    world_open(&w);
    NodeId a = vector(&w, T_I64, 1, VALUES(0)), b = vector(&w, T_I64, 1, VALUES(-1));
    tensor_set(w.input[0], 0, (Scalar){.i = INT64_MIN});
    Tensor *t = run(&w, node_with(&w, OP_DIV, a, b, 0, 0), EVAL_EXACT);
    assert_true(tensor_get(t, 0).i == INT64_MIN);
    tensor_free(t);
    t = run(&w, node_with(&w, OP_ADD, a, b, 0, 0), EVAL_EXACT);
    assert_true(tensor_get(t, 0).i == INT64_MAX);
    tensor_free(t);
    t = run(&w, node_with(&w, OP_MOD, a, b, 0, 0), EVAL_EXACT);
    assert_true(tensor_get(t, 0).i == 0);
    tensor_free(t);
    world_close(&w);
}

/* ---- casts ------------------------------------------------------------------------------ */

typedef struct CastCase {
    Dtype from, to;
    double x, want;
} CastCase;

static const CastCase cast_cases[] = {
    {T_F32, T_BOOL, 0.25, 1},
    {T_F32, T_BOOL, -0.0, 0},
    {T_F32, T_BOOL, NAN, 1},
    {T_F32, T_U8, -3, 0},
    {T_F32, T_U8, 3.99, 3},
    {T_F32, T_U8, 300, 255},
    {T_F32, T_I8, -200, -128},
    {T_F32, T_I8, NAN, 0},
    {T_F32, T_I32, -2.99, -2},
    {T_F32, T_I32, 3e9, INT32_MAX},
    {T_F32, T_I64, -INF, (double)INT64_MIN},
    {T_F32, T_I64, 4294967296, 4294967296},
    {T_I32, T_I8, 200, -56},
    {T_I32, T_U8, -1, 255},
    {T_I32, T_BOOL, -4, 1},
    {T_I64, T_I32, 4294967301, 5},
    {T_BOOL, T_F32, 1, 1},
    {T_I32, T_F32, 16777217, 16777216},
    {T_I32, T_BF16, 257, 256},
    {T_F32, T_F8E4M3, 17, 16},
    {T_F32, T_F8E4M3, 1000, NAN},
    {T_F32, T_F8E5M2, 9, 8},
    {T_F32, T_F8E5M2, 1e6, INF},
    {T_F32, T_BF16, 1.00390625, 1},
    {T_F32, T_BF16, 1.01171875, 1.015625},
    {T_F32, T_F16, 1.00048828125, 1},
    {T_F32, T_F16, 65520, INF},
    {T_F64, T_F32, 1.0 + 0x1p-30, 1},
    {T_F64, T_F32, 1e40, INF},
    {T_F32, T_F64, 0.5, 0.5},
    {T_I32, T_I64, -5, -5},
    {T_BF16, T_F32, -0.0, -0.0},
};

static void casts_round_saturate_and_wrap(void **state) {
    (void)state;
    bool seen[T_COUNT] = {false};
    for (size_t i = 0; i < sizeof cast_cases / sizeof *cast_cases; i++) {
        const CastCase *c = &cast_cases[i];
        World w;
        world_open(&w);
        seen[c->to] = true;
        NodeId x = vector(&w, c->from, 1, &c->x);
        Tensor *t = run(&w, graph_cast(w.g, x, c->to, NOWHERE), i % 2 ? EVAL_EXACT : EVAL_DECLARED);
        if (!agrees(value_at(t, 0), c->want, 0))
            fail_msg("%s %g as %s is %g, not %g", dtype_name(c->from), c->x, dtype_name(c->to),
                     value_at(t, 0), c->want);
        tensor_free(t);
        world_close(&w);
    }
    for (int type = T_NONE + 1; type < T_COUNT; type++)
        if (!seen[type]) fail_msg("no case casts to %s", dtype_name((Dtype)type));
}

/* ---- no op is forgotten ----------------------------------------------------------------- */

static void every_map_op_has_a_case(void **state) {
    (void)state;
    bool seen[OP_COUNT] = {[OP_WHERE] = true, [OP_CAST] = true}; /* which have tests of their own */
    for (int i = 0; i < MAP_CASES; i++) seen[map_cases[i].op] = true;
    for (int op = 1; op < OP_COUNT; op++)
        if (op_info[op].class == MAP && !seen[op] && !op_is_call((Op)op))
            fail_msg("no case for %s", op_info[op].name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_ops_give_known_values),
        cmocka_unit_test(declared_map_ops_round_to_f32),
        cmocka_unit_test(philox_gives_known_answers),
        cmocka_unit_test(where_does_not_look_at_the_other_side),
        cmocka_unit_test(i64_wraps_in_64_bits),
        cmocka_unit_test(casts_round_saturate_and_wrap),
        cmocka_unit_test(every_map_op_has_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
