/* Part of chain.c: adds the products of a tile's transposed weights with the rows' own operand. */
#include "tiles_weights.h"
#define NUMBER 0
#define STEPS  8
static void example(float *across, float *turned, float *right_across, idx column_panels,
                    idx n_start, idx n_end, idx n_first, idx m_start, idx m_end, idx out_row,
                    float scores[1][MR][64])
{
    enum { NR = NR_OF(float), N_TILE = 64 };
//@BEGIN
//@IF PAIRS
tile_sums_turned_bf16(m_end - m_start, scores[NUMBER][0], N_TILE, turned,
                      right_across, NR * STEPS,
                      across + (n_start - n_first) * out_row, NR, out_row,
                      FX_COUNTED(n_end - n_start), column_panels);
//@END
//@IF PLAIN
tile_sums_across_f32(m_end - m_start, scores[NUMBER][0], 1, N_TILE,
                     right_across, NR * STEPS,
                     across + (n_start - n_first) * out_row, NR, out_row,
                     FX_COUNTED(n_end - n_start), column_panels);
//@END
//@FINISH
}
