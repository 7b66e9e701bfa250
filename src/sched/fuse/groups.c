/* groups.c: kernels that reduce rows, and groups of a row: a norm, and what quantises each 128
 * elements of its result.
 * In: clusters of one space. Out: a reason, or the axes of rows and groups. */
#include "sched/fuse/fuse_private.h"

/* Are these the last axes of the space? */
static bool are_last(const Space *space, uint32_t axes) {
    const uint32_t all = (1u << space->rank) - 1;
    return axes && axes == (all & ~((axes & (~axes + 1)) - 1));
}

static Dim extent_of(const Graph *g, const Space *space, uint32_t axes) {
    Dim extent = dim_const(g->dims, 1);
    for (int i = 0; i < space->rank; i++)
        if (axes >> i & 1) extent = dim_mul(g->dims, extent, space->dim[i]);
    return extent;
}

/* Scans, sums over rows, and elements that are found by their position, are of whole rows.
 */
static bool is_of_whole_rows(const Clusters *c, int k) {
    for (int i = 0; i < c->at[k].nodes.count; i++)
        switch (op_info[c->g->node[c->at[k].nodes.at[i]].op].class) {
        case SCAN:
        case PARTIAL:
        case GATHER: return true;
        default: break;
        }
    return c->at[k].space.backward;
}

/* Of all sets of axes along which the two reduce, the largest, and the only other one. */
static bool find_axes(const Clusters *c, int a, int b, Space *space) {
    const Space *A = &c->at[a].space, *B = &c->at[b].space;
    const uint32_t sets[] = {A->reduced, B->reduced, A->groups, B->groups};
    space->reduced = A->reduced | B->reduced;
    space->groups = 0;
    for (int i = 0; i < 4; i++) {
        if (!sets[i] || sets[i] == space->reduced) continue;
        if (space->groups && space->groups != sets[i]) return false;
        space->groups = sets[i];
    }
    return are_last(space, space->reduced) && are_last(space, space->groups);
}

Reason join_groups(const Clusters *c, int a, int b, Space *space) {
    if (!find_axes(c, a, b, space) || is_of_whole_rows(c, a) || is_of_whole_rows(c, b))
        return NO_AXES;
    const Dim rows = extent_of(c->g, space, ~space->reduced);
    const Dim columns = extent_of(c->g, space, space->reduced);
    const Dim group = extent_of(c->g, space, space->groups);
    return cost_may_group(c->plan->machine, c->g->dims, rows, columns, group) ? FUSED : NO_AXES;
}
