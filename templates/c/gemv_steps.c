/* Part of gemv_along.c: adds the products of a range of k. */
#include "gemv.h"
#define REG     f32
#define WIDE    i2
#define K_AXIS  i3
#define STEPS   for (idx i3 = 0; i3 < 16; i3 += VL)
#define AT_ONCE 4
#define X       x
#define LOAD    ld_f32
static void example(const float *narrow, idx narrow_row, idx group, idx end) {
    enum { NARROW = 3 };
    const f32 x = {0};
    f32 sum[AT_ONCE][NARROW];
//@BEGIN
STEPS {
    EACH_OF(row, AT_ONCE) {
        //@IF IF_WIDE
        const idx WIDE = group + row < end ? group + row : end - 1;
        //@END
        //@HOLE operand
        const REG wide = X;
        EACH_OF(few, NARROW)
            sum[row][few] += wide * LOAD(narrow + few * narrow_row + K_AXIS, VL);
    }
}
//@FINISH
}
