/* Part of gemv_along.c: adds the products of a range of k. */
#include "gemv.h"
#define STEPS for (idx i3 = 0; i3 < 16; i3 += VL)
static void example(void) {
//@BEGIN
STEPS {
    //@IF TURNS
    EACH_OF(half, 2) {
        //@HOLE step
    }
    //@END
    //@IF ONCE
    //@HOLE step
    //@END
}
//@FINISH
}
