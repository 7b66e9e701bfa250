/* pass.h: Graph to Graph. A pass says in its first comment what it needs, keeps and breaks. */
#ifndef FUSEC_PASS_H
#define FUSEC_PASS_H

#include "graph/graph.h"

/* ---- attention.c: a softmax between two contractions, found by structure ------------------- */

/* out = sum over n of weights[.. m n] * v[.. n c], where weights = exp2(log2(e) x - shift), rounded
 * or not, and x is a pointwise function of scores[.. m n], the result of a contraction: the form
 * that defer.c makes. */
typedef struct Attention {
    NodeId scores;  /* the first contraction: [batch.. m.. n..] */
    NodeId x;       /* the argument of the softmax; may be scores itself */
    NodeId max;     /* of x along n */
    NodeId shift;   /* ceil(log2(e) max), or 0 if that is -Inf */
    NodeId e;       /* exp2(log2(e) x - shift) */
    NodeId sum;     /* of e along n */
    NodeId weights; /* left operand of the second contraction: e, rounded or not */
    NodeId out;     /* the second contraction: [batch.. m.. c..] */
    int64_t splits; /* of the batch, which differ only in their masks: each has other keys */
    bool *between;  /* node -> is it on a path from the scores to out or the sum, or one of them? */
} Attention;

/* Is this contraction the second one, and do only row values between the two have other readers? */
bool find_attention(const Graph *g, NodeId out, Attention *found);

/* ---- defer.c: which softmax is divided after the contractions that read it ------------------- */

/* A row whose scores are all below that has weights of 0: -2**31 and, of weights that are rounded
 * to f16, -2**27 by log2(e), rounded to f32. */
#define MASKED      (-0x1.62e43p30)
#define MASKED_HALF (-0x1.62e43p26)

/* What a node rounds, scales by a literal, or replaces by 0 in places (dropout): all of these
 * commute with the division of a row. 0: it does none of that. */
NodeId weight_below(const Graph *g, NodeId id);
/* By node: whether it is a softmax, or such a function of one, that only contractions along its
 * axis read, as their left operand. */
bool *softmax_weights(const Graph *g);
NodeId softmax_below(const Graph *g, NodeId weights); /* through these functions */

/* ---- again.c: what is not computed again --------------------------------------------------- */

/* Is it a comparison whose two sides depend on contractions, such as s == max(s)? */
bool compares_products(const Graph *g, NodeId id);

/* ---- chain.c: a contraction of a pointwise function of contractions ------------------------ */

enum { CHAIN_SCORES = 3 }; /* contractions that are operands of one function */

/* out = sum over n of weights[.. m n] * v[.. n c], where weights is a pointwise function of
 * scores[.. m n], the results of contractions: of q k^T and do v^T in the backward of attention. */
typedef struct Chain {
    NodeId out;
    NodeId scores[CHAIN_SCORES]; /* [batch.. m.. n..], ascending */
    int count;
    bool *between; /* node -> is it on a path from a score to out, or one of them? */
} Chain;

bool find_chain(const Graph *g, NodeId out, Chain *found);

/* attr[2] of a contraction of a chain's transposed weights with a left operand of its scores: the
 * chain's kernel has both, and adds the products up by atomics. Made by split/mirror.c. */
enum { DOT_ACROSS = 1 << 8 };

bool dot_is_across(const Node *n);
/* The weights below the transposition: the left operand of a result of the chain. */
NodeId across_weights(const Graph *g, NodeId across);

/* ---- blocks.c: sums of scaled products of blocks of k ---------------------------------------- */

/* The contraction of sum over blocks of dot[batch.. block m.. n..] * factors, whose operands are f8
 * and whose blocks are as long as what tensor cores add up; 0: it is no such sum. */
NodeId blocks_dot(const Graph *g, const Node *sum);
/* Is it such a product, in this order or another, times factors? */
bool blocks_are_scaled(const Graph *g, NodeId id);
bool blocks_are_closed(const Graph *g, const Node *sum); /* does nothing else read a part of it? */

/* ---- picks.c: one element of each row -------------------------------------------------------- */

/* sum(where(iota(n) == k, x, 0)) along an axis. */
typedef struct Pick {
    int axis;
    NodeId x, k; /* k is the same along the axis */
} Pick;

bool find_pick(const Graph *g, const Node *sum, Pick *found);

/* ---- passes ---------------------------------------------------------------------------------- */

#define LOG2_E 1.44269504088896340736

const Graph *one_batch(const Graph *g); /* both contractions of an attention have one batch */
Graph *defer(const Graph *g);           /* softmax in front of a matmul is divided after it */
Graph *decompose(const Graph *g);       /* no COMPOSITE nodes afterwards */
Graph *heads(const Graph *g);           /* contractions compute heads, where these are moved in */
Graph *batched(const Graph *g);         /* columns of several matrices become a batch, for a CPU */
/* Pointwise ops on contractions, and of_rows: those on reduced rows, move before rearrangements. */
Graph *lift(const Graph *g, bool of_rows);
Graph *simplify(const Graph *g);            /* folds and cancels, only if bit-for-bit valid */
Graph *slices(const Graph *g, bool is_gpu); /* slices of a contraction: contractions of slices */
const Graph *picks(const Graph *g);         /* sums of one element of a row of an input: gathers */
Graph *compared(const Graph *g); /* what is compared with its maximum has one value everywhere */

#endif
