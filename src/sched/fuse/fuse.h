/* fuse.h: Graph to Plan: which nodes become one kernel. */
#ifndef FUSEC_FUSE_H
#define FUSEC_FUSE_H

#include "sched/plan/plan.h"

/* ---- fuse.c: may_fuse, fuse_gain and the greedy loop; makes plan->groups and decisions ----- */

/* opt 0: one kernel for each work node; 1: producers into readers; 2 and up: also siblings. */
Plan *fuse(const Graph *g, const Machine *machine, int opt);

/* ---- constant.c: what is prepared once, from constant inputs --------------------- */

bool plan_is_constant_size(const Plan *plan, Dim size); /* of dims of constant inputs only */
Constancy nodes_constancy(const Plan *plan, const NodeVec *nodes); /* of all nodes together */

#endif
