/* groups.c: kernels that reduce rows, and groups of a row.
 * In: a machine, the sizes of a row and a group. Out: are they for one kernel? */
#include "sched/cost/cost.h"

/* A row is read several times, so it is kept, or stays in a cache; few rows leave the machine idle,
 * where groups alone would not. On a GPU the lanes of a group are known. */
bool cost_may_group(const Machine *m, const Dims *d, Dim rows, Dim columns, Dim group) {
    enum { MOST_COLUMNS = 1 << 16, FEW_ROWS = 64, FEW_COLUMNS = 1 << 13 };
    int64_t size;
    if (!rows || !columns || !group) return false;
    if (cost_size(d, rows) < FEW_ROWS && cost_size(d, columns) > FEW_COLUMNS) return false;
    if (dim_is_const(d, columns, &size) && size > MOST_COLUMNS) return false;
    return !machine_is_gpu(m) || dim_is_const(d, group, &size);
}
