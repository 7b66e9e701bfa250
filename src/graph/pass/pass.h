/* pass.h: Graph to Graph. A pass says in its first comment what it needs, keeps and breaks. */
#ifndef FUSEC_PASS_H
#define FUSEC_PASS_H

#include "graph/graph.h"

/* ---- attention.c: a softmax between two contractions, found by structure ------------------- */

/* out = sum over n of weights[.. m n] * v[.. n c], where weights = exp2(log2(e) x - shift), rounded
 * or not, and x is pointwise in scores[.. m n], the result of a contraction: what defer.c makes. */
typedef struct Attention {
    NodeId scores;  /* the first contraction: [batch.. m.. n..] */
    NodeId x;       /* what the softmax is taken of; may be scores itself */
    NodeId max;     /* of x along n */
    NodeId shift;   /* ceil(log2(e) max), or 0 where that is -Inf */
    NodeId e;       /* exp2(log2(e) x - shift) */
    NodeId sum;     /* of e along n */
    NodeId weights; /* what the second contraction reads: e, rounded or not */
    NodeId out;     /* the second contraction: [batch.. m.. c..] */
    int64_t parts;  /* of the batch that differ in their masks alone: each sees other keys */
    bool *between;  /* node -> lies on a way from the scores to out or the sum; they too */
} Attention;

/* Is this contraction the second one, and does nothing but the rows' values leave the two? */
bool find_attention(const Graph *g, NodeId out, Attention *found);

/* ---- passes ---------------------------------------------------------------------------------- */

#define LOG2_E 1.44269504088896340736

Graph *defer(const Graph *g);     /* softmax in front of a matmul is divided after it */
Graph *decompose(const Graph *g); /* no COMPOSITE nodes afterwards */
Graph *lift(const Graph *g);      /* pointwise work on contractions below rearrangements */
Graph *simplify(const Graph *g);  /* folds and cancels, only where bit-for-bit valid */
Graph *slices(const Graph *g);    /* parts of a contraction become contractions of parts */

#endif
