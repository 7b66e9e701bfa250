/* build.h: shared by the files of src/kernel/build. */
#ifndef FUSEC_BUILD_H
#define FUSEC_BUILD_H

#include "kernel/kernel.h"

typedef struct Memo {
    NodeId node; /* 0: free */
    int guard, value;
    Ix index[RANK_MAX];
} Memo;

/* A Body under construction: the same, with the parts that still change. */
typedef struct Draft {
    Vec(Axis) axes;
    int row_count, lane;
    bool lane_is_row;
    uint32_t group_axes;
    Indices *indices;
    Vec(Value) values;
    Vec(Accumulator) accs;
    Vec(Summand) added;
    Vec(Store) stores;
    int dots, columns; /* columns: innermost axes of a contraction's space that a tile has whole */
    int64_t chunks;
    Dim rows, cols;
    AttentionValues attention;
    ChainValues chain;
    BlockValues blocks;
    SortValues sort;
} Draft;

typedef struct Builder {
    Arena *arena;
    const Plan *plan;
    const Graph *g;
    Family family;
    Vec(KernelBuffer) buffers; /* of the kernel */
    Vec(Uniform) uniforms;
    int group, nest;
    Draft *body;
    Indices *x;             /* of the body */
    Ix axis_of[RANK_MAX];   /* index of the loops along each axis of the space */
    Ix reduce_of[RANK_MAX]; /* the same along reduced axes */
    uint32_t groups;        /* axes of the space along which groups of a row are reduced */
    const DotSums *sums;    /* of contractions; NULL: of another family, or with scaled blocks */
    NodeId blocks;          /* the sum of scaled blocks of a contraction; 0: there is none */
    Memo *memo;
    int memo_size, memo_count;
    int guarded; /* how often a value has needed its guard so far */
} Builder;

/* The value of a node at an index; it is read only if guard is true (0: always). One that needs no
 * guard is the same value under all of them. */
int build_value(Builder *b, NodeId id, const Ix *index, int guard);
int add_value(Builder *b, Value v);
/* Number in the kernel of a buffer of the plan. */
int kernel_buffer(Builder *b, int plan_buffer, bool written);

/* ---- draft.c ---- */

/* The body so far: valid until something is added. */
Body draft_body(const Draft *b);
/* Value.axes of all values, after the loops are known. */
void draft_value_axes(Draft *b);
void draft_find_groups(Draft *b); /* then Store.of_group */

/* ---- axes.c: axes that memory does not tell apart become one; the lane axis is chosen ------ */

/* stored: bytes of the largest element that is stored, if all axes may become one so that stores
 * are of packs, else 0. for_loops: those of a CPU are cut where conditions on a position begin and
 * end, and positions that are read from memory do not keep other axes apart. */
void draft_axes(Draft *b, Arena *arena, int stored, bool for_loops);

/* ---- online.c ---- */

void draft_find_online(Draft *b); /* sets Accumulator.online_max and .online_x */

/* ---- dot.c ---- */

/* Sets up the four axes, and their positions in the space of the nest; then its contractions. */
void dot_start(Builder *b, const LoopNest *nest);
/* After all stores: loops over the rows of the result, if a tile has them whole. */
void dot_rows(Builder *b);
/* The finished contraction, or sum of contractions, at an index: an accumulator of the body. */
int dot_value(Builder *b, NodeId dot, const Ix *index, int guard);
int dot_sum_value(Builder *b, int acc, NodeId id, const Ix *index, int guard);
/* Adds one loop axis over `count` dims, and the index along each. */
void flat_axis(Builder *b, int number, int count, const Dim *shape, Ix *index);
/* The index along each of the dims that one loop axis goes through. */
void flat_index(Builder *b, int axis, int count, const Dim *shape, Ix *index);
/* The value of an operand with axes batch.., own.., summed... */
int dot_operand(Builder *b, const Node *dot, int side, int own_axis, int summed_axis);

/* ---- blocks.c ---- */

/* The axes of a contraction of scaled blocks, its accumulator, and what it adds up. */
void blocks_start(Builder *b, const LoopNest *nest);

/* ---- view.c ---- */

int view_value(Builder *b, NodeId id, const Ix *index, int guard);
/* The sources of a choice among parts side by side, each read in its place alone; false: it is
 * another one. `*whole`: the only part that the body reads; 0: it reads several. */
bool join_parts(Builder *b, NodeId id, const Ix *index, int guard, Value *v, int *whole);
Ix index_zero(Builder *b); /* along an axis that has one element */

/* ---- gather.c ---- */

int gather_value(Builder *b, NodeId id, const Ix *index, int guard);
int combine_value(Builder *b, NodeId id, const Ix *index, int guard);

/* ---- segments.c ---- */

/* The body of a sort of indices: one loop over them, and one store, of the row of each. */
void segments_body(Builder *b, const LoopNest *nest);

/* ---- pick.c ---- */

/* The value of a sum in which at most one element of a row is selected; 0: it is not such a sum. */
int pick_value(Builder *b, NodeId sum, const Ix *index);

/* ---- chain.c ---- */

/* The five axes of an attention, and the depths of the other scores. */
void chain_axes(Builder *b, const LoopNest *nest);
/* The axis that a contraction of scores sums along. */
int chain_depth(const Builder *b, NodeId dot);
/* After all stores: finds Body.chain. */
void chain_values(Builder *b, const LoopNest *nest);

/* ---- attention.c ---- */

/* The five axes of the attention that ends in the contraction `out`. */
void attention_axes(Builder *b, NodeId scores, NodeId out);
/* After all stores: finds Body.attention. */
void attention_values(Builder *b);

#endif
