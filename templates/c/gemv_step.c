/* Part of gemv_steps.c: the products of a vector of k. Each vector of the narrow operand is loaded
 * once for AT_ONCE rows of the wide one, and the rows after those are prefetched. */
#include "gemv.h"
#define REG     f32
#define WIDE    i2
#define K_AXIS  i3
#define ROWS    wide
#define AT_ONCE 4
#define ROW     (group + row < end ? group + row : end - 1)
#define X       x
#define JOIN    pairs_of
#define LOAD    ld_f32
#define ADDRESS (const bf16 *)narrow
#define AT      few *narrow_row + k_at / FX_PARTS
static void example(const float *narrow, idx narrow_row, idx group, idx end) {
    enum { NARROW = 3 };
    const f32 x = {0};
    const idx k_at = 0;
    f32 sum[AT_ONCE][NARROW];
//@BEGIN
REG ROWS[AT_ONCE];
EACH_OF(row, AT_ONCE) {
    const idx WIDE = ROW;
    //@HOLE ahead
    //@IF DIRECT
    ROWS[row] = pairs_at(ADDRESS);
    //@END
    //@IF COMPUTED
    f32 part[FX_PARTS];
    EACH_OF(half, FX_PARTS) {
        const idx K_AXIS = k_at + half * VL;
        //@HOLE operand
        part[half] = X;
    }
    ROWS[row] = JOIN(part);
    //@END
    //@IF WHOLE
    //@HOLE operand
    ROWS[row] = X;
    //@END
}
EACH_OF(few, NARROW) {
    REG factor = LOAD(narrow + AT, VL);
    //@IF KEPT
    KEEP_LOADED(factor);
    //@END
    //@IF SINGLE
    EACH_OF(row, AT_ONCE) sum[row][few] += ROWS[row] * factor;
    //@END
    //@IF PAIRS
    EACH_OF(row, AT_ONCE) DOT_ADD(sum[row][few], ROWS[row], factor);
    //@END
}
//@FINISH
}
