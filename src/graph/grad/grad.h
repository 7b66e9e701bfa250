/* grad.h: derivatives: Graph to Graph, before decomposition.
 *
 *     f(x, w) -> y      vjp of f:   (x, w, dy) -> (dx, dw)     reverse mode
 *
 * The cotangent of a node is held in the node's compute type. docs/gradients.md says what is
 * derived. Rules are ordinary nodes, so that a derived graph can be derived again. */
#ifndef FUSEC_GRAD_H
#define FUSEC_GRAD_H

#include "graph/graph.h"

/* A call whose backward is written by hand (@vjp). In the graph of the caller its results are INPUT
 * nodes of their own, behind the inputs of the function. */
typedef struct HandWritten {
    int inputs, outputs;
    NodeId *input;  /* arguments */
    NodeId *output; /* the INPUT nodes that stand for the results, with rising ids .. */
    NodeId *value;  /* .. and what the body makes of the arguments */
    /* inputs: those of the call, then a cotangent for each floating-point output;
     * outputs: a cotangent for each floating-point input */
    const Graph *backward;
} HandWritten;

typedef struct Derivation {
    const Graph *f;
    int inputs; /* of f; others stand for results of hand-written calls */
    List(HandWritten) by_hand;
    const bool *wrt; /* by input: its cotangent is asked for; only of floating-point ones */
    bool is_scalar;  /* the cotangent of the one output is 1, not an input */
    bool with_value; /* f's outputs are outputs, too: the first ones */
    bool warns;      /* -Wgrad: warns where a derivative is zero by convention */
} Derivation;

/* ---- vjp.c -------------------------------------------------------------------------------- */

/* Inputs: f's, then a cotangent dNAME for each floating-point output; outputs: a cotangent dNAME
 * for each input of `wrt`, in its type. NULL after a diag_error. */
Graph *vjp(const Derivation *d);

/* ---- splice.c ----------------------------------------------------------------------------- */

/* Copies what the outputs of `from` need into `to`; its inputs are the given nodes, of their type
 * and shape. The outputs' copies go to output[]. False after a diag_error. */
bool splice(Graph *to, const Graph *from, const NodeId *input, NodeId *output);

#endif
