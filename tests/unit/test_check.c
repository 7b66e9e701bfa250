/* test_check.c: the tolerance rule, on tensors made for it: what is seeded wrong must be caught,
 * and what the rule allows must pass. test_check_programs.c has whole programs. */
#include "world.h"

/* ---- the rule on tensors made here ------------------------------------------------------- */

typedef struct Trio {
    Tensor *candidate, *exact, *declared;
} Trio;

static Tensor *copy_of(const Tensor *t) {
    Tensor *copy = tensor_new(t->type, t->rank, t->shape);
    memcpy(copy->data, t->data, t->bytes);
    return copy;
}

static Trio trio_open(Dtype type, int64_t count) {
    Trio t = {.exact = tensor_new(type, 1, &count)};
    tensor_random(t.exact, 5);
    t.declared = copy_of(t.exact);
    t.candidate = copy_of(t.exact);
    return t;
}

static void trio_close(Trio *t) {
    tensor_free(t->candidate);
    tensor_free(t->exact);
    tensor_free(t->declared);
}

static CheckReport check(const Trio *t) {
    CheckReport report;
    const Tensor *declared = t->declared;
    bool ok = check_output(t->candidate, t->exact, &declared, 1, &report);
    assert_true(ok == report.ok);
    return report;
}

static const Dtype all_floats[] = {T_F8E4M3, T_F8E5M2, T_BF16, T_F16, T_F32, T_F64};
enum { FLOATS = sizeof all_floats / sizeof *all_floats };

static void equal_tensors_pass(void **state) {
    (void)state;
    for (Dtype type = T_NONE + 1; type < T_COUNT; type++) {
        Trio t = trio_open(type, 100);
        assert_true(check(&t).ok);
        trio_close(&t);
    }
}

static void one_element_far_off_fails(void **state) {
    (void)state;
    for (int i = 0; i < FLOATS; i++) {
        Trio t = trio_open(all_floats[i], 1000);
        double step = dtype_epsilon(all_floats[i]);
        set(t.exact, 7, 0.5);
        set(t.declared, 7, 0.5);
        set(t.candidate, 7, 0.5 + fmax(0.005, 2 * step)); /* by 1 %, where a step is no longer */
        CheckReport report = check(&t);
        assert_false(report.ok);
        assert_string_equal(report.why, "error");
        assert_int_equal(report.index[0], 7);
        assert_true(report.want.f == 0.5);
        trio_close(&t);
    }
}

static void swapped_elements_fail(void **state) {
    (void)state;
    for (int i = 0; i < FLOATS; i++) {
        Trio t = trio_open(all_floats[i], 1000);
        set(t.candidate, 3, value_at(t.exact, 4));
        set(t.candidate, 4, value_at(t.exact, 3));
        assert_false(check(&t).ok);
        trio_close(&t);
    }
}

static void poison_and_zeros_fail(void **state) {
    (void)state;
    for (Dtype type = T_NONE + 1; type < T_COUNT; type++) {
        Trio t = trio_open(type, 100);
        tensor_poison(t.candidate);
        assert_false(check(&t).ok);
        memset(t.candidate->data, 0, t.candidate->bytes);
        assert_false(check(&t).ok);
        trio_close(&t);
    }
}

static void one_step_passes_but_not_everywhere(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) { /* the narrow types */
        Dtype type = all_floats[i];
        Trio t = trio_open(type, 1024);
        for (int64_t j = 0; j < 1024; j++) set(t.exact, j, 1 + j % 2 * 0.5);
        for (int64_t j = 0; j < 1024; j++) set(t.declared, j, value_at(t.exact, j));
        for (int64_t j = 0; j < 1024; j++) set(t.candidate, j, value_at(t.exact, j));
        set(t.candidate, 500, 1 + dtype_epsilon(type));
        assert_true(check(&t).ok);
        for (int64_t j = 0; j < 1024; j += 16) set(t.candidate, j, 1 + dtype_epsilon(type));
        assert_string_equal(check(&t).why, "mean error");
        trio_close(&t);
    }
}

static void kinds_must_match(void **state) {
    (void)state;
    static const double values[] = {1, NAN, INFINITY, -INFINITY};
    for (int want = 0; want < 4; want++)
        for (int got = 0; got < 4; got++) {
            Trio t = trio_open(T_F32, 100);
            set(t.exact, 9, values[want]);
            set(t.declared, 9, values[want]);
            set(t.candidate, 9, values[got]);
            assert_true(check(&t).ok == (want == got));
            trio_close(&t);
        }
}

/* exp(100) is beyond f32: exact numbers say so nowhere, the declared types do. */
static void overflow_in_the_declared_type_is_allowed(void **state) {
    (void)state;
    Trio t = trio_open(T_F32, 100);
    set(t.declared, 9, INFINITY);
    assert_true(check(&t).ok);
    set(t.candidate, 9, INFINITY);
    assert_true(check(&t).ok);
    set(t.candidate, 9, -INFINITY);
    assert_false(check(&t).ok);
    trio_close(&t);
}

static void integers_must_be_equal(void **state) {
    (void)state;
    Trio t = trio_open(T_I64, 100);
    int64_t big = (int64_t)1 << 60;
    tensor_set(t.exact, 9, (Scalar){.i = big});
    tensor_set(t.candidate, 9, (Scalar){.i = big + 1});
    assert_string_equal(check(&t).why, "not equal");
    tensor_set(t.declared, 9, (Scalar){.i = big + 1});
    assert_true(check(&t).ok);
    trio_close(&t);
}

/* Squares of these do not fit a double. */
static void huge_f64_numbers_are_compared(void **state) {
    (void)state;
    Trio t = trio_open(T_F64, 100);
    for (int64_t i = 0; i < 100; i++) {
        set(t.exact, i, 1e300 * value_at(t.exact, i));
        set(t.declared, i, value_at(t.exact, i));
        set(t.candidate, i, value_at(t.exact, i) * (1 + 0x1p-52));
    }
    assert_true(check(&t).ok);
    set(t.candidate, 4, 1e299);
    assert_false(check(&t).ok);
    trio_close(&t);
}

static void reports_are_one_line(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    Text text = text_new(arena);
    Trio t = trio_open(T_F32, 2);
    set(t.exact, 0, 1);
    set(t.exact, 1, 2);
    memcpy(t.declared->data, t.exact->data, t.exact->bytes);
    memcpy(t.candidate->data, t.exact->data, t.exact->bytes);
    set(t.candidate, 1, 2.5);
    CheckReport report = check(&t);
    check_print("y", &report, &text);
    assert_string_equal(text_get(&text), "y: wrong (error), largest error 0.5 of 9.54e-07 allowed, "
                                         "at [1]: got 2.5, want 2");
    trio_close(&t);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_tensors_pass),
        cmocka_unit_test(one_element_far_off_fails),
        cmocka_unit_test(swapped_elements_fail),
        cmocka_unit_test(poison_and_zeros_fail),
        cmocka_unit_test(one_step_passes_but_not_everywhere),
        cmocka_unit_test(kinds_must_match),
        cmocka_unit_test(overflow_in_the_declared_type_is_allowed),
        cmocka_unit_test(integers_must_be_equal),
        cmocka_unit_test(huge_f64_numbers_are_compared),
        cmocka_unit_test(reports_are_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
