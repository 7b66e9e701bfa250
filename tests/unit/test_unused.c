/* test_unused.c: which declarations emitted kernels lose. */
#include "emit/text/template.h"

#include <cmocka.h>

static void check(const char *given, const char *expected) {
    Arena *arena = arena_new(0);
    Text text = text_new(arena);
    text_printf(&text, "void f() {\n%s}\n", given);
    drop_unused(&text);
    assert_string_equal(text_get(&text), arena_printf(arena, "void f() {\n%s}\n", expected));
    arena_free(arena);
}

static void unread_ones_go(void **state) {
    (void)state;
    check("    const int a = 1; /* one */\n    g(b);\n", "    g(b);\n");
    check("    constexpr int a = (int)(b[0] + 2) == 3 ? c.d : 4;\n", "");
    check("    const Pack<bf16, 8> a = b, c = d, e = f;\n    g(c);\n",
          "    const Pack<bf16, 8> c = d;\n    g(c);\n");
    check("    const int a = 1, b = 2, c = 3;\n    g(a, c);\n",
          "    const int a = 1, c = 3;\n    g(a, c);\n");
    check("    const int a = 1;\n    const int b = a + 1, c = b;\n", ""); /* read by these alone */
    check("    const int a = b.a;\n    g(b.a, p->a, \"a\"); /* a */\n",
          "    g(b.a, p->a, \"a\"); /* a */\n");
    check("    if (x) {\n        const int a = 1;\n    }\n    g(a);\n",
          "    if (x) {\n    }\n    g(a);\n");
    check("    /* Beyond the end. */\n    const int a = 1;\n    g();\n", "    g();\n");
}

static void attributes_go(void **state) {
    (void)state;
    check("    [[maybe_unused]] const int a = 1, b = 2;\n    g(a);\n",
          "    const int a = 1;\n    g(a);\n");
    check("    [[maybe_unused]] const bool a = g(1);\n    h(a);\n",
          "    const bool a = g(1);\n    h(a);\n");
}

static void others_stay(void **state) {
    static const char *const texts[] = {
        "    const int a = g(1);\n",
        "    const int a = count++;\n",
        "    [[maybe_unused]] const int a = b = 1;\n",
        "    [[maybe_unused]] const auto a = [](float x) { return -x; };\n",
        "    const float *const a = b, *c = d;\n",
        "    int a = 1;\n",
        "    const int a = 1;\n    {\n        g(a);\n    }\n",
        "    const int a = 1, b = a;\n    g(b);\n",
        "           const int a = 1) {\n    }\n", /* the last parameter of a function */
        "    const int a = 1; g();\n",
        "    const int a = 1; /* a comment\n                      * of two lines */\n    g();\n",
        "    const int a =",
        "    const int a = 1 /* no end",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check(texts[i], texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unread_ones_go),
        cmocka_unit_test(attributes_go),
        cmocka_unit_test(others_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
