/* chain.cu: sums over n of weights[batch, m, n] times values[batch, n, c], where weights are
 * functions of scores[batch, m, n], the products of the row with all n: the backward of attention.
 * A block walks along n, TILE_N at a time, for TILE_M rows; a thread has ROWS x COLS of each
 * score, and as many results of each TILE_N columns. One fused multiply-add at a time: for types
 * without tensor cores, and sizes that they do not take. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define ROWS_M 70
#define COUNT_N 90
#define COLUMNS 20
#define TILE_M 64
#define TILE_N 64
#define STEP 16
#define ROWS 4
#define COLS 4
#define THREADS_N 16
#define CHUNKS 1
#define WIDTH 64
#define OUTS 1
#define SCORES 1
__device__ int next_tile(int n_tile) { return n_tile; }
//@BEGIN
HEAD {
    constexpr int tile_m = TILE_M, tile_n = TILE_N;
    __shared__ float left_tile[STEP][tile_m + 4], right_tile[STEP][tile_n + 4];
    __shared__ float v_tile[STEP][WIDTH + 4], weight_tile[tile_n][tile_m + 4];
    const int thread = threadIdx.x, tx = thread % THREADS_N * COLS, ty = thread / THREADS_N * ROWS;
    const IDX grid_c = (COLUMNS + WIDTH - 1) / WIDTH, grid_m = (ROWS_M + tile_m - 1) / tile_m;
    const IDX c_start = (IDX)blockIdx.x % grid_c * WIDTH;
    /* Long rows first. */
    const IDX m_start = (grid_m - 1 - (IDX)blockIdx.x / grid_c % grid_m) * tile_m;
    //@IF M_LAST
    const IDX m_last = m_start + tile_m - 1 < ROWS_M ? m_start + tile_m - 1 : ROWS_M - 1;
    //@END
    //@HOLE at_batch
    float out[OUTS][CHUNKS][ROWS][COLS] = {};

    const int grid_n = (int)((COUNT_N + tile_n - 1) / tile_n);
    /* The first tile from n_tile on that is not fully masked. */
    //@HOLE NEXT_TILE
    for (int n_tile = next_tile(0); n_tile < grid_n; n_tile = next_tile(n_tile + 1)) {
        const IDX n_start = (IDX)n_tile * tile_n;
        const IDX n_last = n_start + tile_n - 1 < COUNT_N ? n_start + tile_n - 1 : COUNT_N - 1;
        float score[SCORES][ROWS][COLS] = {};
        //@HOLE scores
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            //@HOLE at_row
#pragma unroll
            for (int j = 0; j < COLS; j++) {
                //@HOLE at_n
                const bool is_inside = n_start + tx + j < COUNT_N;
                //@HOLE weights
            }
        }
        //@HOLE results
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const IDX at_m = m_start + ty + i;
        if (at_m >= ROWS_M) continue;
#pragma unroll
        for (int chunk = 0; chunk < CHUNKS; chunk++)
#pragma unroll
            for (int j = 0; j < COLS; j++) {
                const IDX at_c = c_start + chunk * tile_n + tx + j;
                if (at_c >= COLUMNS) continue;
                //@HOLE stores
            }
    }
}
