/* Part of chain.c: a product of the tile's rows with N_TILE columns n. */
#include "tiles_weights.h"
#define NUMBER      0
#define STEPS       7
#define LEFT_STEPS  STEPS
#define RIGHT_STEPS STEPS
#define LEFT        left
#define RIGHT       right
#define SCORES_OF   tile_sums_f32
static void example(float *left, float *right, idx i0, idx n_panels, idx n_start, idx n_end,
                    idx m_panels, float scores[1][MR][64])
{
    enum { NR = NR_OF(float), N_TILE = 64 };
//@BEGIN
SCORES_OF(STEPS, LEFT, MR * LEFT_STEPS + VL,
          RIGHT + (i0 * n_panels + n_start / NR) * NR * RIGHT_STEPS,
          NR * RIGHT_STEPS, scores[NUMBER][0], NR, N_TILE, false,
          m_panels * MR, (n_end - n_start + NR - 1) / NR, 0);
//@FINISH
}
