/* Part of gemv_along.c: adds the products of all phases of k, AT_ONCE rows of the wide operand one
 * after the other. What the next ones are read from is prefetched. */
#include "gemv.h"
#define STEPS   for (idx i3 = 0; i3 < 16; i3 += VL)
#define WIDE    i2
#define AT_ONCE 4
#define ROW     (group + row < end ? group + row : end - 1)
static void example(idx group, idx end) {
//@BEGIN
STEPS {
    //@HOLE factors
    EACH_OF(row, AT_ONCE) {
        const idx WIDE = ROW;
        //@HOLE ahead
        //@IF TURNS
        EACH_OF(half, 2) {
            //@HOLE rows
        }
        //@END
        //@IF ONCE
        //@HOLE rows
        //@END
    }
}
//@FINISH
}
