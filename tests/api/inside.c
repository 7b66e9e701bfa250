/* inside.c: what shows of libfusec from within only, linked statically: a mistake of ours becomes a
 * status with its place, and the process goes on. */
#include "api/api.h"
#include "world.h"

static FusecStatus make_bug(void *of) { BUG("%s cannot be", (const char *)of); }

static FusecStatus take_too_much(void *of) {
    arena_alloc(of, (size_t)1 << 38);
    return FUSEC_OK;
}

static void test_bug_is_a_status(void **state) {
    char what[] = "this";
    (void)state;
    assert_int_equal(api_run(make_bug, what), FUSEC_BUG);
    const FusecError *e = fusec_last_error();
    assert_true(e->status == FUSEC_BUG && e->bug_line > 0);
    assert_non_null(strstr(e->bug_file, "inside.c"));
    assert_non_null(strstr(e->text, "this cannot be"));
    Arena *arena = arena_new(1 << 20);
    assert_int_equal(api_run(take_too_much, arena), FUSEC_NO_MEMORY);
    assert_null(fusec_last_error()->bug_file);
    arena_free(arena);
}

/* A limit of the context bounds a compilation, not the process. */
static void test_memory_limit(void **state) {
    static const char text[] = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }\n";
    const FusecLimit limit = {"memory_bytes", 20000};
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    FusecModel *model;
    (void)state;
    o.limits = &limit;
    o.limit_count = 1;
    assert_ok(fusec_context_create(&o, &context));
    assert_int_equal(
        fusec_model_from_text(context, "f.fx", text, sizeof text - 1, NULL, NULL, &model),
        FUSEC_NO_MEMORY);
    assert_null(model);
    fusec_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bug_is_a_status),
        cmocka_unit_test(test_memory_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
