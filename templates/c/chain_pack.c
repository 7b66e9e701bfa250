/* Part of chain.c: all panels of a right operand. */
#include "tiles_weights.h"
#define BATCH  2
#define SIZE   3
#define STEPS  4
#define PANELS 1
#define PANEL  32
#define TO     packed
static void example(float *packed)
{
    enum { NR = NR_OF(float) };
//@BEGIN
//@IF THREADS
#pragma omp for collapse(2) schedule(static) nowait
//@END
for (idx i0 = 0; i0 < BATCH; i0++) {
    for (idx panel = 0; panel < PANELS; panel++) {
        float *const panel_at = TO + (i0 * PANELS + panel) * (PANEL);
        const idx first = panel * NR, end = first + NR < SIZE ? first + NR : SIZE;
        //@IF PADS
        if (end - first < NR) memset(panel_at, 0, (size_t)(PANEL) * sizeof *panel_at);
        //@END
        //@HOLE pack
        //@IF PAIRS
        bf16_steps_b(panel_at, NR, STEPS);
        //@END
    }
}
//@FINISH
}
