/* report.h: plans as text, for people and for programs. */
#ifndef FUSEC_REPORT_H
#define FUSEC_REPORT_H

#include "sched/memory/memory.h"

void plan_print(const Plan *plan, Text *out); /* --emit=plan */
/* --explain: for people. tiles: of each kernel, as text. */
void plan_explain(const Plan *plan, const char *const *tiles, Text *out);
/* The plans as JSON, version 1 (docs/plan.md): sizes with open dims are expressions in strings.
 * tiles: of the kernels of each. False when out of memory. */
bool plans_json(const char *model, const Plan *const *plans, const char *const *const *tiles,
                int count, Text *out);
void plans_dot(const Plan *const *plans, int count, Text *out); /* Graphviz */
Plan *plan_unfused(const Plan *plan); /* the same graph at -O0, with buffers: for comparison */

#endif
