/* Part of gemv.c: the narrow operand: vectors of its rows (columns), padded by 0. */
#include "gemv.h"
#define FEW_AXIS i1
#define K_AXIS   i3
#define K_SIZE   7
#define X        x
#define KEEP     keep_f32
#define STORE    st_f32
#define JOIN     pairs_of
#define AT       FEW_AXIS *narrow_row
static void example(float *narrow, idx narrow_row) {
    enum { NARROW = 3 };
    const f32 x = {0};
//@BEGIN
for (idx FEW_AXIS = 0; FEW_AXIS < NARROW; FEW_AXIS++) {
    //@IF PAIRS
    for (idx k_at = 0; k_at < K_SIZE; k_at += FX_PARTS * VL) {
        f32 part[FX_PARTS];
        EACH_OF(half, FX_PARTS) {
            const idx K_AXIS = k_at + half * VL;
            //@HOLE operand
            part[half] = X;
        }
        st_f32(narrow + AT, JOIN(part), VL);
    }
    //@END
    //@IF SINGLE
    EACH_VECTOR(K_AXIS, lanes, K_SIZE) {
        //@HOLE operand
        STORE(narrow + AT, KEEP(X, lanes, 0), VL);
    }
    //@END
}
//@FINISH
}
