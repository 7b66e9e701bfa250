/* build.h: What the lexer, the grammar and the Ast constructors share.
 *
 *     lexer.l ─tokens─▶ parser.y ─one constructor call per rule─▶ build.c ─▶ Ast
 *
 * A token has no value: it is its span, and constructors read the text under it. */
#ifndef FUSEC_BUILD_H
#define FUSEC_BUILD_H

#include "syntax/syntax.h"

/* Symbols on the parser's stack, which is on the C stack and never grows; also the deepest tree
 * that any Limits.depth allows, so that a walk of the tree may recurse. */
enum { PARSER_STACK = 4000 };

typedef Vec(Ast *) AstList;

/* One parse. */
typedef struct Build {
    Arena *arena;
    Diag *diag;
    const Limits *limits;
    Source source;
    uint32_t file;   /* of source, in diag->sources */
    void *scanner;   /* Flex's state */
    uint32_t offset; /* bytes of source that the lexer has read */
    Span last, now;  /* the last two tokens */
    Span open_brace; /* of the current body; file == NO_FILE outside of one */
    int64_t statements;
    bool comments; /* the lexer returns comments as tokens, for format.c */
    bool cut;      /* the rest of the text is one unterminated comment */
    Ast *result;
    jmp_buf stop; /* target of build_stop; set by the owner of the Build */
} Build;

/* ---- grammar/lexer.l -------------------------------------------------------------------- */

void lexer_open(Build *build);
int lexer_next(Build *build, Span *at); /* a token code of parser.h; 0 at the end */

/* ---- parse.c ---------------------------------------------------------------------------- */

Build build_new(Arena *arena, Diag *diag, uint32_t file, const Limits *limits);
/* Opens the lexer. Set `stop` first. False, with a diagnostic, when the text cannot be read. */
bool build_start(Build *build);
NORETURN void build_stop(Build *build);
char *build_text(Build *build, Span at);
/* A name or number for a message; a very long one is cut. */
const char *build_quote(Build *build, Span at);

/* ---- blame.c: messages for text that is no model ---------------------------------------- */

/* `found` and `expected` are token names of parser.y; the array is overwritten. */
void blame_token(Build *build, Span at, const char *found, const char **expected, int count);
void blame_characters(Build *build, Span at);
void blame_suffix(Build *build, Span at);
/* "<what> than <value>", with the name of the limit. */
void blame_limit(Build *build, Span at, const char *what, const char *limit, int64_t value);

/* ---- tokens.c: the tokens of a text as format.c needs them ------------------------------- */

enum { TIE_NEVER = INT32_MAX };

typedef struct Token {
    int kind; /* of parser.h */
    Span span;
    bool own_line; /* in the source, the first token of a line */
    bool blank;    /* in the source, after a blank line */
    bool trailing; /* in the source, a comment after code, last on its line */
    bool prefix;   /* unary '-' or '!', the '@' of an attribute */
    bool space;    /* canonical: a space between the token before it and this one */
    int tie;       /* to the token before it: lines break at low ties */
} Token;

typedef Vec(Token) TokenList;

/* All tokens, comments too, of a text that parses; the last is the end of the file. */
TokenList tokens_read(Build *build);

/* ---- build.c: constructors, one per kind of node ---------------------------------------- */

AstList *list_new(Build *b);
AstList *list_add(Build *b, AstList *list, Ast *item); /* NULL: an item that did not parse */

Ast *build_name(Build *b, Span at);
Ast *build_number(Build *b, Span at);
Ast *build_string(Build *b, Span at);
Ast *build_unary(Build *b, Span at, Span op_at, const char *op, Ast *x);
Ast *build_binary(Build *b, Span at, Span op_at, const char *op, Ast *left, Ast *right);
Ast *build_property(Build *b, Span at, Ast *base, Span name); /* NULL, reported: not `.T` */
Ast *build_cast(Build *b, Span at, Ast *value, Span type);
Ast *build_call(Build *b, Span at, Span callee, AstList *arguments);
Ast *build_named(Build *b, Span at, Span name, Ast *value);
Ast *build_index(Build *b, Span at, Ast *base, AstList *items);
Ast *build_slice(Build *b, Span at, Ast *start, Ast *stop); /* either may be NULL */
Ast *build_word(Build *b, Span at, AstKind kind);           /* None, ... */
Ast *build_list(Build *b, Span at, AstList *elements);
Ast *build_let(Build *b, Span at, AstList *names, Ast *value);
Ast *build_assert(Build *b, Span at, Ast *condition);
Ast *build_type(Build *b, Span at, Span name, AstList *dims); /* dims NULL: scalar */
Ast *build_param(Build *b, Span at, Span name, Ast *type);
Ast *build_attr(Build *b, Span at, Span name, AstList *arguments);
Ast *build_fn(Build *b, Span at, Span name, AstList *dims, AstList *inputs, AstList *outputs,
              AstList *body);
Ast *build_derived(Build *b, Span at, Span name, Span second, Ast *call); /* second: or NOWHERE */
Ast *build_attributed(Build *b, Span at, AstList *attrs, Ast *fn); /* fn: A_FN or A_DERIVED */
Ast *build_const(Build *b, Span at, Span name, Ast *value);
Ast *build_import(Build *b, Span at, Span path);
Ast *build_file(Build *b, Span at, AstList *items);

#endif
