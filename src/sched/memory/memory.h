/* memory.h: where a plan keeps what its kernels leave to one another: buffers with lifetimes, slots of
 * the workspace that they share, operands that are packed once; and their names. */
#ifndef FUSEC_MEMORY_H
#define FUSEC_MEMORY_H

#include "sched/fuse/fuse.h"

/* ---- buffers.c: names, lifetimes, workspace slots ------------------------------------------ */

void plan_buffers(Plan *plan);
/* A name of the model as the start of a name that ends in a number; NULL where it is none. */
const char *plan_stem(const char *name);
Dim buffer_bytes(const Plan *plan, int buffer);
/* Inputs, outputs and workspace; 0 when it overflows. */
Dim plan_peak(const Plan *plan);
/* Reports a broken @max_kernels contract, naming the cut edges. */
bool plan_contract(const Plan *plan);

/* ---- panels.c: operands that are packed once ------------------------------------------------ */

void find_panels(Plan *plan);
/* Is a node of the group computed for nothing but an operand that is packed once? */
bool is_only_packed(const Plan *plan, const Group *group, NodeId id);
/* The buffer of panels that a contraction of the group finds an operand in, -1: it packs itself. */
int plan_panels(const Plan *plan, int group, NodeId operand, bool is_left);

#endif
