/* train.h: a function and its vjp in one graph, divided into a forward and a backward function. */
#ifndef FUSEC_TRAIN_H
#define FUSEC_TRAIN_H

#include "graph/grad/grad.h"

/* What the forward function keeps for the backward one. */
typedef struct Kept {
    const Graph *joint;  /* inputs: f's, then cotangents; outputs: f's, then cotangents */
    int inputs, outputs; /* of f */
    List(NodeId) nodes;  /* of the joint graph, ascending; what is an input is not among them */
    const char **name;   /* of each */
    const char *report;  /* lines for fusec explain */
} Kept;

/* If more bytes would be kept than this, some products and sums are computed again. */
typedef struct KeepLimit {
    int64_t bytes; /* 0: any number */
    double part;   /* of what is kept otherwise; 0: all */
} KeepLimit;

Kept train_cut(const Graph *joint, int inputs, int outputs, const KeepLimit *limit);
/* f's inputs -> f's outputs, then what is kept and no output of f. NULL after a diag_error. */
Graph *train_forward(const Kept *kept, const char *name);
/* f's inputs, what is kept, the cotangents of f's outputs -> the cotangents of f's inputs. */
Graph *train_backward(const Kept *kept, const char *name);

#endif
