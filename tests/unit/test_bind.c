/* test_bind.c: the values of dims from the sizes of inputs, and what is said when they do not
 * fit. */
#include "world.h"

/* What has been said, one message a line. */
static const char *said(const World *w) {
    Text text = text_new(w->arena);
    for (int i = 0; i < w->diag->messages.count; i++)
        text_printf(&text, "%s%s", i ? "\n" : "", w->diag->messages.at[i].text);
    return text_get(&text);
}

static Dim symbol(World *w, const char *name) { return dim_symbol(w->g->dims, name, NOWHERE); }
static Dim number(World *w, int64_t value) { return dim_const(w->g->dims, value); }

/* An input of the model, and the tensor that is given for it. */
static void give(World *w, const char *name, int rank, const Dim *dims, const int64_t *shape) {
    int i = w->g->inputs.count;
    graph_input(w->g, name, T_F32, rank, dims, NOWHERE);
    w->input[i] = tensor_new(T_F32, rank, shape);
}

#define DIMS(...) ((const Dim[]){__VA_ARGS__})

static bool bind(World *w, const DimBinding *bindings, int count) {
    return bind_dims(w->g, inputs_of(w), NULL, bindings, count, w->symbols);
}

static void dims_follow_from_sizes(void **state) {
    (void)state;
    World w;
    world_open(&w);
    Dim n = symbol(&w, "N"), d = symbol(&w, "D"), m = symbol(&w, "M");
    Dims *dims = w.g->dims;
    /* M follows only when N is known, from the input after it. */
    give(&w, "a", 2, DIMS(dim_mul(dims, m, n), dim_add(dims, d, number(&w, 1))), SHAPE(12, 6));
    give(&w, "b", 1, DIMS(dim_mul(dims, number(&w, 2), n)), SHAPE(6));
    assert_true(bind(&w, NULL, 0));
    assert_int_equal(w.symbols[0], 3);
    assert_int_equal(w.symbols[1], 5);
    assert_int_equal(w.symbols[2], 4);
    world_close(&w);
}

static void sizes_that_disagree_are_named(void **state) {
    (void)state;
    World w;
    world_open(&w);
    Dim n = symbol(&w, "N");
    give(&w, "x", 2, DIMS(n, n), SHAPE(3, 4));
    assert_false(bind(&w, NULL, 0));
    assert_string_equal(said(&w), "input x is f32[3, 4], but the model says f32[N, N]\n"
                                  "N = 3, from axis 0 of input x");
    world_close(&w);
}

static void two_inputs_that_disagree_are_named(void **state) {
    (void)state;
    World w;
    world_open(&w);
    Dim n = symbol(&w, "N"), d = symbol(&w, "D");
    give(&w, "x", 2, DIMS(n, d), SHAPE(3, 4));
    give(&w, "y", 1, DIMS(d), SHAPE(5));
    assert_false(bind(&w, NULL, 0));
    assert_string_equal(said(&w), "input y is f32[5], but the model says f32[D]\n"
                                  "D = 4, from axis 1 of input x");
    world_close(&w);
}

static void rank_and_type_are_checked(void **state) {
    (void)state;
    World w;
    world_open(&w);
    give(&w, "x", 2, DIMS(symbol(&w, "N"), number(&w, 4)), SHAPE(3, 4));
    tensor_free(w.input[0]);
    w.input[0] = tensor_new(T_BF16, 1, SHAPE(3));
    assert_false(bind(&w, NULL, 0));
    assert_string_equal(said(&w), "input x is bf16[3], but the model says f32[N, 4]");
    world_close(&w);
}

static void sizes_that_do_not_divide_are_reported(void **state) {
    (void)state;
    World w;
    world_open(&w);
    give(&w, "x", 1, DIMS(dim_mul(w.g->dims, number(&w, 2), symbol(&w, "N"))), SHAPE(7));
    assert_false(bind(&w, NULL, 0));
    assert_string_equal(said(&w), "input x is f32[7], but the model says f32[2*N]\n"
                                  "N = 3, from axis 0 of input x");
    world_close(&w);
}

static void dims_in_no_shape_must_be_given(void **state) {
    (void)state;
    World w;
    world_open(&w);
    Dim n = symbol(&w, "N");
    symbol(&w, "W");
    give(&w, "x", 1, DIMS(n), SHAPE(3));
    assert_false(bind(&w, NULL, 0));
    assert_string_equal(said(&w), "dim W is in no input's shape: give its value, as in -D W=64");
    const DimBinding bindings[] = {{"W", 16}, {"of_another_function", 2}};
    assert_true(bind(&w, bindings, 2));
    assert_int_equal(w.symbols[1], 16);
    world_close(&w);
}

static void dims_that_cannot_be_solved_must_be_given(void **state) {
    (void)state;
    World w;
    world_open(&w);
    Dim n = symbol(&w, "N");
    Dim part = dim_mod(w.g->dims, n, dim_const(w.g->dims, 4));
    give(&w, "x", 1, DIMS(part), SHAPE(3));
    assert_false(bind(&w, NULL, 0));
    assert_string_equal(said(&w), "dim N does not follow from the sizes of the inputs: give its "
                                  "value, as in -D N=64");
    const DimBinding three = {"N", 3}, four = {"N", 4};
    assert_true(bind(&w, &three, 1));
    w.diag->messages.count = 0;
    assert_false(bind(&w, &four, 1));
    assert_string_equal(said(&w), "input x is f32[3], but the model says f32[N % 4]\n"
                                  "N = 4, from the value given for it");
    world_close(&w);
}

static void dims_are_at_least_one(void **state) {
    (void)state;
    World w;
    world_open(&w);
    give(&w, "x", 1, DIMS(symbol(&w, "N")), SHAPE(0));
    assert_false(bind(&w, NULL, 0));
    assert_string_equal(said(&w), "dim N is 0 by axis 0 of input x, but must be at least 1");
    world_close(&w);
}

static void guards_are_checked(void **state) {
    (void)state;
    World w;
    world_open(&w);
    Dims *dims = w.g->dims;
    Dim d = symbol(&w, "D"), eight = number(&w, 8);
    give(&w, "x", 1, DIMS(d), SHAPE(12));
    assert_true(
        dim_assume(dims, DIM_EQ, dim_mod(dims, d, eight), number(&w, 0), NOWHERE, "assert"));
    assert_false(bind(&w, NULL, 0));
    assert_string_equal(said(&w), "assert: D % 8 == 0 fails for D = 12");
    world_close(&w);
}

static void a_function_without_dims_is_bound(void **state) {
    (void)state;
    World w;
    world_open(&w);
    give(&w, "x", 1, DIMS(number(&w, 3)), SHAPE(3));
    assert_true(bind_dims(w.g, inputs_of(&w), NULL, NULL, 0, NULL));
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dims_follow_from_sizes),
        cmocka_unit_test(sizes_that_disagree_are_named),
        cmocka_unit_test(two_inputs_that_disagree_are_named),
        cmocka_unit_test(rank_and_type_are_checked),
        cmocka_unit_test(sizes_that_do_not_divide_are_reported),
        cmocka_unit_test(dims_in_no_shape_must_be_given),
        cmocka_unit_test(dims_that_cannot_be_solved_must_be_given),
        cmocka_unit_test(dims_are_at_least_one),
        cmocka_unit_test(guards_are_checked),
        cmocka_unit_test(a_function_without_dims_is_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
