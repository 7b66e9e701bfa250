/* chain_mma_results.cu: adds chain_mma.cu's products of weights with values. */
#include "prelude.cuh"
#define NUMBER 0
#define ROW_BYTES 128
#define RIGHT slots
#define MULTIPLY mma_bf16
__device__ void alone(const unsigned char *slots, unsigned here, unsigned (*weight)[1][2][2],
                      float (*out)[1][8][4]) {
    constexpr int pieces_m = 1, tile_n = 16, pieces_c = 8;
//@BEGIN
#pragma unroll
for (int step = 0; step < tile_n / 16; step++) {
    unsigned a[pieces_m][4];
#pragma unroll
    for (int i = 0; i < pieces_m; i++)
#pragma unroll
        for (int part = 0; part < 4; part++)
            a[i][part] = weight[NUMBER][i][2 * step + part / 2][part % 2];
#pragma unroll
    for (int piece = 0; piece < pieces_c; piece += 2) {
        unsigned b[2][2];
        ldmatrix_x4_trans(b[0][0], b[0][1], b[1][0], b[1][1],
                          RIGHT + swizzled<ROW_BYTES>(16 * step + here % 16, piece + here / 16));
#pragma unroll
        for (int i = 0; i < pieces_m; i++) {
            MULTIPLY(out[NUMBER][i][piece], a[i], b[0]);
            MULTIPLY(out[NUMBER][i][piece + 1], a[i], b[1]);
        }
    }
}
//@FINISH
}
