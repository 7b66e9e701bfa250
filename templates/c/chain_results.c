/* Part of chain.c: adds the products of a tile's weights with the values. */
#include "tiles.h"
#define NUMBER 0
#define COUNT_N 5
#define RIGHT right
#define OUT out
static void example(float *out, float *right, idx i0, idx column_panels, idx n_start, idx n_end,
                    idx m_panels, idx out_row, float scores[1][MR][64])
{
    enum { NR = NR_OF(float), N_TILE = 64 };
//@BEGIN
tile_sums_rows_f32(n_end - n_start, scores[NUMBER][0], N_TILE,
                   RIGHT + (i0 * column_panels * COUNT_N + n_start) * NR, NR * COUNT_N, OUT, NR,
                   out_row, true, m_panels * MR, column_panels);
//@FINISH
}
