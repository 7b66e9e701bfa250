/* imported.h: functions of imported headers in emitted text. See imported.c. */
#ifndef FUSEC_IMPORTED_H
#define FUSEC_IMPORTED_H

#include "emit/text/writer.h"

/* By function: does a plan, or what it means, call it? */
const bool *imported_wanted(const Plan *const *plans, int count, Arena *arena);
const char *imported_lanes(const char *name, Arena *arena); /* of the same on lanes */
/* A call as an op table's text: f($a, $b). */
const char *imported_pattern(const Writer *w, const Value *v, bool in_lanes);

void imported_head(const Imports *m, Text *out); /* the headers, for the comment of the file */
/* has_lines: compilers tell of the headers' lines; `out` is all of the file so far. */
void imported_text(const Names *names, const bool *wanted, bool is_cuda, bool has_lines, Text *out);
void imported_lanes_text(const Names *names, const bool *wanted, Text *out); /* C */

/* For the self-test, whose sources and results are double and int64_t. */
void imported_reference(const Plan *const *plans, int count, Text *out);
const char *imported_reference_call(const Graph *g, const Node *n, const char *const *src,
                                    Arena *arena);

#endif
