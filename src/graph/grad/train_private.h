/* train_private.h: private to keep.c and train.c. */
#ifndef FUSEC_TRAIN_PRIVATE_H
#define FUSEC_TRAIN_PRIVATE_H

#include "graph/grad/train.h"

/* Of the nodes of a function and its vjp in one graph. */
typedef struct Facts {
    const Graph *g;
    const int64_t *symbols;
    bool *later;   /* depends on a cotangent */
    bool *wanted;  /* what does not, and is read by what does */
    bool *useful;  /* is wanted, or what is wanted is made of it */
    bool *given;   /* an input or output of f */
    bool *again;   /* depends on a contraction that a backward pass computes again */
    bool *operand; /* a contraction that depends on a cotangent reads it, through views */
    int *distance; /* to a node that is wanted, over its readers */
    bool *lifted;  /* may be computed again, to keep fewer bytes */
} Facts;

/* ---- keep.c: the cut ------------------------------------------------------------------------ */

typedef Vec(NodeId) KeptNodes;

Facts facts_of(const Graph *g, int inputs, int outputs);
/* What is kept, ascending, without inputs. */
KeptNodes keep_nodes(Facts *f, const KeepLimit *limit);
bool is_view(const Node *n);

#endif
