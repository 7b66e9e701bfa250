/* Part of gemv.c: a wide operand that is contiguous along k: ROWS of its rows at a time, whose sums
 * with the narrow rows are lanes of registers. */
#include "gemv.h"
#define REG     f32
#define ADD_UP  sum_lanes_f32(sum[row][few])
#define KEEP    keep_f32
#define WIDE    i2
#define K_AXIS  i3
#define K_SIZE  7
#define AT_ONCE 4
#define SUMS    sums
#define X       x
#define LOAD    ld_f32
static void example(const float *narrow, idx narrow_row, idx first, idx end, idx n, float *sums) {
    enum { NARROW = 3 };
    const struct { idx n; } cut = {n};
    const f32 x = {0};
//@BEGIN
for (idx group = first; group < end; group += AT_ONCE) {
    REG sum[AT_ONCE][NARROW];
    EACH_OF(row, AT_ONCE) EACH_OF(few, NARROW) sum[row][few] = (REG){0};
    EACH_VECTOR(K_AXIS, lanes, K_SIZE) {
        EACH_OF(row, AT_ONCE) {
            const idx WIDE = group + row < end ? group + row : end - 1;
            //@HOLE operand
            const REG wide = KEEP(X, lanes, 0);
            EACH_OF(few, NARROW)
                sum[row][few] += wide * LOAD(narrow + few * narrow_row + K_AXIS, VL);
        }
    }
    for (idx row = 0; row < AT_ONCE && group + row < end; row++)
        for (idx few = 0; few < NARROW; few++)
            SUMS[few * cut.n + group + row - first] = ADD_UP[0];
}
//@FINISH
}
