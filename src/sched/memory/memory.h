/* memory.h: memory of a plan: buffers between kernels with live ranges, slots of the workspace that
 * they share, operands that are packed once; and their names. */
#ifndef FUSEC_MEMORY_H
#define FUSEC_MEMORY_H

#include "sched/fuse/fuse.h"

/* ---- buffers.c: names, lifetimes, workspace slots ------------------------------------------ */

void plan_buffers(Plan *plan);
/* The stem of a numbered name: the name in the model, else the hint; of a cast without, what it
 * casts. NULL: there is none. */
const char *plan_stem(const Graph *g, const Node *n);
Dim buffer_bytes(const Plan *plan, int buffer);
Dim plan_node_flops(const Plan *plan, NodeId id); /* 0 on overflow */
/* Bytes of inputs, outputs and workspace; 0 on overflow. */
Dim plan_peak(const Plan *plan);
/* Reports a broken @max_kernels contract, with the pairs that were not fused. */
bool plan_contract(const Plan *plan);

/* ---- panels.c: operands that are packed once ------------------------------------------------ */

void find_panels(Plan *plan);
/* Is a node of the group computed only for an operand that is packed once? */
bool is_only_packed(const Plan *plan, const Group *group, NodeId id);
/* The buffer with the panels of an operand of the group; -1: the contraction packs it itself. */
int plan_panels(const Plan *plan, int group, NodeId operand, bool is_left);

#endif
