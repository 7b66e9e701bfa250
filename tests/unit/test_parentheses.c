/* test_parentheses.c: which parentheses emitted lines lose. */
#include "emit/text/template.h"

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *given, const char *expected) {
    char line[128];
    snprintf(line, sizeof line, "%s", given);
    drop_parentheses(line);
    assert_string_equal(line, expected);
}

static void redundant_ones_go(void **state) {
    (void)state;
    check("tiles_n = ((4*D) + tile_n - 1) / tile_n;", "tiles_n = (4*D + tile_n - 1) / tile_n;");
    check("if (i < (N + 1) && j >= (4*D)) f((N*D/4), (A + B));",
          "if (i < N + 1 && j >= 4*D) f(N*D/4, A + B);");
    check("n = ((D + 2)/2) - (H*D);", "n = (D + 2)/2 - H*D;");
    check("x[(a % 3) + (b / 2)] = c ? (a * b) : (a - b);", "x[a % 3 + b / 2] = c ? a * b : a - b;");
    check("f<(B*H), 128>();", "f<(B*H), 128>();");
}

/* Where an operator binds as tightly, and where parentheses mean something else. */
static void others_stay(void **state) {
    static const char *const lines[] = {
        "x = a - (b + c) + (d - e);",
        "x = a + (b + c);",
        "x = i*(4*D) + (B*S) % 8;",
        "x = (float)-y + (int)(a + b) - -(a * b);",
        "x = load<4>(y + i) + f(a + b);",
        "x = a << (b + c) | (b + c);",
        "x = (a < b) + (const float *)p;",
        "x = a & (b * c);",
        "puts(\" (a + b), \"); c = '('; /* , (a + b), */ // (a * b)",
        "    (a + b)",
        "k<<<(N + 1), 128>>>();",
        "f(((a", /* parentheses that other lines close */
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) check(lines[i], lines[i]);
}

/* Groups in groups are read up to a depth: time is linear in the length of a line. Behind each of
 * these is an operator that binds as tightly. */
static void deep_groups_stay(void **state) {
    (void)state;
    enum { DEPTH = 20000 };
    Arena *arena = arena_new(0);
    Text text = text_new(arena);
    text_str(&text, "x = ");
    for (int i = 0; i < DEPTH; i++) text_char(&text, '(');
    text_str(&text, "a");
    for (int i = 0; i < DEPTH; i++) text_str(&text, " * b)");
    text_str(&text, ";");
    Text line = text_new(arena);
    text_str(&line, text_get(&text));
    drop_parentheses(line.data);
    assert_string_equal(line.data, text_get(&text));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redundant_ones_go),
        cmocka_unit_test(others_stay),
        cmocka_unit_test(deep_groups_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
