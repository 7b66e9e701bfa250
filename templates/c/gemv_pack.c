/* Part of gemv.c: the narrow operand: its rows (columns) one after the other, padded by 0. */
#include "gemv.h"
#define FEW_AXIS i1
#define K_AXIS   i3
#define K_SIZE   7
#define X        x
#define KEEP     keep_f32
#define STORE    st_f32
static void example(float *narrow, idx narrow_row) {
    enum { NARROW = 3 };
    const f32 x = {0};
//@BEGIN
for (idx FEW_AXIS = 0; FEW_AXIS < NARROW; FEW_AXIS++) {
    EACH_VECTOR(K_AXIS, lanes, K_SIZE) {
        //@HOLE operand
        STORE(narrow + FEW_AXIS * narrow_row + K_AXIS, KEEP(X, lanes, 0), VL);
    }
}
//@FINISH
}
