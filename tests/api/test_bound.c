/* test_bound.c: @constant inputs: bound once, prepared for each variant, absent from calls. */
#include "world.h"

static const char text[] = "@constant(w)\n"
                           "fn f[N, D, E](x: f32[N, D], w: f32[D, E]) -> (y: f32[N, E]) {\n"
                           "    assert N % 2 == 0;\n    y = x @ w;\n}\n";

enum { E = 2, MOST = 64, D_MOST = 5 };
static float w[D_MOST][E] = {{1, 2}, {3, 4}, {5, 6}}, x[MOST], y[MOST]; /* 3 rows of w are bound */

static FusecStatus call(FusecFunction *f, int64_t n, int64_t d) {
    int64_t x_shape[2] = {n, d}, y_shape[2] = {n, E};
    DLTensor in = tensor(x, f32, 2, x_shape), out = tensor(y, f32, 2, y_shape);
    for (int i = 0; i < MOST; i++) x[i] = (float)(i % 5), y[i] = -1;
    FusecStatus status = fusec_call(f, (const DLTensor *const[]){&in, NULL, &out}, 3, NULL);
    for (int64_t i = 0; !status && i < n; i++)
        for (int64_t j = 0; j < E; j++) {
            float sum = 0;
            for (int64_t k = 0; k < d; k++) sum += x[i * d + k] * w[k][j];
            assert_float_equal(y[i * E + j], sum, 1e-5);
        }
    return status;
}

static void test_with(FusecPolicy policy) {
    FusecContext *context = open_cpu();
    FusecFunctionOptions options = FUSEC_OPTIONS(FusecFunctionOptions);
    FusecExecutable *executable;
    options.policy = policy;
    FusecFunction *f = load(context, text, &options);
    int64_t shape[2] = {3, E};
    DLTensor weights = tensor(w, f32, 2, shape);
    assert_int_equal(fusec_prepare(f, (const int64_t[]){2, 3, E}, NULL, NULL),
                     FUSEC_WRONG_ARGUMENT);
    assert_string_equal(fusec_last_error()->argument, "w");
    assert_ok(fusec_function_bind(f, "w", &weights));
    assert_int_equal(fusec_prepare(f, (const int64_t[]){2, 4, E}, NULL, NULL),
                     FUSEC_WRONG_ARGUMENT);
    assert_non_null(
        strstr(fusec_last_error()->text, "w is f32[3, 2], but the model says f32[D, E]"));
    assert_ok(fusec_prepare(f, (const int64_t[]){4, 3, E}, NULL, &executable));
    assert_ok(call(f, 4, 3));
    assert_int_equal(call(f, 4, 5), FUSEC_WRONG_ARGUMENT);
    assert_ok(fusec_prepare(f, (const int64_t[]){6, 3, E}, NULL, NULL));
    assert_ok(call(f, 6, 3));
    assert_ok(fusec_execute(executable, (void *const[]){x, NULL, y}, 3, NULL));
    assert_int_equal(fusec_function_bind(f, "w", &weights), FUSEC_WRONG_ARGUMENT);
    fusec_executable_release(executable);
    fusec_function_release(f);
    fusec_context_release(context);
}

static void test_automatic(void **state) {
    (void)state;
    test_with(FUSEC_AUTOMATIC);
}

static void test_general(void **state) {
    (void)state;
    test_with(FUSEC_GENERAL);
}

/* Constants among themselves: each is checked, not just the one that tells the dim first. */
static void test_sizes_differ(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context,
                            "@constant(a, b)\n"
                            "fn f[N, D](x: f32[N, D], a: f32[D], b: f32[D]) -> (y: f32[N, D]) {\n"
                            "    y = x * a + b;\n}\n",
                            NULL);
    int64_t four[1] = {4}, two[1] = {2};
    DLTensor a = tensor(x, f32, 1, four), b = tensor(w, f32, 1, two);
    (void)state;
    assert_ok(fusec_function_bind(f, "a", &a));
    assert_ok(fusec_function_bind(f, "b", &b));
    for (int64_t d = 2; d <= 4; d += 2) {
        const char *wrong = d == 2 ? "a is f32[4]" : "b is f32[2]";
        assert_int_equal(fusec_prepare(f, (const int64_t[]){1, d}, NULL, NULL),
                         FUSEC_WRONG_ARGUMENT);
        assert_non_null(strstr(fusec_last_error()->text, wrong));
        int64_t shape[2] = {1, d};
        DLTensor in = tensor(x, f32, 2, shape), out = tensor(y, f32, 2, shape);
        FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
        options.flags = FUSEC_CALL_MAY_PREPARE;
        assert_int_equal(
            fusec_call(f, (const DLTensor *const[]){&in, NULL, NULL, &out}, 4, &options),
            FUSEC_WRONG_ARGUMENT);
        assert_non_null(strstr(fusec_last_error()->text, wrong));
    }
    fusec_function_release(f);
    fusec_context_release(context);
}

/* NULL stands for a constant in a call, or the memory that is bound: another one is not ignored. */
static void test_given(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, text, NULL);
    FusecExecutable *executable;
    double seconds;
    int64_t shape[2] = {3, E}, x_shape[2] = {2, 3}, y_shape[2] = {2, E};
    DLTensor weights = tensor(w, f32, 2, shape), other = tensor(x, f32, 2, shape);
    DLTensor in = tensor(x, f32, 2, x_shape), out = tensor(y, f32, 2, y_shape);
    const DLTensor *same[] = {&in, &weights, &out}, *differs[] = {&in, &other, &out};
    void *pointers[] = {x, w + 1, y};
    (void)state;
    assert_ok(fusec_function_bind(f, "w", &weights));
    assert_ok(fusec_prepare(f, (const int64_t[]){2, 3, E}, NULL, &executable));
    assert_ok(fusec_call(f, same, 3, NULL));
    assert_int_equal(fusec_call(f, differs, 3, NULL), FUSEC_WRONG_ARGUMENT);
    assert_string_equal(fusec_last_error()->text,
                        "w is a constant, and this is not what is bound: pass NULL");
    assert_int_equal(fusec_execute(executable, pointers, 3, NULL), FUSEC_WRONG_ARGUMENT);
    assert_int_equal(fusec_profile(executable, pointers, 3, NULL, &seconds, 0),
                     FUSEC_WRONG_ARGUMENT);
    assert_string_equal(fusec_last_error()->argument, "w");
    assert_int_equal(fusec_call(f, same, 2, NULL), FUSEC_WRONG_ARGUMENT);
    assert_non_null(strstr(fusec_last_error()->text, "1 output; constants count, as NULL"));
    fusec_executable_release(executable);
    fusec_function_release(f);
    fusec_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_automatic),
        cmocka_unit_test(test_general),
        cmocka_unit_test(test_sizes_differ),
        cmocka_unit_test(test_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
