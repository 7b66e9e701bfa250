/* Part of chain.c: a panel of a right operand. */
#include "tiles_weights.h"
#define STEPS    4
#define PANELS   1
#define PANEL    32
#define TO       packed
#define PANEL_AT panel_at
static void example(float *packed, idx i0, idx panel, idx first, idx end)
{
    enum { NR = NR_OF(float) };
//@BEGIN
float *const PANEL_AT = TO + (i0 * PANELS + panel) * (PANEL);
//@IF PADS
if (end - first < NR) memset(PANEL_AT, 0, (size_t)(PANEL) * sizeof *PANEL_AT);
//@END
//@HOLE pack
//@IF PAIRS
bf16_steps_b(PANEL_AT, NR, STEPS);
//@END
//@FINISH
}
