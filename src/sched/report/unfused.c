/* unfused.c: the plan that reports compare with.
 * In: Plan. Out: one with a kernel for each op. */
#include "sched/report/report.h"

Plan *plan_unfused(const Plan *plan) {
    Plan *unfused = fuse(plan->g, plan->machine, 0, NULL);
    plan_buffers(unfused);
    return unfused;
}
