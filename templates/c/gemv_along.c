/* Part of gemv.c: a wide operand that is contiguous along k: AT_ONCE of its rows at a time, whose
 * sums with the narrow rows are lanes of registers (gemv_steps.c). */
#include "gemv.h"
#define REG     f32
#define STORE   st_f32
#define RESULTS sums_of_lanes_f32(square)
#define ADD_UP  sum_lanes_f32(row_sums[row][few])
#define BEFORE  of_group[row][OF_PART]
#define AT_ONCE 4
#define SUMS    sums
#define K_SIZE  1000
#define K_BLOCK 512
#define STRIP   128
#define ALL_FEW 3
#define ALL     ALL_FEW
#define OF_PART few
static void example(idx first, idx end, idx n, float *sums) {
    enum { NARROW = 3 };
    const struct { idx n; } cut = {n};
//@BEGIN
for (idx strip = first; strip < end; strip += STRIP) {
    const idx strip_end = fx_least(strip + STRIP, end);
    REG row_sums[STRIP][ALL];
    //@IF BLOCKED
    /* The narrow rows are read for each group of wide ones: K_BLOCK of their columns stay in L1. */
    for (idx k_block = 0; k_block < K_SIZE; k_block += K_BLOCK) {
        const idx k_end = fx_least(k_block + K_BLOCK, K_SIZE);
    //@END
        //@IF PARTS
        for (idx few_from = 0; few_from < ALL_FEW; few_from += NARROW)
        //@END
        for (idx group = strip; group < strip_end; group += AT_ONCE) {
            REG sum[AT_ONCE][NARROW], (*const of_group)[ALL] = row_sums + group - strip;
            EACH_OF(row, AT_ONCE) EACH_OF(few, NARROW) sum[row][few] = BEFORE;
            //@HOLE steps
            EACH_OF(row, AT_ONCE) EACH_OF(few, NARROW) of_group[row][OF_PART] = sum[row][few];
        }
    //@IF BLOCKED
    }
    //@END
    for (idx few = 0; few < ALL_FEW; few++) {
        //@IF SQUARES
        for (idx row = 0; row < strip_end - strip; row += VL) {
            REG square[VL];
            EACH_OF(i, VL) square[i] = row_sums[row + i][few];
            STORE(SUMS + few * cut.n + strip + row - first, RESULTS, VL);
        }
        //@END
        //@IF ONE_BY_ONE
        for (idx row = 0; row < strip_end - strip; row++)
            SUMS[few * cut.n + strip + row - first] = ADD_UP[0];
        //@END
    }
}
//@FINISH
}
