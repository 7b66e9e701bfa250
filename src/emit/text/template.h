/* template.h: filling templates; comments, long lines, programs, host scalars. */
#ifndef FUSEC_TEMPLATE_H
#define FUSEC_TEMPLATE_H

#include "emit/text/names.h"

/* ---- template.c ---------------------------------------------------------------------------- */

typedef struct Template {
    const char *name; /* "c/row.c" */
    const char *text;
} Template;

extern const Template embedded_templates[]; /* generated from templates/; ends with a NULL name */

const char *template_text(const char *name); /* a BUG if there is none */

/* A fill of a template. An identifier equal to `key` becomes `text`; if that is empty, the blank
 * behind it is dropped, too. A line `//@HOLE key` becomes the lines of `text`, indented like the
 * hole; if there are none, the line is dropped. Lines between `//@IF key` and `//@END` stay if the
 * key's text is not empty. A hole or if without a fill is a BUG. Lines up to `//@BEGIN`, defaults
 * with which the template compiles by itself, are dropped. */
typedef struct Fill {
    const char *key, *text;
} Fill;

/* Fills collected in groups. */
typedef Vec(Fill) Fills;

void fills_add(Arena *arena, Fills *fills, const Fill *more, int count);
#define FILLS_ADD(ARENA, FILLS, MORE)                                                              \
    fills_add((ARENA), (FILLS), (MORE), (int)(sizeof(MORE) / sizeof *(MORE)))

void template_fill(const char *name, const Fill *fills, int count, Text *out);
#define TEMPLATE_FILL(NAME, FILLS, OUT)                                                            \
    template_fill((NAME), (FILLS), (int)(sizeof(FILLS) / sizeof *(FILLS)), (OUT))
void text_indented(Text *out, const char *text, int indent); /* except preprocessor lines */

/* Copies those sections of preludes (templates with //@SECTIONs; `files` ends with NULL) whose
 * names occur in `text`, or in a copied section: the emitted file has only the helpers it uses. */
void prelude_link(const char *const *files, const char *text, Text *out);

/* ---- conditions.c -------------------------------------------------------------------------- */

void text_conditions(Text *out, const char *text); /* neighbours with one condition share a block */

/* ---- unused.c ------------------------------------------------------------------------------ */

void drop_unused(Text *text); /* constants that nothing in their block reads, and compute only */
/* Does the rest of the block that `at` is in have this name, not as that of a member? */
bool text_reads(const char *at, const char *name, size_t size);

/* ---- copies.c ------------------------------------------------------------------------------ */

void text_copies(Text *out, const char *text); /* without constants that are only copied */

/* ---- braces.c ------------------------------------------------------------------------------ */

void text_braces(Text *out, const char *text); /* without those around one statement */

/* ---- alike.c ------------------------------------------------------------------------------- */

/* Is y the text x, but for parameters that are called `to` and not `from`? */
bool text_is_renamed(const char *x, const char *y, const char *const *from, const char *const *to,
                     int count);

/* ---- parentheses.c ------------------------------------------------------------------------- */

void drop_parentheses(char *line); /* those of sums and products that change nothing */

/* ---- wrap.c ------------------------------------------------------------------------------- */

/* Drops such parentheses, and breaks lines longer than 100 columns. */
void text_wrapped(Text *out, const char *text);

/* ---- tidy.c -------------------------------------------------------------------------------- */

void text_tidied(Text *out, const char *text); /* all of these, but what unused.c does */

/* ---- comment.c ----------------------------------------------------------------------------- */

/* What no emitted text may have, whatever the model; NULL: it has none of that. */
const char *source_flaw(const Text *source);
void emit_comment(Text *out, const char *text);       /* printable ASCII, else %XX */
void emit_block_comment(Text *out, const char *text); /* as a block comment, wrapped */
/* `head` and comma-separated parameters with a closing parenthesis, wrapped at 100 columns. */
void emit_signature(Text *out, const char *head, const char *params);
/* "max, sub, exp": the ops of bodies in the order of the values, each once. */
const char *op_list(const Kernel *k, const Body *bodies, int count, Arena *arena);
/* "N rows of D", "a product of M x K and K x N": the sizes of a body of a kernel. */
const char *work_text(const Names *names, const Kernel *k, const Body *b, Arena *arena);
/* " *   x  in   f32[N, D]": a tensor that an application passes. */
void emit_tensor_comment(const Names *names, const Buffer *b, int width, Text *out);
/* Words of text, wrapped after column `most`; the first line has `column` characters already, and
 * each line after it starts with `prefix`. */
void text_put_wrapped(Text *out, size_t column, const char *prefix, const char *text, size_t most);

/* ---- program.c: a function as the runtime sees it ------------------------------------------ */

/* All but the source and the launches of CUDA kernels. `file`: the source's name for compilers. */
Program emit_program(const Names *names, const char *file);
/* Of the kernel that is number k of the plan, in the Program. */
int program_number(const Plan *plan, int k);

/* ---- uniform.c ----------------------------------------------------------------------------- */

/* A scalar of literals and dims as a host expression, valid in C and C++ with <math.h>. */
const char *uniform_text(const Names *names, NodeId id);

#endif
