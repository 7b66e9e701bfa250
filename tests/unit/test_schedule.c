/* test_schedule.c: schedules of one body by different choices: each is what was asked for, and the
 * body is the same afterwards. */
#include "pipeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;

static int setup(void **state) {
    (void)state;
    arena = arena_new(0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

/* The body of the first kernel. */
static const Body *body_of(const char *text) {
    Diag *diag = diag_new(arena, 20);
    CompileOptions options = compile_options_default();
    options.until = STAGE_KERNEL;
    const uint32_t file = diag_source(diag, "f.fx", text, strlen(text));
    Compilation *c = compile(arena, diag, file, &options);
    assert_int_equal(diag_status(diag), STATUS_OK);
    return &c->functions.at[0].kernels.at[0]->bodies.at[0];
}

static int value_of(const Body *b, ValueKind kind, Op op) {
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == kind && (kind != V_OP || b->values.at[i].op == op)) return i;
    fail_msg("there is no value of kind %d", (int)kind);
    return 0;
}

static const char softmax[] = "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x); }";

static void test_kept(void **state) {
    (void)state;
    const Body *b = body_of(softmax);
    const Schedule *s = schedule_stages(b, true, false, arena);
    const int load = value_of(b, V_LOAD, OP_EXP), e = value_of(b, V_OP, OP_EXP);
    assert_int_equal(s->stage_count, 3);
    assert_true(s->value[load].keep && s->value[e].keep);
    assert_int_equal(s->value[e].used, 1 << 1 | 1 << 2);
    assert_int_equal(s->store[0].level, 2);
    assert_int_equal(s->store[0].stage, 2);
}

static void test_computed_again(void **state) {
    (void)state;
    const Body *b = body_of(softmax);
    const Schedule *s = schedule_stages(b, false, false, arena);
    for (int i = 1; i < b->values.count; i++) assert_false(s->value[i].keep);
    assert_int_equal(s->value[value_of(b, V_LOAD, OP_EXP)].used, 7);
}

static void test_online(void **state) {
    (void)state;
    const Body *b = body_of(softmax);
    const Schedule *kept = schedule_stages(b, true, false, arena);
    const Schedule *online = schedule_stages(b, false, true, arena);
    const Schedule *again = schedule_stages(b, true, false, arena);
    assert_true(body_has_online(b));
    assert_int_equal(online->stage_count, 2);
    assert_int_equal(online->acc[1], 0);
    assert_true(schedule_is_online(online, 1) && schedule_is_stepped(online, 0));
    assert_false(schedule_is_online(kept, 1));
    for (int i = 1; i < b->values.count; i++) {
        assert_int_equal(kept->value[i].stage, again->value[i].stage);
        assert_int_equal(kept->value[i].used, again->value[i].used);
    }
}

/* Of a finished sum nothing below is needed, and of what is given nothing at all. */
static void test_piece(void **state) {
    (void)state;
    const Body *b = body_of(softmax);
    const int load = value_of(b, V_LOAD, OP_EXP), e = value_of(b, V_OP, OP_EXP);
    const int minus = b->values.at[e].src[0];
    const Schedule *s = schedule_piece(b, &(Piece){.roots = &e, .count = 1}, 1, arena);
    assert_int_equal(s->lane, 1);
    assert_true(s->value[e].used && s->value[load].used);
    assert_int_equal(s->value[e].level, 2);
    s = schedule_piece(b, &(Piece){.roots = &e, .count = 1, .given = &minus, .given_count = 1}, 1,
                       arena);
    assert_true(s->value[e].used);
    assert_false(s->value[minus].used || s->value[load].used);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(test_computed_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_online, setup, teardown),
        cmocka_unit_test_setup_teardown(test_piece, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
