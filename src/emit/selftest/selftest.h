/* selftest.h: shared by the files of src/emit/selftest. Names begin with fx_, or are a letter and a
 * number, which names of a model never are (names.c). */
#ifndef FUSEC_EMIT_SELFTEST_H
#define FUSEC_EMIT_SELFTEST_H

#include "emit/text/writer.h"

/* The reference under construction: the value of node 12 is v12, an array, or a variable if it has
 * one element; loops over its axes are i0, i1 ..; a loop accumulates in r0. */
typedef struct Reference {
    const Graph *g;
    const Names *names;
    Arena *arena;
    Text *out;
    int indent;
} Reference;

/* ---- reference.c: the walk, leaves and elementwise nodes ------------------------------------- */

/* static void fx_reference_NAME(const int64_t *fx_dims, void *const *fx_data) */
void emit_reference(const Graph *g, const Names *names, Text *out);
/* Its number of steps, as a size; 0 on overflow. */
Dim reference_steps(const Graph *g);
/* Declares the dims of fx_dims that are used under these names. */
void reference_dims(const Names *names, Text *out);

void reference_line(Reference *p, const char *format, ...)
    PRINTF_LIKE(2, 3);                                    /* indented, with newline */
const char *reference_size(const Reference *p, Dim size); /* safe as a factor */
/* One element of a node, one index for each axis. */
const char *reference_element(const Reference *p, NodeId id, const char *const *index);
/* The result of node n, rounded or wrapped to its type. */
const char *reference_result(const Reference *p, const Node *n, const char *text);
/* The partial sum or product of node n. */
const char *reference_partial(const Reference *p, const Node *n, const char *text);
const char *reference_type(Dtype type);      /* double or int64_t */
const char *reference_type_name(Dtype type); /* FX_F32: as the self-test names it */
const char *reference_count(const Reference *p, const Node *n); /* of elements */
/* The offset of an element in a row-major array, "0" for the only one. */
const char *reference_offset(const Reference *p, const Node *n, const char *const *index);

/* ---- reference_loops.c: nodes that are more than one flat loop ------------------------------- */

void reference_view(Reference *p, NodeId id);
void reference_reduce(Reference *p, NodeId id);
void reference_scan(Reference *p, NodeId id);
void reference_dot(Reference *p, NodeId id);
void reference_gather(Reference *p, NodeId id);
void reference_scatter(Reference *p, NodeId id);
void reference_rows(Reference *p, NodeId id); /* a composite along axes: softmax, layer_norm .. */

/* ---- sizes.c ---------------------------------------------------------------------------- */

/* Sizes for the open dims that satisfy the guards and take about a second to check; false if none
 * were found. */
bool test_sizes(const Plan *plan, Dim steps, int64_t *sizes);

/* ---- selftest.c: what -DFUSEC_MAIN adds ---------------------------------------------------- */

void emit_self_test(const Model *model, const Names *names, const Target *target, Text *out);

#endif
