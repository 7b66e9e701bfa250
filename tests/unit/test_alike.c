/* test_alike.c: which functions of emitted text differ in the names of their parameters only. */
#include "emit/text/template.h"

#include <cmocka.h>

static const char *const from[] = {"a", "a_m", "rate"}, *const to[] = {"b", "b_m", "rate"};

static bool is_renamed(const char *x, const char *y) { return text_is_renamed(x, y, from, to, 3); }

static void parameters_and_names_made_of_them_change(void **state) {
    (void)state;
    assert_true(is_renamed("a_pack = load(a + i) * rate;", "b_pack = load(b + i) * rate;"));
    assert_true(is_renamed("a_m_pack.at[l] = a_m[i];", "b_m_pack.at[l]  =\n  b_m[i];"));
    assert_true(is_renamed("p.a = a;", "p.a = b;")); /* a member */
    assert_true(is_renamed("alpha = 1.5f;", "alpha = 1.5f;"));
}

/* Names of what is made of them have one underscore. */
static void names_may_end_with_an_underscore(void **state) {
    static const char *const own[] = {"do_", "x"}, *const other[] = {"x", "do_"};
    (void)state;
    assert_true(text_is_renamed("do_pack = load(do_ + i); x_1 = x[i];",
                                "x_pack = load(x + i); do_1 = do_[i];", own, other, 2));
    assert_false(text_is_renamed("do_pack = x;", "x_pack = x;", own, other, 2));
}

static void others_do_not(void **state) {
    static const char *const pairs[][2] = {
        {"y = exp(a);", "y = log(b);"},   /* another function */
        {"y = a_of(a);", "y = b_of(b);"}, /* also if it is called like a parameter */
        {"y = a_of<4>(a);", "y = b_of<4>(b);"},
        {"y = a + b_pack;", "y = b + b_pack;"}, /* two names would become one */
        {"y = a;", "y = b_m;"},                 /* another parameter */
        {"y = a_pack;", "y = b_items;"},
        {"y = a + 1;", "y = b + 2;"},
        {"y = a;", "y = b; z = b;"},
        {"y = a;", "y = a;"},
        {"y = p.a;", "y = p.b;"},
        {"y = a_m;", "y = b_n;"}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_false(is_renamed(pairs[i][0], pairs[i][1]));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parameters_and_names_made_of_them_change),
                                       cmocka_unit_test(names_may_end_with_an_underscore),
                                       cmocka_unit_test(others_do_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
