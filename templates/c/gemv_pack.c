/* Part of gemv.c: the narrow operand: vectors of its rows (columns), padded by 0. */
#include "gemv.h"
#define FEW_AXIS i1
#define OF_PART  few
#define ALL_FEW  7
#define K_AXIS   i3
#define K_SIZE   7
#define X        x
#define KEEP     keep_f32
#define STORE    st_f32
#define JOIN     pairs_of
#define AT       FEW_AXIS *narrow_row
#define REG      f32
#define TURN     VL
static void example(float *narrow, idx narrow_row) {
    enum { NARROW = 3 };
    const f32 x = {0};
//@BEGIN
//@IF PARTS
for (idx few_from = 0; few_from < ALL_FEW; few_from += NARROW)
//@END
for (idx OF_PART = 0; OF_PART < NARROW; OF_PART++) {
    //@IF PARTS
    const idx FEW_AXIS = fx_least(few_from + OF_PART, ALL_FEW - 1);
    //@END
    //@IF TURNS
    for (idx k_at = 0; k_at < K_SIZE; k_at += 2 * TURN) {
        REG turn[2];
        //@IF PAIRS
        EACH_OF(half, 2) {
            f32 part[FX_PARTS];
            EACH_OF(step, FX_PARTS) {
                const idx K_AXIS = k_at + (half * FX_PARTS + step) * VL;
                //@HOLE operand
                part[step] = X;
            }
            turn[half] = JOIN(part);
        }
        take_turns_of_parts(turn);
        //@END
        //@IF SINGLE
        EACH_OF(half, 2) {
            const idx K_AXIS = k_at + half * VL;
            //@HOLE operand
            turn[half] = X;
        }
        take_turns(turn);
        //@END
        EACH_OF(half, 2) {
            STORE(narrow + AT, turn[half], VL);
        }
    }
    //@END
    //@IF ONCE
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
    //@END
}
//@FINISH
}
