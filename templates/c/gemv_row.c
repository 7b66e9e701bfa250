/* Part of gemv_by_row.c: the products of a vector of a row of the wide operand in a phase of k. */
#include "gemv.h"
#define REG     f32
#define X       x
#define ROW     wide
#define FACTOR  factors[few]
static void example(idx row) {
    enum { NARROW = 3 };
    const f32 x = {0};
    f32 factors[NARROW], sum[4][NARROW];
//@BEGIN
//@HOLE operand
const REG ROW = X;
//@IF SINGLE
EACH_OF(few, NARROW) sum[row][few] += ROW * FACTOR;
//@END
//@IF PAIRS
EACH_OF(few, NARROW) DOT_ADD(sum[row][few], ROW, FACTOR);
//@END
//@FINISH
}
