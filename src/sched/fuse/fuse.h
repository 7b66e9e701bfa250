/* fuse.h: Graph to Plan: which nodes become one kernel. */
#ifndef FUSEC_FUSE_H
#define FUSEC_FUSE_H

#include "sched/plan/plan.h"
#include "sched/split/split.h"

/* ---- fuse.c: may_fuse, fuse_gain and the greedy loop; makes plan->groups and decisions ----- */

/* opt 0: one kernel for each work node; 1: producers into readers; 2 and up: also siblings. pins of
 * other functions do not matter; NULL: none. A pin that cannot hold is a diag_error. */
Plan *fuse(const Graph *g, const Machine *machine, int opt, const FusePins *pins);

/* ---- again.c ---- */

/* The graph in which kernels compute values again that they would read, where these are the more
 * bytes; NULL: there are none. */
const Graph *computed_again(const Plan *plan);

/* ---- padded.c ---- */

/* The graph in which operands of products have rows that TMA brings; NULL: they have, or copies take
 * longer than they save. */
const Graph *padded_operands(const Plan *plan);

/* ---- decided.c ---- */

bool pins_decide(const FusePins *pins, const Graph *g); /* are pairs of this function among them? */

const char *fuse_pin_name(const Plan *plan, NodeId id); /* "y", "%5:exp" */
void fuse_pin_print(const FusePin *pin, Text *out);     /* "cut A B", "fuse A B", "split A 4" */

/* ---- constant.c: what is prepared once, from constant inputs --------------------- */

bool plan_is_constant_size(const Plan *plan, Dim size); /* of dims of constant inputs only */
/* Does the target pack constant operands, and copy constants? A GPU reads them in place. */
bool plan_packs_once(const Plan *plan);
Constancy nodes_constancy(const Plan *plan, const NodeVec *nodes); /* of all nodes together */

#endif
