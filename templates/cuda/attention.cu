/* attention.cu: softmax of scores[batch, m, n] along the keys n, times values[batch, n, c]: the
 * scores are products of queries and keys, and a block sees the keys once, TILE_N at a time, for
 * TILE_M queries (Dao, "FlashAttention-2", 2023). A thread has ROWS x COLS scores, and as many
 * results of each TILE_N columns. Shifts are whole powers of 2, so corrections are exact. One fused
 * multiply-add at a time: for types without tensor cores, and sizes that they do not take. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define QUERIES 70
#define KEYS 90
#define DEPTH 10
#define COLUMNS 20
#define TILE_M 64
#define TILE_N 64
#define STEP 16
#define ROWS 4
#define COLS 4
#define THREADS_N 16
#define CHUNKS 1
#define SHIFT largest
#define EXPONENT 1.0f
#define SCORE score[i][j]
#define WIDTH 64
#define WEIGHT 1.0f
__device__ int next_tile(int n_tile) { return n_tile; }
//@BEGIN
HEAD {
    constexpr int tile_m = TILE_M, tile_n = TILE_N;
    __shared__ float q_tile[STEP][tile_m + 4], k_tile[STEP][tile_n + 4], v_tile[STEP][WIDTH + 4];
    __shared__ float weight_tile[tile_n][tile_m + 4];
    const int thread = threadIdx.x, tx = thread % THREADS_N * COLS, ty = thread / THREADS_N * ROWS;
    const IDX grid_c = (COLUMNS + WIDTH - 1) / WIDTH, grid_m = (QUERIES + tile_m - 1) / tile_m;
    const IDX c_start = (IDX)blockIdx.x % grid_c * WIDTH;
    /* Long rows first. */
    const IDX m_start = (grid_m - 1 - (IDX)blockIdx.x / grid_c % grid_m) * tile_m;
    //@IF M_LAST
    const IDX m_last = m_start + tile_m - 1 < QUERIES ? m_start + tile_m - 1 : QUERIES - 1;
    //@END
    //@HOLE at_batch
    float out[CHUNKS][ROWS][COLS] = {}, row_max[ROWS], row_shift[ROWS], row_sum[ROWS];
#pragma unroll
    for (int i = 0; i < ROWS; i++) row_max[i] = -INFINITY, row_shift[i] = row_sum[i] = 0;

    const int grid_n = (int)((KEYS + tile_n - 1) / tile_n);
    /* The first tile of keys from n_tile on that is not fully masked. */
    //@HOLE NEXT_TILE
    for (int n_tile = next_tile(0); n_tile < grid_n; n_tile = next_tile(n_tile + 1)) {
        const IDX n_start = (IDX)n_tile * tile_n;
        const IDX n_last = n_start + tile_n - 1 < KEYS ? n_start + tile_n - 1 : KEYS - 1;
        float score[ROWS][COLS] = {};
        for (IDX k_start = 0; k_start < DEPTH; k_start += STEP) {
            //@HOLE load_q
            //@HOLE load_k
            __syncthreads();
#pragma unroll
            for (int l = 0; l < STEP; l++)
#pragma unroll
                for (int i = 0; i < ROWS; i++)
#pragma unroll
                    for (int j = 0; j < COLS; j++)
                        score[i][j] += q_tile[l][ty + i] * k_tile[l][tx + j];
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            //@HOLE at_query
            float largest = row_max[i];
#pragma unroll
            for (int j = 0; j < COLS; j++) {
                //@HOLE at_key
                //@HOLE score_lines
                score[i][j] = n_start + tx + j < KEYS ? SCORE : -INFINITY;
                largest = max_nan(largest, score[i][j]);
            }
            largest = warp_reduce<Max, THREADS_N>(largest);
            //@HOLE shift_lines
            const float shift = SHIFT;
            const float by = row_max[i] == -INFINITY ? 0 : exp2(row_shift[i] - shift);
            row_max[i] = largest;
            row_shift[i] = shift;
            row_sum[i] *= by;
#pragma unroll
            for (int chunk = 0; chunk < CHUNKS; chunk++)
#pragma unroll
                for (int j = 0; j < COLS; j++) out[chunk][i][j] *= by;
#pragma unroll
            for (int j = 0; j < COLS; j++) {
                const float x = score[i][j];
                //@HOLE exponent_lines
                const float e = exp2(EXPONENT);
                row_sum[i] += e;
                //@HOLE weight_at_key
                //@HOLE weight_lines
                weight_tile[tx + j][ty + i] = WEIGHT;
            }
        }
        for (IDX k_start = n_start; k_start <= n_last; k_start += STEP) {
            //@HOLE load_v
            __syncthreads();
#pragma unroll
            for (int l = 0; l < STEP; l++)
#pragma unroll
                for (int i = 0; i < ROWS; i++) {
                    const float weight = weight_tile[(int)(k_start - n_start) + l][ty + i];
#pragma unroll
                    for (int chunk = 0; chunk < CHUNKS; chunk++)
#pragma unroll
                        for (int j = 0; j < COLS; j++)
                            out[chunk][i][j] += weight * v_tile[l][chunk * tile_n + tx + j];
                }
            __syncthreads();
        }
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        //@HOLE row_values
        const IDX at_m = m_start + ty + i;
        if (at_m >= QUERIES) continue;
        //@IF row_stores
        if (c_start == 0 && tx == 0) {
            //@HOLE row_stores
        }
        //@END
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
