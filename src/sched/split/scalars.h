/* scalars.h: shared by scalars.c and scalar_elements.c. */
#ifndef FUSEC_SCALARS_H
#define FUSEC_SCALARS_H

#include "sched/split/split.h"

/* A position along each axis of a node: the number of the loop that runs along it, or, from AT on,
 * AT plus a constant. */
typedef int64_t Position[RANK_MAX];

enum { AT = RANK_MAX };

/* An element of a node, over the loops: a node of the new graph with one axis for each loop, of
 * size 1 where it does not change along it. */
typedef struct Element {
    Position at;
    NodeId made;
} Element;

typedef Vec(Element) Elements;

typedef struct Scalars {
    const Graph *from;
    Graph *to;
    int loops;
    Dim loop[RANK_MAX];
    int64_t longest; /* elements of an axis whose positions become values of their own, at most */
    const int *ops;  /* node -> operations of its element, of its pointwise sources, too */
    const bool *reduced; /* node -> do reductions of many elements read functions of it? */
    const int *steps;    /* node -> see scalars_steps */
    bool *replaced;      /* node -> its elements are values of their own */
    Elements *element;   /* node -> those that were asked for */
    NodeId *whole;       /* node -> of the new graph, 0: not yet */
    bool *joining;       /* node -> is it being put together of its elements? */
} Scalars;

/* ---- scalars.c ---- */

NodeId scalars_whole(Scalars *s, NodeId id); /* of the new graph */
/* To the next element in row-major order; `fixed`: axes along which it does not move. False: it was
 * the last one. */
bool scalars_step(const Scalars *s, NodeId id, Position at, uint32_t fixed);

/* ---- butterflies.c ---- */

/* By node: how many concatenations of equal parts along short axes its elements go through, at
 * most, where all parts of one are made of another. */
const int *scalars_steps(const Graph *g);
/* Is it a step of a butterfly, as of an FFT, behind two others? Where each element computes its
 * own, every step doubles the work. */
bool scalars_is_butterfly(const Scalars *s, NodeId id);

/* ---- scalar_elements.c ---- */

NodeId scalars_element(Scalars *s, NodeId id, const Position at);
/* Of a reduction, along its short axes, in their order. */
NodeId scalars_reduced(Scalars *s, NodeId id, const Position at);

#endif
