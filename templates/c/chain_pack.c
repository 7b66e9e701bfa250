/* Part of chain.c: all panels of the right operands of the scores, and of those of the results. */
#include "tiles_weights.h"
#define BATCH   2
#define COUNT_N 3
#define COLUMNS 6
static void example(float *packed)
{
    enum { NR = NR_OF(float), n_panels = 1, column_panels = 1 };
//@BEGIN
//@IF THREADS
#pragma omp for collapse(2) schedule(static) nowait
//@END
for (idx i0 = 0; i0 < BATCH; i0++) {
    for (idx each = 0; each < n_panels + column_panels; each++) {
        const bool is_right = each < n_panels;
        const idx panel = is_right ? each : each - n_panels, first = panel * NR;
        if (is_right) {
            const idx end = first + NR < COUNT_N ? first + NR : COUNT_N;
            //@HOLE pack_right
        } else {
            const idx end = first + NR < COLUMNS ? first + NR : COLUMNS;
            //@HOLE pack_values
        }
    }
}
//@FINISH
    (void)packed;
}
