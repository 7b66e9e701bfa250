/* Part of gemv_by_row.c: the vectors of the narrow operand in a phase of k. */
#include "gemv.h"
#define REG      f32
#define LOAD     ld_f32
#define FACTORS  factors[NARROW]
#define FACTOR   factors[few]
#define EACH_ONE EACH_OF(few, NARROW)
#define AT       few *VL
static void example(const float *narrow) {
    enum { NARROW = 3 };
//@BEGIN
REG FACTORS;
EACH_ONE {
    FACTOR = LOAD(narrow + AT, VL);
    //@IF KEPT
    KEEP_LOADED(FACTOR);
    //@END
}
//@FINISH
}
