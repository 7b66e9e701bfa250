/* memory.h: memory of a plan: buffers between kernels with live ranges, their names, the memory
 * that they share; operands that are packed once. */
#ifndef FUSEC_MEMORY_H
#define FUSEC_MEMORY_H

#include "sched/fuse/fuse.h"

/* ---- buffers.c: names, lifetimes ----------------------------------------------------------- */

void plan_buffers(Plan *plan);
/* The stem of a numbered name: the name in the model, else the hint; of a cast without, what it
 * casts. NULL: there is none. */
const char *plan_stem(const Graph *g, const Node *n);
Dim buffer_bytes(const Plan *plan, int buffer);
Dim plan_node_flops(const Plan *plan, NodeId id); /* 0 on overflow */
/* Reports a broken @max_kernels contract, with the pairs that were not fused. */
bool plan_check_max_kernels(const Plan *plan);

/* ---- slots.c: where temps are: slots of the workspace, and consumed inputs ------------------- */

void choose_slots(Plan *plan);
/* Does a kernel write in place over what it reads, or may it, and is this buffer one of the two? */
bool plan_is_shared(const Plan *plan, int group, int buffer);
/* Bytes of inputs, outputs and workspace; 0 on overflow. */
Dim plan_peak(const Plan *plan);

/* ---- in_place.c: which temp a kernel may write over what it reads ---------------------------- */

typedef struct InPlace {
    int *seen, queries; /* by node: the last query that saw it; how many there were */
} InPlace;

/* Does the kernel read `old` at the place of the element of `made` that it computes, and nowhere
 * else? */
bool may_overwrite(const Plan *plan, int group, int old, int made, InPlace *queries);

/* ---- panels.c: operands that are packed once ------------------------------------------------ */

void find_panels(Plan *plan);
/* Is a node of the group computed only for an operand that is packed once? */
bool is_only_packed(const Plan *plan, const Group *group, NodeId id);
/* The buffer with the panels of an operand of the group; -1: the contraction packs it itself. */
int plan_panels(const Plan *plan, int group, NodeId operand, bool is_left);

#endif
