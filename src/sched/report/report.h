/* report.h: plans as text, for people and for programs. */
#ifndef FUSEC_REPORT_H
#define FUSEC_REPORT_H

#include "sched/memory/memory.h"

/* What is known of a kernel once it is built, as text. */
typedef struct KernelReport {
    const char *tile;
    const char *function; /* the name of the kernel whose function it calls: its own, or an equal
                             one's before it */
} KernelReport;

void plan_print(const Plan *plan, Text *out); /* --emit=plan */
/* --explain: for people. kernels: one for each group. */
void plan_explain(const Plan *plan, const KernelReport *kernels, Text *out);
struct json_t;

/* Adds members to the object of a kernel; of the function, if kernel is -1. False when out of
 * memory. */
typedef struct PlanMembers {
    bool (*add)(const void *of, int function, int kernel, struct json_t *object);
    const void *of;
} PlanMembers;

/* The plans as JSON, version 1 (docs/plan.md): sizes with open dims are expressions in strings.
 * kernels: those of each. members: those of other floors. False when out of memory. */
bool plans_json(const char *model, const Plan *const *plans, const KernelReport *const *kernels,
                int count, const PlanMembers *members, Text *out);
void plans_dot(const Plan *const *plans, int count, Text *out); /* Graphviz */
const char *bytes_text(Arena *arena, double bytes);             /* "16.0 MiB" */
/* "N = 1024, D = 1024": what open dims count as in times, ratios, and drawings. */
const char *plan_nominal_sizes(const Plan *plan);
Plan *plan_unfused(const Plan *plan); /* the same graph at -O0, with buffers, for comparison */

#endif
