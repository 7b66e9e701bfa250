/* Part of chain.c: all panels of right operands of the same size. */
#include "tiles_weights.h"
#define BATCH  2
#define SIZE   3
#define PANELS 1
static void example(float *packed)
{
    enum { NR = NR_OF(float) };
//@BEGIN
//@IF THREADS
#pragma omp for collapse(2) schedule(static) nowait
//@END
for (idx i0 = 0; i0 < BATCH; i0++) {
    for (idx panel = 0; panel < PANELS; panel++) {
        const idx first = panel * NR, end = first + NR < SIZE ? first + NR : SIZE;
        //@HOLE pack_panels
    }
}
//@FINISH
    (void)packed;
}
