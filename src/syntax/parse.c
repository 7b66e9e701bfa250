/* parse.c: drives the generated lexer and parser.
 * In: a source of diag. Out: its Ast, or NULL with at least one error in diag. */
#include "syntax/build.h"
#include "parser.h"

#include <limits.h>
#include <string.h>

Build build_new(Arena *arena, Diag *diag, uint32_t file, const Limits *limits) {
    return (Build){.arena = arena,
                   .diag = diag,
                   .limits = limits,
                   .source = diag->sources.at[file],
                   .file = file,
                   .last = {0, 0, file},
                   .now = {0, 0, file},
                   .open_brace = NOWHERE};
}

void build_stop(Build *build) { longjmp(build->stop, 1); }

/* Flex counts bytes in an int and adds two; spans count them in 32 bits. */
static bool check_size(Build *build) {
    int64_t most = build->limits->source_bytes;
    if (most > INT_MAX - 2) most = INT_MAX - 2;
    if (build->source.size <= (size_t)(most < 0 ? 0 : most)) return true;
    blame_limit(build, (Span){0, 0, build->file}, "the file has more bytes", "source_bytes", most);
    return false;
}

/* A NUL byte means a binary file. */
static bool check_text(Build *build) {
    const char *nul = memchr(build->source.text, '\0', build->source.size);
    if (!nul) return true;
    uint32_t at = (uint32_t)(nul - build->source.text);
    diag_error(build->diag, (Span){at, at + 1, build->file},
               "there is a NUL byte in the text; is this a binary file?");
    return false;
}

bool build_start(Build *build) {
    if (!check_size(build) || !check_text(build)) return false;
    lexer_open(build);
    return true;
}

Ast *parse(Arena *arena, Diag *diag, uint32_t file, const Limits *limits) {
    Build build = build_new(arena, diag, file, limits);
    const int errors = diag->errors;
    if (setjmp(build.stop)) return NULL;
    if (!build_start(&build)) return NULL;
    parser_parse(&build);
    return diag->errors == errors ? build.result : NULL;
}
