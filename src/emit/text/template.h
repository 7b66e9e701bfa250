/* template.h: templates of a target's text, filled; comments, long lines, programs, host
 * scalars. */
#ifndef FUSEC_TEMPLATE_H
#define FUSEC_TEMPLATE_H

#include "emit/text/names.h"

/* ---- template.c ---------------------------------------------------------------------------- */

typedef struct Template {
    const char *name; /* "c/row.c" */
    const char *text;
} Template;

extern const Template embedded_templates[]; /* generated from templates/; ends with a NULL name */

const char *template_text(const char *name); /* BUGs when there is none */

/* What fills a template. A whole identifier equal to `key` becomes `text`; a line `//@HOLE key`
 * becomes the lines of `text` at the hole's indentation (empty text: the line goes). Lines between
 * `//@IF key` and `//@END` stay when the key's text is not empty. Lines up to a `//@BEGIN` line
 * (the defaults that let the template compile by itself) are dropped. */
typedef struct Fill {
    const char *key, *text;
} Fill;

/* Fills that are put together in groups. */
typedef Vec(Fill) Fills;

void fills_add(Arena *arena, Fills *fills, const Fill *more, int count);
#define FILLS_ADD(ARENA, FILLS, MORE)                                                              \
    fills_add((ARENA), (FILLS), (MORE), (int)(sizeof(MORE) / sizeof *(MORE)))

void template_fill(const char *name, const Fill *fills, int count, Text *out);
void text_indented(Text *out, const char *text, int indent); /* but for lines of the preprocessor */

/* Does the identifier occur in the text, not as a member of something? */
bool text_mentions(const char *text, const char *word);

/* Copies from preludes (templates in //@SECTIONs; `files` ends with NULL) those sections whose
 * names occur in `text`, or in a section copied: the emitted file holds the helpers it uses and no
 * others. */
void prelude_link(const char *const *files, const char *text, Text *out);

/* ---- wrap.c ------------------------------------------------------------------------------- */

void text_wrapped(Text *out, const char *text); /* lines longer than 100 columns are broken */

/* ---- comment.c ----------------------------------------------------------------------------- */

/* What no emitted text has, whatever the model: NULL when it has none of that. */
const char *source_flaw(const Text *source);
void emit_comment(Text *out, const char *text);       /* printable ASCII, else %XX */
void emit_block_comment(Text *out, const char *text); /* as a block comment, wrapped */
/* `head` and comma-separated parameters with a closing parenthesis, wrapped at 100 columns. */
void emit_signature(Text *out, const char *head, const char *params);
/* Words of text, wrapped after column `most`; `column` characters stand in the first line, and each
 * line after it begins with `prefix`. */
void text_put_wrapped(Text *out, size_t column, const char *prefix, const char *text, size_t most);

/* ---- program.c: a function as the runtime sees it ------------------------------------------ */

/* All but the source, and how CUDA kernels are launched. `file`: what compilers call the source. */
Program emit_program(const Names *names, const char *file);
/* Statements that return 1 when the dims break a guard, or any. */
void emit_guard(const ProgramGuard *guard, Text *out);
void emit_guards(const Program *program, Text *out);

/* ---- uniform.c ----------------------------------------------------------------------------- */

/* A scalar of literals and dims as an expression for the host, valid in C and C++ with <math.h>. */
const char *uniform_text(const Names *names, NodeId id);

#endif
