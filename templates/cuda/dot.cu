/* dot.cu: c[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k], for one or several b, one
 * fused multiply-add at a time. A block of 256 threads computes 64 x 64 elements of c from tiles of
 * 16 in k that it copies to shared memory; a thread has 4 x 4 of them. Integers are summed unsigned,
 * which wraps. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define SUM float
#define DOT_M 10
#define DOT_N 10
#define DOT_K 10
#define COUNT 1
#define A 0
#define MM l / 16
#define KK l % 16
//@BEGIN
HEAD {
    __shared__ SUM a_tile[16][64 + 4], b_tile[COUNT][16][64 + 4];
    const int thread = threadIdx.x, tx = thread % 16 * 4, ty = thread / 16 * 4;
    const IDX grid_n = (DOT_N + 63) / 64, grid_m = (DOT_M + 63) / 64;
    const IDX n_start = (IDX)blockIdx.x % grid_n * 64, m_start = (IDX)blockIdx.x / grid_n % grid_m * 64;
    //@HOLE at_batch
    SUM sum[COUNT][4][4] = {};
    for (IDX k_start = 0; k_start < DOT_K; k_start += 16) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int l = i * 256 + thread, mm = MM, kk = KK;
            //@HOLE a_at
            //@HOLE a
            a_tile[kk][mm] = k_start + kk < DOT_K ? A : 0;
        }
        //@HOLE b
        __syncthreads();
#pragma unroll
        for (int l = 0; l < 16; l++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
#pragma unroll
                    for (int c = 0; c < COUNT; c++)
                        sum[c][i][j] += a_tile[l][ty + i] * b_tile[c][l][tx + j];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const IDX at_m = m_start + ty + i, at_n = n_start + tx + j;
            if (at_m >= DOT_M || at_n >= DOT_N) continue;
            //@HOLE finish
        }
}
