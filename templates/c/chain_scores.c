/* Part of chain.c: a product of the tile's rows with N_TILE columns n. */
#include "tiles.h"
#define NUMBER 0
#define DEPTH 7
#define LEFT left
#define RIGHT right
static void example(float *left, float *right, idx i0, idx n_panels, idx n_start, idx n_end,
                    idx m_panels, float scores[1][MR][64])
{
    enum { NR = NR_OF(float), N_TILE = 64 };
//@BEGIN
for (idx n = n_start; n < n_end; n += NR)
    for (idx panel = 0; panel < m_panels; panel++)
        tile_sums_f32(DEPTH, LEFT + panel * (MR * DEPTH + VL),
                      RIGHT + (i0 * n_panels + n / NR) * NR * DEPTH,
                      &scores[NUMBER][panel * MR][n - n_start], N_TILE, false, MR, 0);
//@FINISH
}
