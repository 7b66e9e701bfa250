/* grad_private.h: private to the files of src/graph/grad. The nodes of f are walked from readers to
 * sources; the rule of a node gives the cotangents of its sources from its own. */
#ifndef FUSEC_GRAD_PRIVATE_H
#define FUSEC_GRAD_PRIVATE_H

#include "graph/grad/grad.h"
#include "graph/operands/operands.h"

typedef struct Sweep {
    const Derivation *d;
    const Graph *f;
    Graph *to;         /* under construction */
    const bool *live;  /* node of f -> an output needs it */
    const bool *moves; /* node of f -> a float that depends on an input of wrt */
    NodeId *copy;      /* node of f -> node of `to` */
    NodeId *cotangent; /* node of f -> its cotangent so far; 0: none, which is zero */
    /* Attention: see dot.c. */
    const bool *weights; /* node of f -> softmax_weights */
    NodeId *again;       /* such a node, or what it is made of -> the value that backward uses */
    NodeId *row_dot;     /* such a softmax -> D so far */
} Sweep;

/* One node of f, while its rule runs. The steps are in its compute type. */
typedef struct Rule {
    Sweep *sweep;
    const Node *n;
    NodeId id;
    Steps s;
    NodeId dy; /* its cotangent */
} Rule;

/* ---- vjp.c -------------------------------------------------------------------------------- */

NodeId backward_value(const Sweep *w, NodeId id); /* of a node of f: see `again` */
NodeId rule_source(const Rule *r, int i); /* a source, and the value of the node: in the .. */
NodeId rule_value(const Rule *r);         /* .. type of the steps */
/* A source of a reduction, to compare with its value: what is computed again may round otherwise. */
NodeId rule_reduced(const Rule *r, int i);
bool rule_wants(const Rule *r, int i);    /* is the cotangent of this source needed? */
/* Adds to the cotangent of source i; of its shape, in the type of the steps. 0: an error. */
bool rule_give(const Rule *r, int i, NodeId cotangent);
bool rule_zero(const Rule *r); /* no derivative: nothing is given, which -Wgrad tells */

/* ---- one file for each kind of op; false after a diag_error --------------------------------- */

bool map_rule(const Rule *r);  /* map.c */
bool view_rule(const Rule *r); /* view.c */
bool take_rule(const Rule *r); /* scatter.c */
bool scatter_rule(const Rule *r);
bool reduce_rule(const Rule *r);    /* reduce.c: reductions, scans */
bool dot_rule(const Rule *r);       /* dot.c: products */
bool composite_rule(const Rule *r); /* composite.c */

/* ---- dot.c -------------------------------------------------------------------------------- */

NodeId log_sum(const Steps *s, NodeId x, uint32_t axes); /* a LOGSUMEXP */
/* exp(x - l) with l the log-sum-exp of the rows of x: their softmax. Rows of -Inf give zeros. */
NodeId softmax_again(const Steps *s, NodeId x, NodeId l);

/* ---- reduce.c ----------------------------------------------------------------------------- */

NodeId stretched(const Steps *s, NodeId x, const Node *like); /* repeats axes of size 1 */

#endif
