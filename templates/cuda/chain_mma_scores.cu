/* chain_mma_scores.cu: one product of chain_mma.cu's scores. */
#include "prelude.cuh"
#define NUMBER 0
#define STEPS 4
#define ROW_BYTES 128
#define LEFT left
#define RIGHT slots
#define MULTIPLY mma_bf16
__device__ void alone(const unsigned char *left, const unsigned char *slots, int m_warp,
                      unsigned here, float (*score)[1][2][4]) {
    constexpr int pieces_m = 1, pieces_n = 2;
//@BEGIN
#pragma unroll
for (int step = 0; step < STEPS; step++) {
    unsigned a[pieces_m][4];
#pragma unroll
    for (int i = 0; i < pieces_m; i++)
        ldmatrix_x4(
            a[i][0], a[i][1], a[i][2], a[i][3],
            LEFT + swizzled<ROW_BYTES>(m_warp + 16 * i + here % 16, 2 * step + here / 16));
#pragma unroll
    for (int j = 0; j < pieces_n; j += 2) {
        unsigned b[2][2];
        ldmatrix_x4(b[0][0], b[0][1], b[1][0], b[1][1],
                    RIGHT + swizzled<ROW_BYTES>(8 * j + here / 16 * 8 + here % 8,
                                                2 * step + here / 8 % 2));
#pragma unroll
        for (int i = 0; i < pieces_m; i++) {
            MULTIPLY(score[NUMBER][i][j], a[i], b[0]);
            MULTIPLY(score[NUMBER][i][j + 1], a[i], b[1]);
        }
    }
}
//@FINISH
}
