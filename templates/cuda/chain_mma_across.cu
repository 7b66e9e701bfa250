/* chain_mma_across.cu: adds the transposed weights of a tile of chain_mma.cu times the left operand
 * of a score, of all m of the tile, to the rows n of a result in memory. */
#include "prelude.cuh"
#define IDX int
#define TO_IDX (int)
#define NUMBER 0
#define ROW_BYTES 64
#define LEFT left
#define LEFT_BYTES 128
#define STEPS 2
#define COUNT_N 90
#define COLUMNS 20
#define MULTIPLY mma_bf16
__device__ void alone(unsigned char *weights, const unsigned char *left, unsigned here, int warp,
                      int m_warp, int own_row, int pair, int n_tile, unsigned (*weight)[1][4][2]) {
    constexpr int pieces_m = 1, pieces_n = 4, tile_m = 64, tile_n = 32, column_steps = 4;
//@BEGIN
#pragma unroll
for (int i = 0; i < pieces_m; i++)
#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int j = 0; j < pieces_n; j++)
            *(unsigned *)(weights + swizzled<ROW_BYTES>(m_warp + 16 * i + 8 * half + own_row, j) +
                          2 * pair) = weight[NUMBER][i][j][half];
__syncthreads();
#pragma unroll 1
for (int unit = warp; unit < tile_n / 16 * (column_steps / STEPS); unit += tile_m / 16 / pieces_m) {
    const int row = unit % (tile_n / 16) * 16, column = unit / (tile_n / 16) * (16 * STEPS);
    float sum[2 * STEPS][4] = {};
#pragma unroll
    for (int step = 0; step < tile_m / 16; step++) {
        unsigned a[4];
        ldmatrix_x4_trans(a[0], a[1], a[2], a[3],
                          weights + swizzled<ROW_BYTES>(16 * step + here / 16 * 8 + here % 8,
                                                        row / 8 + here / 8 % 2));
#pragma unroll
        for (int piece = 0; piece < 2 * STEPS; piece += 2) {
            unsigned b[2][2];
            ldmatrix_x4_trans(b[0][0], b[0][1], b[1][0], b[1][1],
                              LEFT + swizzled<LEFT_BYTES>(16 * step + here % 16,
                                                          column / 8 + piece + here / 16));
            MULTIPLY(sum[piece], a, b[0]);
            MULTIPLY(sum[piece + 1], a, b[1]);
        }
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const IDX at_n = TO_IDX n_tile * tile_n + row + 8 * half + own_row;
        if (at_n >= COUNT_N) continue;
#pragma unroll
        for (int piece = 0; piece < 2 * STEPS; piece++) {
            const IDX at_c = column + 8 * piece + pair;
            const float even = sum[piece][2 * half], odd = sum[piece][2 * half + 1];
            //@HOLE ADD
        }
    }
}
//@FINISH
}
