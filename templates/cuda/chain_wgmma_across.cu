/* chain_wgmma_across.cu: adds the product of the transposed weights and a left operand, which
 * chain_wgmma.cu has in `across`, to the rows n of a result in memory. */
#include "prelude.cuh"
#define IDX int
#define COUNT_N 90
#define COLUMNS 20
__device__ void alone(const float *across, int n_start, int group, int m_warp, int own_row, int pair) {
    constexpr int tile_n = 64, across_columns = 32;
//@BEGIN
#pragma unroll
for (int half = 0; half < 2; half++) {
    const IDX at_n = n_start + (tile_n == 64 ? m_warp % 64 : m_warp) + 8 * half + own_row;
    if (at_n >= COUNT_N) continue;
#pragma unroll
    for (int piece = 0; piece < across_columns / 8; piece++) {
        const IDX at_c = (tile_n == 64 ? group * across_columns : 0) + 8 * piece + pair;
        const float even = across[4 * piece + 2 * half], odd = across[4 * piece + 2 * half + 1];
        //@HOLE ADD
    }
}
//@FINISH
}
