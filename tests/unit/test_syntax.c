/* test_syntax.c: floor 2, where the golden files of tests/syntax do not reach: hostile and huge
 * texts, places of nodes, values of numbers, memory that runs out, the formatter on all goldens. */
#include "syntax/syntax.h"

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;
static Diag *diag;
static Limits limits;

static int setup(void **state) {
    (void)state;
    arena = arena_new(0);
    diag = diag_new(arena, 20);
    limits = limits_default();
    return 0;
}

static int teardown(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

static uint32_t source(const char *text, size_t size) {
    return diag_source(diag, "t.fx", text, size);
}

static Ast *parse_text(const char *text) {
    return parse(arena, diag, source(text, strlen(text)), &limits);
}

static Ast *parse_good(const char *text) {
    Ast *ast = parse_text(text);
    if (!ast) fail_msg("does not parse: %s", text);
    return ast;
}

/* `head`, then `count` times `piece`, then `tail`. */
static char *repeated(const char *head, const char *piece, int count, const char *tail) {
    Text text = text_new(arena);
    text_str(&text, head);
    for (int i = 0; i < count; i++) text_str(&text, piece);
    text_str(&text, tail);
    return text.data;
}

static void assert_only_error(const char *expected) {
    assert_int_equal(diag->errors, 1);
    if (!strstr(diag->messages.at[0].text, expected))
        fail_msg("'%s' is not in '%s'", expected, diag->messages.at[0].text);
}

/* What the formatter makes of a text, which it must be able to format. */
static char *formatted(const char *text, size_t size) {
    Text out = text_new(arena);
    assert_true(format(arena, diag, source(text, size), &limits, &out));
    return arena_strdup(arena, text_get(&out));
}

/* ---- hostile texts ---------------------------------------------------------------------- */

static void a_chain_of_a_million_terms_is_an_error(void **state) {
    (void)state;
    limits.source_bytes = 4 << 20;
    assert_null(parse_text(repeated("const a = x", " + x", 1000000, ";\n")));
    assert_only_error("nests deeper than 256");
}

static void no_limit_allows_a_tree_that_cannot_be_walked(void **state) {
    (void)state;
    limits.depth = INT64_MAX;
    Ast *deep = parse_good(repeated("const a = x", "+x", 3999, ";"));
    Text out = text_new(arena);
    ast_print(deep, &out);
    assert_true(ast_equal(deep, deep));
    assert_null(parse_text(repeated("const a = x", "+x", 4000, ";")));
    assert_only_error("nests deeper than 4000");
}

static void what_opens_and_does_not_close_is_an_error(void **state) {
    (void)state;
    static const char *const pieces[] = {"(",  "[",     "-",      "!",    "f(",
                                         "x[", "x ** ", "f(a = ", "(x + "};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        diag = diag_new(arena, 20);
        assert_null(parse_text(repeated("const a = ", pieces[i], 100000, "")));
        assert_only_error("is nested too deeply for the parser");
    }
}

static void brackets_count_for_nothing(void **state) {
    (void)state;
    char *open = repeated("const a = ", "(", 1000, "1");
    Ast *deep = parse_good(repeated(open, ")", 1000, ";"));
    assert_int_equal(deep->kid[0]->kid[0]->depth, 1);
}

static void a_nul_byte_is_one_error(void **state) {
    (void)state;
    static const char text[] = "const a = 1;\nconst b = \0\0\0;\nconst c = ;\n";
    assert_null(parse(arena, diag, source(text, sizeof text - 1), &limits));
    assert_only_error("NUL byte");
    assert_int_equal(diag->messages.at[0].span.lo, 23);
    Text out = text_new(arena);
    assert_false(format(arena, diag, source(text, sizeof text - 1), &limits, &out));
    assert_int_equal(out.size, 0);
}

static void every_byte_and_every_pair_of_bytes(void **state) {
    (void)state;
    for (int i = 0; i < 1 << 16; i++) {
        if (i % 4096 == 0) teardown(NULL), setup(NULL);
        char text[] = {(char)(i >> 8), (char)i, '\0'};
        Ast *ast = parse(arena, diag, source(text, 2), &limits);
        assert_true(ast || diag->errors);
    }
}

static void a_run_of_foreign_bytes_is_one_error(void **state) {
    (void)state;
    assert_null(parse_text(repeated("const a = ", "\xff\xc3\xa9\x01$", 10000, ";")));
    assert_only_error("is not part of the language");
}

static void long_tokens(void **state) {
    (void)state;
    enum { LONG = 500000 };
    limits.name_bytes = LONG + 1;
    Ast *file = parse_good(repeated("const a", "a", LONG, " = 1;"));
    assert_int_equal(strlen(file->kid[0]->text), LONG + 1);
    file = parse_good(repeated("import \"", "x", LONG, "\";"));
    assert_int_equal(strlen(file->kid[0]->text), LONG);
    file = parse_good(repeated("const a = 0.", "0", LONG, "1;"));
    assert_true(file->kid[0]->kid[0]->number == 0.0);
    parse_good(repeated("/*", "/ * ", LONG / 4, "*/"));
    parse_good(repeated("//", "/", LONG, ""));
    parse_good(repeated("const a = 1;", " ", LONG, ""));
    assert_null(parse_text(repeated("const a = ", "1", LONG, ";")));
    assert_only_error("does not fit in f64");
    assert_true(strlen(diag->messages.at[0].text) < 100);
}

static void unclosed_comments_and_strings_are_one_error(void **state) {
    (void)state;
    assert_null(parse_text(repeated("fn f() -> (y: f32) { y = 1;\n/*", "/ * {\n", 50000, "")));
    assert_only_error("this comment is not closed");
    diag = diag_new(arena, 20);
    assert_null(parse_text(repeated("import \"", "x", 500000, "")));
    assert_only_error("does not end on its line");
}

static void windows_line_ends_and_byte_order_marks(void **state) {
    (void)state;
    static const char text[] = "\xef\xbb\xbf// a\r\nconst a = 1; // b\r\n\r\n/* c\r\n */\r\n";
    assert_true(ast_equal(parse_good(text), parse_good("const a = 1;")));
    assert_string_equal(formatted(text, sizeof text - 1),
                        "// a\nconst a = 1;  // b\n\n/* c\n */\n");
    assert_null(parse_text("const a = \xef\xbb\xbf 1;"));
    assert_only_error("is not part of the language");
}

static void parse_wrong_text(void *small) {
    static const char text[] = "@a fn f[N](x: f32[N]) -> (y: f32) { y = g(x[1:], [1]) + x.T; } z";
    Diag *said = diag_new(small, 20);
    uint32_t file = diag_source(said, "t.fx", text, sizeof text - 1);
    assert_null(parse(small, said, file, &limits));
    assert_int_equal(said->errors, 1);
}

/* True when `room` bytes are enough to parse a text with one error. */
static bool is_room_enough(size_t room) {
    Arena *small = arena_new(room);
    Recovery why;
    bool is_enough = recover(parse_wrong_text, small, &why);
    arena_free(small);
    return is_enough;
}

/* Every allocation may be the one that fails. What is not the arena's would leak here. */
static void memory_runs_out_anywhere(void **state) {
    (void)state;
    size_t room = 256;
    while (!is_room_enough(room)) room += 16;
    assert_true(room > 4096);
}

/* ---- trees ------------------------------------------------------------------------------ */

static void parsing_twice_gives_equal_trees(void **state) {
    (void)state;
    static const char text[] = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = x[:, None] + 1; }";
    Ast *first = parse_good(text), *second = parse_good(repeated("\n// c\n", text, 1, "\n"));
    assert_ptr_not_equal(first, second);
    assert_true(ast_equal(first, second));
    assert_int_not_equal(first->span.file, second->span.file);
}

static void trees_differ(void **state) {
    (void)state;
    static const char *const texts[] = {
        "const a = 1;",       "const b = 1;",      "const a = 2;",    "const a = 1.0;",
        "const a = x[1:];",   "const a = x[:1];",  "const a = x[1];", "const a = x[:];",
        "const a = x[None];", "const a = x[...];", "const a = f();",  "const a = f;",
        "const a = f(1);",    "const a = f(n=1);", "const a = [1];",  "const a = [];",
        "const a = f as a;",  "const a = f as b;", "import \"a\";",   "",
    };
    enum { TEXTS = sizeof texts / sizeof texts[0] };
    for (int i = 0; i < TEXTS; i++)
        for (int j = 0; j < TEXTS; j++)
            assert_int_equal(ast_equal(parse_good(texts[i]), parse_good(texts[j])), i == j);
    assert_false(ast_equal(parse_good(""), NULL));
    assert_true(ast_equal(NULL, NULL));
}

static void assert_place(const char *text, Span span, const char *expected) {
    assert_int_equal(span.hi - span.lo, strlen(expected));
    assert_memory_equal(text + span.lo, expected, strlen(expected));
}

static void nodes_know_their_places(void **state) {
    (void)state;
    static const char text[] =
        "@strict fn f[N](xs: f32[N]) -> (y: f32) { y = (xs + 1) @ g(xs, axis = 2) as bf16; }";
    Ast *fn = parse_good(text)->kid[0];
    assert_place(text, fn->span, text);
    assert_place(text, fn->name_span, "f");
    assert_place(text, fn->kid[FN_DIMS]->span, "N");
    assert_place(text, fn->kid[FN_INPUTS]->kid[0]->span, "xs: f32[N]");
    assert_place(text, fn->kid[FN_INPUTS]->kid[0]->name_span, "xs");
    assert_place(text, fn->kid[FN_OUTPUTS]->kid[0]->kid[0]->span, "f32");
    assert_place(text, fn->kid[FN_ATTRS]->kid[0]->span, "@strict");
    assert_place(text, fn->kid[FN_ATTRS]->kid[0]->name_span, "strict");
    Ast *let = fn->kid[FN_BODY], *matmul = let->kid[1], *cast = matmul->kid[1];
    assert_place(text, let->span, "y = (xs + 1) @ g(xs, axis = 2) as bf16;");
    assert_place(text, matmul->span, "(xs + 1) @ g(xs, axis = 2) as bf16");
    assert_place(text, matmul->name_span, "@");
    assert_place(text, cast->name_span, "bf16");
    assert_place(text, cast->kid[0]->name_span, "g");
    assert_place(text, cast->kid[0]->kid[1]->span, "axis = 2");
    assert_place(text, cast->kid[0]->kid[1]->name_span, "axis");
}

static void assert_number(const char *text, bool is_int, int64_t integer, double number) {
    Ast *node = parse_good(arena_printf(arena, "const a = %s;", text))->kid[0]->kid[0];
    assert_int_equal(node->kind, A_NUMBER);
    assert_string_equal(node->text, text);
    assert_int_equal(node->is_int, is_int);
    assert_int_equal(node->integer, integer);
    assert_true(node->number == number);
}

static void check_numbers(void) {
    assert_number("0", true, 0, 0);
    assert_number("010", true, 10, 10);
    assert_number("0x1F", true, 31, 31);
    assert_number("0x1e5", true, 0x1e5, 0x1e5);
    assert_number("9223372036854775807", true, INT64_MAX, 9223372036854775807.0);
    assert_number("9223372036854775808", false, 0, 9223372036854775808.0);
    assert_number("0xffffffffffffffff", false, 0, 18446744073709551615.0);
    assert_number("1e3", false, 0, 1000);
    assert_number("1.5", false, 0, 1.5);
    assert_number(".5", false, 0, 0.5);
    assert_number("2.", false, 0, 2);
    assert_number("1e-5", false, 0, 1e-5);
    assert_number("1.7976931348623157e308", false, 0, 1.7976931348623157e308);
    assert_number("1e-400", false, 0, 0);
}

static void numbers_have_their_values(void **state) {
    (void)state;
    check_numbers();
}

static void numbers_do_not_depend_on_the_locale(void **state) {
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
        print_message("no locale with a decimal comma here\n");
        skip();
    }
    check_numbers();
    setlocale(LC_ALL, "C");
}

/* ---- the formatter ---------------------------------------------------------------------- */

static void check_format(const char *name, const char *text, size_t size) {
    Ast *ast = parse(arena, diag, source(text, size), &limits);
    if (!ast) return;
    const char *once = formatted(text, size), *twice = formatted(once, strlen(once));
    if (!ast_equal(ast, parse_good(once))) fail_msg("%s: formats to another tree", name);
    if (strcmp(once, twice)) fail_msg("%s: formats to something else again", name);
}

static void check_format_of_file(const char *folder, const char *name) {
    FILE *file = fopen(arena_printf(arena, "%s/%s", folder, name), "rb");
    assert_non_null(file);
    char *text = arena_alloc(arena, (1 << 20) + 1);
    size_t size = fread(text, 1, 1 << 20, file);
    fclose(file);
    check_format(name, text, size);
}

/* The folder of golden files, which is beside that of this file. */
static char *golden_folder(void) {
    const char *slash = strrchr(__FILE__, '/');
    int size = slash ? (int)(slash - __FILE__) : 1;
    return arena_printf(arena, "%.*s/../syntax", size, slash ? __FILE__ : ".");
}

static void goldens_format_to_their_own_tree(void **state) {
    (void)state;
    char *folder = golden_folder();
    DIR *dir = opendir(folder);
    if (!dir) skip();
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".fx")) continue;
        check_format_of_file(folder, entry->d_name);
        count++;
    }
    closedir(dir);
    assert_true(count > 25);
}

static void format_appends(void **state) {
    (void)state;
    static const char text[] = "const a=1;/* b\n c */";
    Text out = text_new(arena);
    text_str(&out, "before ");
    assert_true(format(arena, diag, source(text, sizeof text - 1), &limits, &out));
    assert_string_equal(text_get(&out), "before const a = 1;  /* b\n     c */\n");
}

static void format_of_nothing_is_nothing(void **state) {
    (void)state;
    assert_string_equal(formatted("", 0), "");
    assert_string_equal(formatted(" \n\n\t", 4), "");
}

/* A comment may not blow a small text up by moving far to the right. */
static void format_is_bounded(void **state) {
    (void)state;
    limits.name_bytes = 100000;
    char *name = repeated("fn f() -> (y: f32) { ", "a", 100000, " = 1\n; /*");
    char *text = repeated(name, "\nx", 100000, "*/ }");
    assert_true(strlen(formatted(text, strlen(text))) < 2 * strlen(text));
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(F) cmocka_unit_test_setup_teardown(F, setup, teardown)
        TEST(a_chain_of_a_million_terms_is_an_error),
        TEST(no_limit_allows_a_tree_that_cannot_be_walked),
        TEST(what_opens_and_does_not_close_is_an_error),
        TEST(brackets_count_for_nothing),
        TEST(a_nul_byte_is_one_error),
        TEST(every_byte_and_every_pair_of_bytes),
        TEST(a_run_of_foreign_bytes_is_one_error),
        TEST(long_tokens),
        TEST(unclosed_comments_and_strings_are_one_error),
        TEST(windows_line_ends_and_byte_order_marks),
        TEST(memory_runs_out_anywhere),
        TEST(parsing_twice_gives_equal_trees),
        TEST(trees_differ),
        TEST(nodes_know_their_places),
        TEST(numbers_have_their_values),
        TEST(numbers_do_not_depend_on_the_locale),
        TEST(goldens_format_to_their_own_tree),
        TEST(format_appends),
        TEST(format_of_nothing_is_nothing),
        TEST(format_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
