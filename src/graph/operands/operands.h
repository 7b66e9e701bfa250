/* operands.h: operands of an operation: numbers without a type, type promotion, broadcasting. */
#ifndef FUSEC_OPERANDS_H
#define FUSEC_OPERANDS_H

#include "graph/graph.h"

/* ---- weak.c: numbers without a type ------------------------------------------------------- */

/* A weak integer is always a literal or a dim, so that it can be used as a size. */
bool is_weak(const Graph *g, NodeId id);
Dim dim_of_node(const Graph *g, NodeId id);       /* the size of a weak integer; 0: none */
NodeId node_of_dim(Graph *g, Dim dim, Span span); /* the inverse; 0 for 0 */
NodeId weak_float(Graph *g, NodeId weak, Span span);
NodeId weak_op(Graph *g, Op op, const NodeId *src, Span span); /* all sources are weak */
bool literal_fits(const Node *n, Dtype type);                  /* without rounding */

/* ---- promote.c: the type in which operands meet ------------------------------------------- */

/* The operands of one operation, and their places in the model. */
typedef struct Operands {
    Op op;
    int count;
    NodeId src[SRC_MAX];
    Span at[SRC_MAX];
    Span span; /* of the whole operation */
} Operands;

const char *node_text(const Graph *g, NodeId id); /* "bf16[N, D]", "the number 2.5", "the dim N" */
Dtype promote(Graph *g, const Operands *o);       /* T_NONE after a diag_error */
/* x in another type: a literal by its value, other nodes by a CAST. */
NodeId convert(Graph *g, NodeId x, Dtype type, Span span);
/* The default type of a weak number: f32; i32 if it is a literal that fits, else i64. */
NodeId strengthen(Graph *g, NodeId x, Span span);
/* Conversion to the type of an output or argument: floats may narrow, other lossy conversions are
 * errors. */
NodeId store_as(Graph *g, NodeId x, Dtype type, Span span, const char *what);

/* ---- broadcast.c -------------------------------------------------------------------------- */

bool operands_stretch(Graph *g, Operands *o); /* to their common shape; false after a diag_error */
NodeId operands_add(Graph *g, const Operands *o); /* graph_op, with ranges for the messages */
bool rank_check(Graph *g, int rank, Span span);   /* reports above RANK_MAX */

/* ---- steps.c: formulas whose steps have one type, as passes write them --------------------- */

typedef struct Steps {
    Graph *g;
    Dtype type;
    Span at;
} Steps;

NodeId step_number(const Steps *s, double value);
/* The sources stretch to one shape, aligned at the last axis. 0: there is none. */
NodeId step(const Steps *s, Op op, NodeId x, NodeId y, NodeId z);
NodeId step1(const Steps *s, Op op, NodeId x);
NodeId step2(const Steps *s, Op op, NodeId x, NodeId y);
NodeId step_add(const Steps *s, NodeId x, NodeId y);
NodeId step_sub(const Steps *s, NodeId x, NodeId y);
NodeId step_mul(const Steps *s, NodeId x, NodeId y);
NodeId step_div(const Steps *s, NodeId x, NodeId y);
NodeId step_reduce(const Steps *s, Op op, NodeId x, uint32_t axes);
/* The number of elements along the axes, as a number of the type. */
NodeId step_count(const Steps *s, NodeId x, uint32_t axes);
/* Labels as i32 in 0..classes-1, with a last axis of 1. */
NodeId step_labels(const Steps *s, NodeId labels, Dim classes);

#endif
