/* Part of gemv.c: a wide operand that is contiguous along k: ROWS of its rows at a time, whose sums
 * with the narrow rows are lanes of registers (gemv_steps.c). */
#include "gemv.h"
#define REG     f32
#define ADD_UP  sum_lanes_f32(row_sums[row][few])
#define AT_ONCE 4
#define SUMS    sums
static void example(idx first, idx end, idx n, float *sums) {
    enum { NARROW = 3 };
    const struct { idx n; } cut = {n};
//@BEGIN
for (idx group = first; group < end; group += AT_ONCE) {
    REG sum[AT_ONCE][NARROW], row_sums[AT_ONCE][NARROW]; /* gcc keeps sum in registers */
    EACH_OF(row, AT_ONCE) EACH_OF(few, NARROW) sum[row][few] = (REG){0};
    //@HOLE steps
    EACH_OF(row, AT_ONCE) EACH_OF(few, NARROW) row_sums[row][few] = sum[row][few];
    for (idx row = 0; row < AT_ONCE && group + row < end; row++)
        for (idx few = 0; few < NARROW; few++)
            SUMS[few * cut.n + group + row - first] = ADD_UP[0];
}
//@FINISH
}
