/* fuzz_syntax.c: libFuzzer target for floor 2. Any bytes: parse() ends without a crash; where they
 * are a model, format() gives a text that parses to the same tree and that it leaves as it is. */
#include "syntax/syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *before, const char *after) {
    fprintf(stderr, "%s\n---- before\n%s\n---- after\n%s\n", what, before, after);
    abort();
}

static const char *format_text(Diag *diag, const char *text, size_t size, const Limits *limits) {
    Text out = text_new(diag->arena);
    uint32_t file = diag_source(diag, "fuzz.fx", text, size);
    return format(diag->arena, diag, file, limits, &out) ? text_get(&out) : NULL;
}

static void check_format(Diag *diag, const Ast *ast, const char *text, size_t size,
                         const Limits *limits) {
    const char *once = format_text(diag, text, size, limits);
    if (!once) fail("does not format", text, "");
    uint32_t file = diag_source(diag, "once.fx", once, strlen(once));
    Ast *again = parse(diag->arena, diag, file, limits);
    if (!again || !ast_equal(ast, again)) fail("formats to another tree", text, once);
    const char *twice = format_text(diag, once, strlen(once), limits);
    if (!twice || strcmp(once, twice)) fail("is not stable", once, twice ? twice : "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Limits limits = limits_default();
    Arena *arena = arena_new(0);
    Diag *diag = diag_new(arena, 5);
    char *text = arena_strndup(arena, (const char *)data, size);
    uint32_t file = diag_source(diag, "fuzz.fx", text, size);
    Ast *ast = parse(arena, diag, file, &limits);
    if (!ast && !diag->errors) fail("no tree and no error", text, "");
    if (ast) check_format(diag, ast, text, size, &limits);
    Text out = text_new(arena);
    if (ast) ast_print(ast, &out);
    diag_print(diag, &out, false);
    arena_free(arena);
    return 0;
}
