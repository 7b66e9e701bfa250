/* Part of gemv.c: a wide operand that is contiguous along its own axis: DEPTH of its rows k are
 * added to the sums, which stay in L1 or L2, in one pass along the strip, and those of the next
 * pass are prefetched. WHOLE: the loop over the rows of a pass that has DEPTH is unrolled; ENDS: the
 * last pass may have fewer. */
#include "gemv.h"
#define REG     f32
#define RESULT  sum[few]
#define WIDE    i2
#define K_AXIS  i3
#define K_SIZE  7
#define DEPTH   8
#define SUMS    sums
#define X       x
#define LOAD    ld_f32
#define STORE   st_f32
#define IF_WHOLE
#define IF_CUT
static void example(const float *narrow, idx narrow_row, idx first, idx end, idx n, float *sums) {
    enum { NARROW = 3 };
    const struct { idx n; } cut = {n};
    const f32 x = {0};
//@BEGIN
for (idx k_first = 0; k_first < K_SIZE; k_first += DEPTH) {
    //@IF ENDS
    const idx k_end = k_first + DEPTH < K_SIZE ? k_first + DEPTH : K_SIZE;
    //@END
    EACH_VECTOR(column, lanes, end - first) {
        const idx WIDE = first + column;
        REG sum[NARROW];
        EACH_OF(few, NARROW)
            sum[few] = k_first ? LOAD(SUMS + few * cut.n + column, VL) : (REG){0};
        //@IF PAIRS
        for (idx k_at = k_first; k_at < k_end; k_at += FX_PARTS) {
            f32 part[FX_PARTS];
            EACH_OF(step, FX_PARTS) {
                const idx K_AXIS = k_at + step;
                //@HOLE ahead
                //@HOLE operand
                part[step] = X;
            }
            const f32 wide = pairs_across(part);
            EACH_OF(few, NARROW)
                DOT_ADD(sum[few], wide, splat_f32(narrow[few * narrow_row + k_at / FX_PARTS]));
        }
        //@END
        //@IF WHOLE
        IF_WHOLE EACH_OF(step, DEPTH) {
            const idx K_AXIS = k_first + step;
            //@HOLE ahead
            //@HOLE operand
            const REG wide = X;
            EACH_OF(few, NARROW) sum[few] += wide * narrow[few * narrow_row + K_AXIS];
        }
        //@END
        //@IF CUT
        IF_CUT for (idx K_AXIS = k_first; K_AXIS < k_end; K_AXIS++) {
            //@HOLE ahead
            //@HOLE operand
            const REG wide = X;
            EACH_OF(few, NARROW) sum[few] += wide * narrow[few * narrow_row + K_AXIS];
        }
        //@END
        EACH_OF(few, NARROW) STORE(SUMS + few * cut.n + column, RESULT, VL);
    }
}
//@FINISH
}
