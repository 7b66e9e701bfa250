/* test_formula.c: expressions of dims mean what C says they mean. The expressions below are given
 * to the C compiler too, which computes what is wanted. */
#define _XOPEN_SOURCE 700
#include "runtime/runtime.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

enum { N_VALUE = 100, D_VALUE = 7, BIG = 4096 };

static const char *const names[] = {"N", "D", "N_2"};
static const int64_t values[] = {N_VALUE, D_VALUE, BIG};
static const FormulaDims dims = {names, values, 3};

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

static int64_t fx_least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t fx_most(int64_t a, int64_t b) { return a > b ? a : b; }

#define SAME(TYPE, FIELD, EXPRESSION)                                                              \
    do {                                                                                           \
        const volatile int64_t N = N_VALUE, D = D_VALUE, N_2 = BIG;                                \
        (void)N, (void)D, (void)N_2;                                                               \
        Scalar got;                                                                                \
        assert_true(formula_value(#EXPRESSION, &dims, TYPE, &got));                                \
        assert_true(got.FIELD == (EXPRESSION));                                                    \
    } while (0)

static void integers(void **state) {
    (void)state;
    SAME(T_I64, i, 42);
    SAME(T_I64, i, N);
    SAME(T_I64, i, N_2 - N);
    SAME(T_I64, i, N - D - 1);
    SAME(T_I64, i, N + D * 3 % 5);
    SAME(T_I64, i, (N + D) * 3 / 5);
    SAME(T_I64, i, -N / D);
    SAME(T_I64, i, -N % D);
    SAME(T_I64, i, 256 * ceil_div(2 * N * D, 256));
    SAME(T_I64, i, fx_most(fx_least(264 / N, 8), 1) + fx_least(N, D));
    SAME(T_I64, i, D <= 1024 ? ceil_div(N, 8) : N);
    SAME(T_I64, i, N < D ? 1 : N == 100 ? 2 : 3);
    SAME(T_I64, i, (D > 0) - (D < 0));
    SAME(T_I64, i, (!(N % 8 == 0) && N >= 1) || D != 7);
    SAME(T_I64, i, (-9223372036854775807 - 1));
    SAME(T_I64, i, (int32_t)(N * 100000000));
    SAME(T_I64, i, (int8_t)(N_2 + 200));
    SAME(T_I64, i, (int64_t)pow((double)N, (double)D));
}

static void reals(void **state) {
    (void)state;
    SAME(T_F64, f, 1.0 / sqrt((N)));
    SAME(T_F64, f, (double)(N) / D);
    SAME(T_F64, f, (float)(1.0 / sqrt((D))));
    SAME(T_F64, f, 0.1f);
    SAME(T_F64, f, 1e-06f * 2.5);
    SAME(T_F64, f, exp(-0.5) + log2(3.0) - tanh(0.25) * erf(1.5));
    SAME(T_F64, f, fmod(7.5, 2.0) + pow(2.0, 0.5) + rint(2.5) + floor(-1.5));
    SAME(T_F64, f, (N < 3.5 ? 1.0 : -INFINITY));
    SAME(T_F32, f, (float)((double)N / 3.0));
    SAME(T_BOOL, i, (0.5 != 0));
    SAME(T_I64, i, (0.5 == 0.5) + (1 < 1.5));
}

/* What is not evaluated may have no value. */
static void lazy(void **state) {
    (void)state;
    SAME(T_I64, i, (N - 100 ? N / (N - 100) : 5));
    SAME(T_I64, i, N == 100 || N / (N - 100));
    SAME(T_I64, i, N != 100 && N / (N - 100));
}

static void without_a_value(void **state) {
    (void)state;
    static const char *const none[] = {"",
                                       "N +",
                                       "(N",
                                       "N)",
                                       "M",
                                       "N N",
                                       "f(N)",
                                       "N ? 1",
                                       "ceil_div(N",
                                       "N / 0",
                                       "N % (D - 7)",
                                       "9223372036854775807 + N",
                                       "9223372036854775807 * D",
                                       "1.5 % 2",
                                       "fx_most(1.5, N)",
                                       "ceil_div(N, D - 7)",
                                       "-(-9223372036854775807 - 1)"};
    Scalar got;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(formula_value(none[i], &dims, T_I64, &got));
    static char deep[1 << 20];
    memset(deep, '(', sizeof deep - 1);
    assert_false(formula_value(deep, &dims, T_I64, &got));
    memset(deep, '-', sizeof deep - 1);
    assert_false(formula_value(deep, &dims, T_I64, &got));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(integers, setup, teardown),
        cmocka_unit_test_setup_teardown(reals, setup, teardown),
        cmocka_unit_test_setup_teardown(lazy, setup, teardown),
        cmocka_unit_test_setup_teardown(without_a_value, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
