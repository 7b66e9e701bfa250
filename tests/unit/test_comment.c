/* test_comment.c: what every emitted text is checked for. */
#include "emit/text/template.h"

#include <string.h>

#include <cmocka.h>

static Text text_of(Arena *arena, const char *bytes, size_t size) {
    Text text = text_new(arena);
    text_bytes(&text, bytes, size);
    return text;
}

static const char *flaw(Arena *arena, const char *bytes, size_t size) {
    const Text text = text_of(arena, bytes, size);
    return source_flaw(&text);
}

static void flaws_are_found(void **state) {
    (void)state;
    Arena *arena = arena_new(0);
    const Text empty = text_new(arena);
    assert_null(source_flaw(&empty));
    assert_null(flaw(arena, "int x; /* ~ */\n", 15));
    assert_non_null(flaw(arena, "int (null);\n", 12));
    assert_non_null(flaw(arena, "int x\0;\n", 9));
    assert_non_null(flaw(arena, "int x\x01;\n", 8));
    assert_non_null(flaw(arena, "int \xc3\xa9;\n", 8));
    arena_free(arena);
}

/* Whatever a model is called, its comments are not taken for flaws. */
static void comments_have_no_flaw(void **state) {
    static const char name[] = "(null) ((null)) \xc3\xa9 \x01 *\x2f";
    (void)state;
    Arena *arena = arena_new(0);
    Text text = text_new(arena);
    emit_comment(&text, name);
    assert_null(source_flaw(&text));
    assert_string_equal(text_get(&text), "%28null) (%28null)) %C3%A9 %01 %2A/");
    text = text_new(arena);
    emit_block_comment(&text, name);
    assert_null(source_flaw(&text));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flaws_are_found),
        cmocka_unit_test(comments_have_no_flaw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
