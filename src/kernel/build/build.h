/* build.h: what the files that build kernels share among themselves. */
#ifndef FUSEC_BUILD_H
#define FUSEC_BUILD_H

#include "kernel/kernel.h"

typedef struct Memo {
    NodeId node; /* 0: free */
    int guard, value;
    Ix index[RANK_MAX];
} Memo;

/* A Body in the making: the same, but for what still grows and changes. */
typedef struct Draft {
    Vec(Axis) axes;
    int row_count, lane;
    bool lane_is_row;
    Indices *indices;
    Vec(Value) values;
    Vec(Accumulator) accs;
    Vec(Summand) added;
    Vec(Store) stores;
    int dots;
    Dim rows, cols;
    AttentionValues attention;
} Draft;

typedef struct Builder {
    Arena *arena;
    const Plan *plan;
    const Graph *g;
    Family family;
    Vec(KernelBuffer) buffers; /* of the kernel */
    Vec(Uniform) uniforms;
    int group, part;
    Draft *body;
    Indices *x;             /* of the body */
    Ix axis_of[RANK_MAX];   /* where the loops stand along each axis of the space */
    Ix reduce_of[RANK_MAX]; /* the same for what reductions run over */
    NodeId out;             /* attention: its second contraction */
    NodeId sum;             /* contractions that are added up: the sum */
    Memo *memo;
    int memo_size, memo_count;
} Builder;

/* The value of a node at an index; guard (0: none) says when it may be looked at. */
int build_value(Builder *b, NodeId id, const Ix *index, int guard);
int add_value(Builder *b, Value v);
/* Number in the kernel of a buffer of the plan. */
int kernel_buffer(Builder *b, int plan_buffer, bool written);

/* ---- draft.c ---- */

/* The body as far as it is made: good until something is added. */
Body draft_body(const Draft *b);
/* Value.axes of all values, once the loops are known. */
void draft_value_axes(Draft *b);

/* ---- axes.c: axes that memory does not tell apart become one; the lane axis is chosen ------ */

void draft_axes(Draft *b, Arena *arena);

/* ---- online.c ---- */

void draft_find_online(Draft *b); /* sets Accumulator.online_max and .online_x */

/* ---- dot.c ---- */

/* The four axes, and where they stand in the space of the part; then its contractions. */
void dot_start(Builder *b, const Part *part);
/* Once all is stored: loops over the rows of the results, where they are reduced. */
void dot_rows(Builder *b);
/* The finished contraction: an accumulator of the body. */
int dot_value(Builder *b, NodeId dot);
/* Adds a loop axis over `count` dims at once, and gives where it stands along each. */
void flat_axis(Builder *b, int number, int count, const Dim *shape, Ix *index);

/* ---- pick.c ---- */

/* The sum of a row of which no more than one element counts; 0: it is no such sum. */
int pick_value(Builder *b, NodeId sum, const Ix *index);

/* ---- attention.c ---- */

/* The five axes of the attention that ends in the contraction `out`. */
void attention_axes(Builder *b, NodeId scores, NodeId out);
/* Once all is stored: finds Body.attention. */
void attention_values(Builder *b);

#endif
