/* Part of gemv.c: a wide operand that is contiguous along k: AT_ONCE of its rows at a time, whose
 * sums with the narrow rows are lanes of registers (gemv_steps.c). */
#include "gemv.h"
#define REG     f32
#define ADD_UP  sum_lanes_f32(row_sums[row][few])
#define AT_ONCE 4
#define SUMS    sums
#define K_SIZE  1000
#define K_BLOCK 512
#define STRIP   128
static void example(idx first, idx end, idx n, float *sums) {
    enum { NARROW = 3 };
    const struct { idx n; } cut = {n};
//@BEGIN
//@IF BLOCKED
/* The narrow rows are read for each group of wide ones: K_BLOCK of their columns stay in L1. */
for (idx strip = first; strip < end; strip += STRIP) {
    const idx strip_end = fx_least(strip + STRIP, end);
    REG row_sums[STRIP][NARROW];
    for (idx k_block = 0; k_block < K_SIZE; k_block += K_BLOCK) {
        const idx k_end = fx_least(k_block + K_BLOCK, K_SIZE);
        for (idx group = strip; group < strip_end; group += AT_ONCE) {
            REG sum[AT_ONCE][NARROW], (*const of_group)[NARROW] = row_sums + group - strip;
            EACH_OF(row, AT_ONCE) EACH_OF(few, NARROW)
                sum[row][few] = k_block ? of_group[row][few] : (REG){0};
            //@HOLE steps
            EACH_OF(row, AT_ONCE) EACH_OF(few, NARROW) of_group[row][few] = sum[row][few];
        }
    }
    for (idx row = 0; row < strip_end - strip; row++)
        for (idx few = 0; few < NARROW; few++)
            SUMS[few * cut.n + strip + row - first] = ADD_UP[0];
}
//@END
//@IF WHOLE_ROWS
for (idx group = first; group < end; group += AT_ONCE) {
    REG sum[AT_ONCE][NARROW], row_sums[AT_ONCE][NARROW]; /* gcc keeps sum in registers */
    EACH_OF(row, AT_ONCE) EACH_OF(few, NARROW) sum[row][few] = (REG){0};
    //@HOLE steps
    EACH_OF(row, AT_ONCE) EACH_OF(few, NARROW) row_sums[row][few] = sum[row][few];
    for (idx row = 0; row < AT_ONCE && group + row < end; row++)
        for (idx few = 0; few < NARROW; few++)
            SUMS[few * cut.n + group + row - first] = ADD_UP[0];
}
//@END
//@FINISH
}
