/* build.h: what the files that build kernels share among themselves. */
#ifndef FUSEC_BUILD_H
#define FUSEC_BUILD_H

#include "kernel/kernel.h"

typedef struct Memo {
    NodeId node; /* 0: free */
    int guard, value;
    Ix index[RANK_MAX];
} Memo;

typedef struct Builder {
    Arena *arena;
    const Plan *plan;
    const Graph *g;
    Kernel *kernel;
    int group, part;
    Body *body;
    Indices *x;            /* of the body */
    int axis_of[RANK_MAX]; /* axis of the space -> axis number */
    Memo *memo;
    int memo_size, memo_count;
} Builder;

/* The value of a node at an index; guard (0: none) says when it may be looked at. */
int build_value(Builder *b, NodeId id, const Ix *index, int guard);
int kernel_buffer(Builder *b, int plan_buffer, bool written);

/* ---- build_dot.c ---- */

void build_dot(Builder *b, NodeId id);

#endif
