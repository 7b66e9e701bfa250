/* test_base.c: floor 0. The element types have test_dtype.c. */
#include "base/base.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- arena ------------------------------------------------------------------------------ */

static void arena_gives_zeroed_aligned_memory(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    for (size_t size = 0; size < 5000; size += 7) {
        unsigned char *piece = arena_alloc(arena, size);
        assert_int_equal((uintptr_t)piece % 16, 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(piece[i], 0);
        memset(piece, 0xff, size);
    }
    arena_free(arena);
    arena_free(NULL);
}

static void arena_keeps_using_the_head_after_a_big_piece(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    char *first = arena_alloc(arena, 16);
    char *big = arena_alloc(arena, 1 << 20);
    memset(big, 1, 1 << 20);
    assert_ptr_equal(arena_alloc(arena, 16), first + 16);
    arena_free(arena);
}

static void arena_grows_the_last_piece_in_place(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    char *piece = arena_alloc(arena, 10);
    memcpy(piece, "123456789", 10);
    char *same = arena_grow(arena, piece, 10, 100);
    assert_ptr_equal(same, piece);
    for (int i = 10; i < 100; i++) assert_int_equal(same[i], 0);
    arena_alloc(arena, 1);
    char *moved = arena_grow(arena, same, 100, 200);
    assert_ptr_not_equal(moved, same);
    assert_string_equal(moved, "123456789");
    assert_ptr_equal(arena_grow(arena, moved, 200, 50), moved);
    arena_free(arena);
}

typedef struct Filling {
    Arena *arena;
    int pieces;
} Filling;

static void fill(void *of) {
    Filling *f = of;
    for (;; f->pieces++) arena_alloc(f->arena, 256);
}

static void ask_too_much(void *of) { arena_alloc(((Filling *)of)->arena, SIZE_MAX - 3); }

static void grow_too_much(void *of) {
    Arena *arena = ((Filling *)of)->arena;
    arena_grow(arena, arena_alloc(arena, 0), 0, 5000);
}

static void work_is_left_when_an_arena_is_full(void **state) {
    (void)state;
    Filling f = {arena_new(4096), 0};
    Recovery why;
    assert_false(recover(fill, &f, &why));
    assert_int_equal(f.pieces, 16);
    assert_int_equal(why.kind, LEFT_FOR_MEMORY);
    assert_false(recover(ask_too_much, &f, &why));
    assert_false(recover(grow_too_much, &f, &why));
    arena_free(f.arena);
}

static void make_bug(void *of) { BUG("pieces: %d", ((Filling *)of)->pieces); }
static void count_on(void *of) { ((Filling *)of)->pieces++; }
static void make_bug_surely(void *of) { ensure(make_bug, count_on, of); }

static void bugs_are_told_and_frames_nest(void **state) {
    (void)state;
    Filling f = {NULL, 3};
    Recovery why;
    assert_true(recover(count_on, &f, &why));
    assert_false(recover(make_bug_surely, &f, &why));
    assert_int_equal(f.pieces, 5);
    assert_int_equal(why.kind, LEFT_FOR_BUG);
    assert_string_equal(why.text, "pieces: 4");
    assert_non_null(strstr(why.file, "test_base.c"));
    ensure(count_on, count_on, &f);
    assert_int_equal(f.pieces, 7);
}

static void vectors_and_strings(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    Vec(int) numbers = {0};
    for (int i = 0; i < 1000; i++) vec_push(arena, &numbers, i);
    for (int i = 0; i < 1000; i++) assert_int_equal(numbers.at[i], i);
    assert_string_equal(arena_strndup(arena, "abcdef", 3), "abc");
    assert_string_equal(arena_strdup(arena, ""), "");
    assert_string_equal(arena_printf(arena, "%s-%d", "a", 7), "a-7");
    assert_string_equal(arena_printf(arena, "%s", ""), "");
    arena_free(arena);
}

/* ---- text ------------------------------------------------------------------------------- */

static void text_grows(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    Text text = text_new(arena);
    assert_string_equal(text_get(&text), "");
    for (int i = 0; i < 1000; i++) text_char(&text, 'x');
    text_bytes(&text, "yz", 1);
    assert_int_equal(text.size, 1001);
    assert_string_equal(text_get(&text) + 998, "xxy");
    char wide[3000];
    memset(wide, 'w', sizeof wide);
    wide[sizeof wide - 1] = '\0';
    text_printf(&text, "%s%d", wide, 42);
    assert_int_equal(text.size, 1001 + 2999 + 2);
    assert_string_equal(text_get(&text) + 1001 + 2999, "42");
    arena_free(arena);
}

static void text_pads_to_a_column(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    Text text = text_new(arena);
    text_str(&text, "first\n");
    size_t start = text.size;
    text_str(&text, "ab");
    text_pad(&text, start, 5);
    text_pad(&text, start, 3);
    text_char(&text, '|');
    assert_string_equal(text_get(&text), "first\nab   |");
    arena_free(arena);
}

static void text_distances(void **state) {
    (void)state;
    assert_int_equal(text_distance("softmax", "softmax", 3), 0);
    assert_int_equal(text_distance("sofmax", "softmax", 3), 1);
    assert_int_equal(text_distance("sotfmax", "softmax", 3), 1);
    assert_int_equal(text_distance("", "abc", 3), 3);
    assert_int_equal(text_distance("abc", "", 3), 3);
    assert_int_equal(text_distance("kitten", "sitting", 3), 3);
    assert_int_equal(text_distance("kitten", "sitting", 2), INT_MAX);
    char longer[100];
    memset(longer, 'a', 99);
    longer[99] = '\0';
    assert_int_equal(text_distance(longer, longer, 3), INT_MAX);
}

static void text_knows_utf8(void **state) {
    (void)state;
    uint32_t code;
    assert_int_equal(utf8_decode("\xe2\x82\xac", 3, &code), 3);
    assert_int_equal(code, 0x20ac);
    assert_int_equal(utf8_decode("\xe2\x82\xac", 2, &code), 0);
    assert_int_equal(utf8_decode("", 0, &code), 0);
    assert_true(text_is_utf8("a\xc3\xa9\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf"));
    static const char *const bad[] = {"\x80",         "\xc1\x81",         "\xe0\x81\x81",
                                      "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xf8"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_false(text_is_utf8(bad[i]));
    char copy[8];
    utf8_copy(copy, sizeof copy, "a\xff\xc3\xa9");
    assert_string_equal(copy, "a<ff>\xc3\xa9");
    utf8_copy(copy, 7, "a\xff\xc3\xa9"); /* no room for both bytes of the last */
    assert_string_equal(copy, "a<ff>");
}

/* ---- diagnostics ------------------------------------------------------------------------ */

/* What diag_print shows for one error at lo..hi of a source of `size` bytes. */
static const char *shown(Arena *arena, const char *text, size_t size, uint32_t lo, uint32_t hi) {
    Diag *diag = diag_new(arena, 20);
    Text out = text_new(arena);
    uint32_t file = diag_source(diag, "m.fx", text, size);
    diag_error(diag, (Span){lo, hi, file}, "bad");
    diag_print(diag, &out, false);
    return text_get(&out);
}

#define SHOWN(ARENA, TEXT, LO, HI) shown((ARENA), (TEXT), sizeof(TEXT) - 1, (LO), (HI))

static void diag_marks_the_range(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    assert_string_equal(SHOWN(arena, "let a;\nlet bcd;\n", 11, 14),
                        "m.fx:2:5: error: bad\n  let bcd;\n      ^~~\n");
    assert_string_equal(SHOWN(arena, "ab\r\ncd", 0, 6), "m.fx:1:1: error: bad\n  ab\n  ^~\n");
    assert_string_equal(SHOWN(arena, "\ta\tb", 3, 4),
                        "m.fx:1:4: error: bad\n      a   b\n          ^\n");
    assert_string_equal(SHOWN(arena, "ab", 2, 2), "m.fx:1:3: error: bad\n  ab\n    ^\n");
    assert_string_equal(SHOWN(arena, "ab\n", 3, 3), "m.fx:2:1: error: bad\n");
    assert_string_equal(SHOWN(arena, "ab", 77, 99), "m.fx:1:3: error: bad\n  ab\n    ^\n");
    assert_string_equal(SHOWN(arena, "", 0, 0), "m.fx:1:1: error: bad\n");
    arena_free(arena);
}

static void diag_counts_code_points(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    assert_string_equal(SHOWN(arena, "\xc3\xa9\xe2\x82\xac x", 6, 7),
                        "m.fx:1:4: error: bad\n  \xc3\xa9\xe2\x82\xac x\n     ^\n");
    assert_string_equal(SHOWN(arena, "\xc3\xa9x", 0, 2),
                        "m.fx:1:1: error: bad\n  \xc3\xa9x\n  ^\n");
    Source source = {"m.fx", "a\n\xc3\xa9z", 5};
    int line, column;
    source_place(&source, 4, &line, &column);
    assert_int_equal(line, 2);
    assert_int_equal(column, 2);
    source_place(&source, 1000, &line, &column);
    assert_int_equal(column, 3);
    arena_free(arena);
}

static void diag_makes_bytes_safe(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    assert_string_equal(SHOWN(arena, "a\x1b[1mb\xff\xc3(", 6, 9),
                        "m.fx:1:7: error: bad\n  a<U+001B>[1mb<ff><c3>(\n"
                        "               ^~~~~~~~~\n");
    assert_string_equal(SHOWN(arena, "\0\xe2\x80\xae!", 4, 5),
                        "m.fx:1:3: error: bad\n  <U+0000><U+202E>!\n"
                        "                  ^\n");
    assert_string_equal(SHOWN(arena, "\xed\xa0\x80\xc0\x80\xf5", 0, 1),
                        "m.fx:1:1: error: bad\n  <ed><a0><80><c0><80><f5>\n  ^~~~\n");
    assert_string_equal(SHOWN(arena, "\xf0\x9f", 0, 2),
                        "m.fx:1:1: error: bad\n  <f0><9f>\n  ^~~~~~~~\n");
    Diag *diag = diag_new(arena, 20);
    Text out = text_new(arena);
    diag_source(diag, "a\x1b.fx", "", 0);
    diag_error(diag, (Span){0, 0, 0}, "no \x07 here");
    diag_print(diag, &out, false);
    assert_string_equal(text_get(&out), "a<U+001B>.fx:1:1: error: no <U+0007> here\n");
    arena_free(arena);
}

static void diag_windows_long_lines(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    enum { SIZE = 100000 };
    char *text = arena_alloc(arena, SIZE + 1);
    memset(text, 'x', SIZE);
    memcpy(text + 50000, "HERE", 4);
    const char *out = shown(arena, text, SIZE, 50000, 50004);
    const char *line = strchr(out, '\n') + 1, *mark = strchr(line, '\n') + 1;
    assert_memory_equal(line, "  ...xxx", 8);
    assert_int_equal(mark - line, 2 + 3 + 100 + 3 + 1);
    assert_memory_equal(line + strcspn(mark, "^"), "HERE", 4);
    assert_string_equal(strchr(mark, '^'), "^~~~\n");
    out = shown(arena, text, SIZE, 0, SIZE);
    mark = strchr(strchr(out, '\n') + 1, '\n') + 1;
    assert_int_equal(strlen(mark), 2 + 100 + 1);
    arena_free(arena);
}

static void diag_prints_every_kind(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    Diag *diag = diag_new(arena, 20);
    Text out = text_new(arena);
    uint32_t file = diag_source(diag, "m.fx", "x", 1);
    diag_warning(diag, (Span){0, 1, file}, "w%d", 1);
    diag_note(diag, (Span){0, 1, file}, "n");
    diag_remark(diag, NOWHERE, "r");
    diag_refuse(diag, "first");
    diag_refuse(diag, "second");
    diag_print(diag, &out, false);
    assert_string_equal(text_get(&out), "m.fx:1:1: warning: w1\n  x\n  ^\n"
                                        "m.fx:1:1: note: n\n  x\n  ^\n"
                                        "fusec: remark: r\nfusec: error: first\n");
    assert_int_equal(diag->warnings, 1);
    assert_int_equal(diag->errors, 0);
    arena_free(arena);
}

static void diag_colours_when_asked(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    Diag *diag = diag_new(arena, 20);
    Text out = text_new(arena);
    diag_error(diag, (Span){0, 1, diag_source(diag, "m.fx", "x", 1)}, "bad");
    diag_print(diag, &out, true);
    assert_string_equal(text_get(&out), "\033[1mm.fx:1:1:\033[0m \033[1;31merror:\033[0m bad\n  x\n"
                                        "  \033[1;32m^\033[0m\n");
    arena_free(arena);
}

static void diag_drops_errors_beyond_the_limit(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    Diag *diag = diag_new(arena, 2);
    Text out = text_new(arena);
    for (int i = 0; i < 5; i++) {
        diag_error(diag, NOWHERE, "e%d", i);
        diag_note(diag, NOWHERE, "n%d", i);
    }
    diag_print(diag, &out, false);
    assert_int_equal(diag->errors, 5);
    assert_string_equal(text_get(&out),
                        "fusec: error: e0\nfusec: note: n0\nfusec: error: e1\nfusec: note: n1\n"
                        "fusec: error: too many errors: 5, of which the first 2 are shown\n");
    arena_free(arena);
}

static void spans_join(void **state) {
    (void)state;
    Span joined = span_join((Span){3, 5, 0}, (Span){9, 12, 0});
    assert_true(joined.lo == 3 && joined.hi == 12 && joined.file == 0);
    assert_int_equal(span_join(NOWHERE, (Span){1, 2, 0}).hi, 2);
    assert_int_equal(span_join((Span){1, 2, 0}, NOWHERE).hi, 2);
    assert_int_equal(span_join((Span){1, 9, 0}, (Span){3, 4, 0}).hi, 9);
}

/* ---- hash and limits -------------------------------------------------------------------- */

static void hashes_are_xxh3(void **state) {
    (void)state;
    assert_true(hash_bytes("", 0, 0) == 0x2d06800538d394c2u);
    assert_true(hash_bytes("a", 1, 0) != hash_bytes("a", 1, 1));
    assert_true(hash_bytes("ab", 2, 0) != hash_bytes("ba", 2, 0));
}

static void limits_are_found_by_name(void **state) {
    (void)state;
    Limits limits = limits_default();
    assert_int_equal(limits.depth, 256);
    assert_ptr_equal(limits_find(&limits, "kernel_ops"), &limits.kernel_ops);
    assert_null(limits_find(&limits, "beauty"));
}

/* ---- tables ------------------------------------------------------------------------------ */

/* Whether reading a row ends fusec; what it says is not shown. */
static bool row_is_bug(const char *const *table, size_t count, size_t row) {
    int status;
    const pid_t child = fork();
    if (!child) {
        signal(SIGABRT, SIG_DFL);
        _exit(close(STDERR_FILENO) || !table_row(table, count, row, "a row", "file", 1));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void tables_have_the_row_or_it_is_a_bug(void **state) {
    static const char *const table[] = {[1] = "one", [3] = "three"};
    (void)state;
    assert_string_equal(TABLE_ROW(table, 3, "three"), "three");
    assert_false(row_is_bug(table, 4, 1));
    assert_true(row_is_bug(table, 4, 2));
    assert_true(row_is_bug(table, 4, 4));
    assert_true(row_is_bug(table, 4, (size_t)-1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_keeps_using_the_head_after_a_big_piece),
        cmocka_unit_test(arena_grows_the_last_piece_in_place),
        cmocka_unit_test(work_is_left_when_an_arena_is_full),
        cmocka_unit_test(bugs_are_told_and_frames_nest),
        cmocka_unit_test(vectors_and_strings),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(text_pads_to_a_column),
        cmocka_unit_test(text_distances),
        cmocka_unit_test(text_knows_utf8),
        cmocka_unit_test(diag_marks_the_range),
        cmocka_unit_test(diag_counts_code_points),
        cmocka_unit_test(diag_makes_bytes_safe),
        cmocka_unit_test(diag_windows_long_lines),
        cmocka_unit_test(diag_prints_every_kind),
        cmocka_unit_test(diag_colours_when_asked),
        cmocka_unit_test(diag_drops_errors_beyond_the_limit),
        cmocka_unit_test(spans_join),
        cmocka_unit_test(hashes_are_xxh3),
        cmocka_unit_test(limits_are_found_by_name),
        cmocka_unit_test(tables_have_the_row_or_it_is_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
