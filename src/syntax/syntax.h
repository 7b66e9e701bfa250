/* syntax.h: Text to Ast, and Ast or tokens back to text. The grammar is in grammar/lexer.l
 * and grammar/parser.y. The tree is untyped; src/graph infers types and shapes. */
#ifndef FUSEC_SYNTAX_H
#define FUSEC_SYNTAX_H

#include "base/base.h"

/* kind           text            number        kids
 * ------------------------------------------------------------------------------------------ */
typedef enum AstKind {
    A_NAME,     /* identifier                    -                                            */
    A_NUMBER,   /* as written     value         -             is_int when written as integer  */
    A_STRING,   /* contents                      -             only as an argument            */
    A_CALL,     /* callee or op   -             arguments     a + b is a call of "add"        */
    A_NAMED,    /* parameter      -             value         axis = -1 inside a call         */
    A_INDEX,    /* -              -             base, then A_SLICE A_NONE A_ELLIPSIS or expr  */
    A_SLICE,    /* -              -             start, stop   either may be NULL              */
    A_NONE,     /* None                                                                       */
    A_ELLIPSIS, /* ...                                                                        */
    A_CAST,     /* type name      -             value         x as bf16                       */
    A_LIST,     /* -              -             elements      [1, 2]                          */
    A_LET,      /* -              -             A_NAME.., value     a, b = expr;              */
    A_ASSERT,   /* -              -             condition                                     */
    A_TYPE,     /* dtype          -             dims          bf16[N, D]; scalar: no kids     */
    A_PARAM,    /* name           -             A_TYPE        an input or an output           */
    A_ATTR,     /* name           -             arguments     @max_kernels(2)                 */
    A_FN,       /* name           -             see AstFn                                     */
    A_CONST,    /* name           -             value         const eps = 1e-5;               */
    A_IMPORT,   /* path           -             -             import "ops.h";                 */
    A_DERIVED,  /* name           -             A_CALL, A_NAME?, A_ATTR..   fn g = vjp(f);    */
    A_FILE      /* -              -             items                                         */
} AstKind;

/* The kids of an A_FN, by position; each of the first four is an A_LIST. */
enum AstFn { FN_DIMS, FN_INPUTS, FN_OUTPUTS, FN_ATTRS, FN_BODY /* statements from here on */ };

typedef struct Ast {
    AstKind kind;
    bool is_int; /* A_NUMBER: written without '.' or exponent, and fits int64 */
    Span span;
    Span name_span;   /* of `text`: a callee, an operator ..; else the whole span */
    const char *text; /* NULL when unused */
    /* A_NUMBER: number always, integer when is_int. -1 is A_CALL "neg" of 1. */
    double number;
    int64_t integer;
    int kid_count, depth; /* depth: 1 + the deepest kid's; bounded by Limits.depth */
    struct Ast **kid;
} Ast;

/* ---- parse.c (drives the generated lexer and parser) ------------------------------------- */

/* Parses source number `file` of diag. Reports every error it can recover from; NULL if there was
 * any. Infix operators become A_CALLs of the op names: add sub mul div mod pow neg lt le gt ge eq
 * ne and or not matmul; x.T becomes A_CALL "transpose". */
Ast *parse(Arena *arena, Diag *diag, uint32_t file, const Limits *limits);

/* ---- ast.c ------------------------------------------------------------------------------ */

void ast_print(const Ast *ast, Text *out);  /* --emit=ast: one node a line, indented */
bool ast_equal(const Ast *a, const Ast *b); /* spans aside */

/* ---- foreign.c: what the language lacks and other languages have ------------------------- */

/* What to write instead, as the end of a message; NULL: unknown. */
const char *foreign_function(const char *name);
const char *foreign_word(const char *word);      /* in place of a statement or an operator */
const char *foreign_name(const char *name);      /* in place of a value: "pi" */
const char *foreign_argument(const char *name);  /* what it is called here: "axis" for "dim" */
const char *foreign_omitted(const char *name);   /* an argument that nothing here is called */
const char *foreign_operator(const char *text);  /* "+=" */
const char *foreign_character(const char *text); /* "&" */

/* ---- format.c --------------------------------------------------------------------------- */

/* fusec fmt: canonical spacing and line breaks, comments kept. Idempotent, and the result parses
 * to an equal tree. False (with diagnostics) when the text does not parse. */
bool format(Arena *arena, Diag *diag, uint32_t file, const Limits *limits, Text *out);

#endif
