/* Part of chain.c: adds the products of a tile's weights with the values. */
#include "tiles_weights.h"
#define NUMBER       0
#define STEPS        5
#define RIGHT        right
#define OUT          out
#define FIRST_STEP   n_start
#define WEIGHT_STEPS n_end - n_start
#define SUMS_OF      tile_sums_across_f32
static void example(float *out, float *right, idx i0, idx column_panels, idx n_start, idx n_end,
                    idx m_panels, idx out_row, float scores[1][MR][64])
{
    enum { NR = NR_OF(float), N_TILE = 64 };
//@BEGIN
SUMS_OF(WEIGHT_STEPS, scores[NUMBER][0], N_TILE, 1,
        RIGHT + (i0 * column_panels * STEPS + FIRST_STEP) * NR,
        NR * STEPS, OUT, NR, out_row, m_panels * MR, column_panels);
//@FINISH
}
