/* Part of gemv_by_row.c: the vectors of the narrow operand in a phase of k. */
#include "gemv.h"
#define REG     f32
#define LOAD    ld_f32
#define FACTORS factors
#define AT      few *VL
static void example(const float *narrow) {
    enum { NARROW = 3 };
//@BEGIN
REG FACTORS[NARROW];
EACH_OF(few, NARROW) {
    FACTORS[few] = LOAD(narrow + AT, VL);
    //@IF KEPT
    KEEP_LOADED(FACTORS[few]);
    //@END
}
//@FINISH
}
