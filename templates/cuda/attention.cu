/* attention.cu: softmax of scores[batch, m, n] along the keys n, times values[batch, n, c]: the
 * scores are products of queries and keys, and a block sees the keys once, TILE_N at a time, for
 * TILE_M queries (Dao, "FlashAttention-2", 2023). A thread has ROWS x COLS scores, and ROWS x
 * RESULTS results. While a step of operands is multiplied from shared memory, the next is evaluated
 * into registers, and goes to the other slot; its loads are before the barrier, behind which ptxas
 * moves them after the products. If their depth is known, all of the queries stay in shared memory.
 * Shifts are whole powers of 2, so corrections are exact. One fused multiply-add at a time: for
 * types without tensor cores, and sizes that they do not take. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define TO_IDX (int)
#define TO_INT (int)
#define QUERIES 70
#define KEYS 90
#define DEPTH 10
#define COLUMNS 20
#define TILE_M 64
#define TILE_N 64
#define STEP 16
#define PRODUCTS_OF_SCORES Products<STEP, THREADS_M, THREADS_N, ROWS, COLS>
#define PRODUCTS_OF_RESULTS Products<STEP, THREADS_M, THREADS_N, ROWS, RESULTS>
#define ROWS 4
#define COLS 4
#define THREADS_M 16
#define THREADS_N 16
#define RESULTS 4
#define Q_ITEMS 4
#define LEFT_ROWS 32
#define Q_STEP q_tile
#define KV_ITEMS 4
#define SHIFT largest
#define LEAST_MAX 0
#define EXPONENT 1.0f
#define SCORE score[i][j]
#define WIDTH 64
#define BLOCK (IDX)blockIdx.x
#define M_TILE (grid_m - 1 - (IDX)blockIdx.x / grid_c % grid_m)
#define WEIGHT 1.0f
__device__ int next_tile(int n_tile) { return n_tile; }
//@BEGIN
HEAD {
    constexpr int tile_m = TILE_M, tile_n = TILE_N, width = WIDTH;
    constexpr int pitch_m = tile_m + 4, pitch_n = (tile_n > width ? tile_n : width) + 4;
    unsigned char *const shared = dynamic_shared;
    float (*const q_tile)[pitch_m] = (float (*)[pitch_m])shared;
    float (*const weight_tile)[pitch_m] = q_tile + LEFT_ROWS;
    float (*const kv_tiles)[pitch_n] = (float (*)[pitch_n])(weight_tile + tile_n);
    const int thread = threadIdx.x, tx = thread % THREADS_N, ty = thread / THREADS_N;
    const auto query_of = [&](int i) { return element_of<ROWS, THREADS_M>(ty, i); };
    [[maybe_unused]] const auto key_of = [&](int j) { return element_of<COLS, THREADS_N>(tx, j); };
    const auto column_of = [&](int j) { return element_of<RESULTS, THREADS_N>(tx, j); };
    const IDX grid_c = (COLUMNS + width - 1) / width;
    [[maybe_unused]] const IDX grid_m = (QUERIES + tile_m - 1) / tile_m;
    //@HOLE ORDER
    const IDX c_start = BLOCK % grid_c * width;
    /* If a mask leaves some queries more keys than others, those with the most start first. */
    const IDX m_start = M_TILE * tile_m;
    //@IF M_LAST
    const IDX m_last = m_start + tile_m - 1 < QUERIES ? m_start + tile_m - 1 : QUERIES - 1;
    //@END
    //@HOLE at_batch
    float out[ROWS][RESULTS] = {}, row_max[ROWS], row_sum[ROWS];
#pragma unroll
    for (int i = 0; i < ROWS; i++) row_max[i] = -INFINITY, row_sum[i] = 0;
    const auto shift_of = [&](float largest) {
        //@HOLE shift_lines
        return SHIFT;
    };

    //@IF PACKS
    constexpr int VEC = 4;
    //@END
    /* The next step of operands. */
    float q_part[Q_ITEMS], kv_part[KV_ITEMS];
    const auto fetch_qk = [&](IDX n_start, IDX k_start) {
        //@IF BY_STEPS
        //@HOLE load_q
        //@END
        //@HOLE load_k
    };
    const auto fetch_v = [&](IDX k_start) {
        //@HOLE load_v
    };

    const int grid_n = TO_INT((KEYS + tile_n - 1) / tile_n);
    /* The first tile of keys from n_tile on that is not fully masked. */
    //@HOLE NEXT_TILE
    int n_tile = next_tile(0), slot = 0;
    if (n_tile < grid_n) {
        fetch_qk(TO_IDX n_tile * tile_n, 0);
        //@IF WHOLE_DEPTH
#pragma unroll 1
        for (IDX k_start = 0; k_start < DEPTH; k_start += STEP) {
            float (*const q_step)[pitch_m] = q_tile + k_start;
            //@HOLE load_q
            //@HOLE keep_q
        }
        //@END
    }
    while (n_tile < grid_n) {
        const IDX n_start = TO_IDX n_tile * tile_n;
        const IDX n_last = n_start + tile_n - 1 < KEYS ? n_start + tile_n - 1 : KEYS - 1;
        n_tile = next_tile(n_tile + 1);
        float score[ROWS][COLS] = {};
        PRODUCTS_OF_SCORES scores;
#pragma unroll 1
        for (IDX k_start = 0; k_start < DEPTH; k_start += STEP) {
            float (*const q_step)[pitch_m] = Q_STEP;
            float (*const kv_tile)[pitch_n] = kv_tiles + slot;
            slot ^= STEP;
            //@IF BY_STEPS
            //@HOLE keep_q
            //@END
            //@HOLE keep_k
            if (k_start + STEP < DEPTH) fetch_qk(n_start, k_start + STEP);
            else fetch_v(n_start);
            __syncthreads();
            scores.step(score, q_step, kv_tile, ty, tx);
        }
        scores.finish(score);
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            //@HOLE at_query
            float largest = row_max[i];
#pragma unroll
            for (int j = 0; j < COLS; j++) {
                //@HOLE at_key
                //@HOLE score_lines
                //@IF WHOLE_N
                score[i][j] = SCORE;
                //@END
                //@IF RAGGED_N
                const float of_key = SCORE;
                score[i][j] = n_start + key_of(j) < KEYS ? of_key : -INFINITY;
                //@END
                largest = max_nan(largest, score[i][j]);
            }
            largest = warp_reduce<Max, THREADS_N>(largest);
            const float shift = shift_of(largest);
            const float by = row_max[i] < LEAST_MAX ? 0 : exp2(shift_of(row_max[i]) - shift);
            row_max[i] = largest;
            row_sum[i] *= by;
#pragma unroll
            for (int j = 0; j < RESULTS; j++) out[i][j] *= by;
#pragma unroll
            for (int j = 0; j < COLS; j++) {
                const float one_score = score[i][j];
                //@HOLE exponent_lines
                const float one_weight = exp2(EXPONENT);
                row_sum[i] += one_weight;
                //@HOLE weight_at_key
                //@HOLE weight_lines
                score[i][j] = WEIGHT;
            }
        }
        store_transposed<THREADS_M, THREADS_N>(weight_tile, score, ty, tx);
        PRODUCTS_OF_RESULTS results;
#pragma unroll 1
        for (IDX k_start = n_start; k_start <= n_last; k_start += STEP) {
            float (*const kv_tile)[pitch_n] = kv_tiles + slot;
            slot ^= STEP;
            //@HOLE keep_v
            if (k_start + STEP <= n_last) fetch_v(k_start + STEP);
            else if (n_tile < grid_n) fetch_qk(TO_IDX n_tile * tile_n, 0);
            __syncthreads();
            results.step(out, weight_tile + TO_INT(k_start - n_start), kv_tile, ty, tx);
        }
        results.finish(out);
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        //@HOLE row_values
        const IDX at_m = m_start + query_of(i);
        //@IF RAGGED_M
        if (at_m >= QUERIES) continue;
        //@END
        //@IF row_stores
        if (c_start == 0 && tx == 0) {
            //@HOLE row_stores
        }
        //@END
#pragma unroll
        for (int j = 0; j < RESULTS; j++) {
            const IDX at_c = c_start + column_of(j);
            //@IF RAGGED_COLUMNS
            if (at_c >= COLUMNS) continue;
            //@END
            //@HOLE stores
        }
    }
}
