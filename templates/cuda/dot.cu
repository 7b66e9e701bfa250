/* dot.cu: c[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k], for COUNT operands b
 * that share a, one fused multiply-add at a time. A block of THREADS_M x THREADS_N threads
 * computes tile_m x tile_n elements of each product from tiles of DEPTH in k: while it multiplies
 * one from shared memory, the next is loaded and evaluated into registers. A thread has ROWS x
 * COLS elements of each product, in groups of 16 bytes; along each side, the groups of its threads
 * are interleaved. Integers are summed unsigned, which wraps.
 *
 * `wide`: sizes and pointers allow 16-byte loads of all operands. The first step along k takes the
 * FIRST elements that whole steps leave: the main loop has no tests. */
#include "prelude.cuh"
#define HEAD template <bool wide> __device__ void alone()
#define IDX int
#define SUM float
#define DOT_M 10
#define DOT_N 10
#define DOT_K 10
#define COUNT 1
#define THREADS 256
#define THREADS_M 16
#define THREADS_N 16
#define DEPTH 16
#define ROWS 8
#define COLS 8
#define A_ITEMS 8
#define B_ITEMS 8
#define ROW_THREADS 16
#define FIRST (DOT_K - 1) % DEPTH + 1
#define FETCH_STEP IDX k_start, bool whole
#define FETCH_FIRST 0, false
#define FETCH_NEXT k_start, true
#define KEEP_STEP int slot, bool whole
#define KEEP_FIRST 0, false
#define KEEP_NEXT slot, true
#define AT_M valid ? from + own * group_m : DOT_M - 1
//@BEGIN
HEAD {
    constexpr int tile_m = THREADS_M * ROWS, tile_n = THREADS_N * COLS, pack = 16 / sizeof(SUM);
    constexpr int group_m = ROWS < pack ? ROWS : pack, group_n = COLS < pack ? COLS : pack;
    auto &a_tile = *(SUM(*)[2][DEPTH][tile_m + 4])dynamic_shared;
    auto &b_tile = *(SUM(*)[2][COUNT][DEPTH][tile_n + 4])(dynamic_shared + sizeof a_tile);
    const int thread = threadIdx.x, tx = thread % THREADS_N * group_n, ty = thread / THREADS_N * group_m;
    const IDX tiles_n = (DOT_N + tile_n - 1) / tile_n, tiles_m = (DOT_M + tile_m - 1) / tile_m;
    const IDX n_start = (IDX)blockIdx.x % tiles_n * tile_n;
    const IDX m_start = (IDX)blockIdx.x / tiles_n % tiles_m * tile_m;
    //@HOLE AT_BATCH
    SUM a_part[A_ITEMS], b_part[COUNT][B_ITEMS], sum[COUNT][ROWS][COLS] = {};

    const int first = FIRST;
    //@HOLE START
    /* Evaluates a tile into registers. */
    const auto fetch = [&](FETCH_STEP) {
        //@HOLE FETCH
    };
    /* Stores it to shared memory. */
    const auto keep = [&](KEEP_STEP) {
        //@HOLE KEEP
    };
    const auto multiply = [&](int slot) {
#pragma unroll
        for (int l = 0; l < DEPTH; l++) {
            Pack<SUM, group_m> a[ROWS / group_m];
#pragma unroll
            for (int i = 0; i < ROWS / group_m; i++)
                a[i] = load_pack<group_m>(&a_tile[slot][l][i * THREADS_M * group_m + ty]);
#pragma unroll
            for (int c = 0; c < COUNT; c++)
#pragma unroll
                for (int j = 0; j < COLS / group_n; j++) {
                    const auto b = load_pack<group_n>(&b_tile[slot][c][l][j * THREADS_N * group_n + tx]);
#pragma unroll
                    for (int i = 0; i < ROWS; i++)
#pragma unroll
                        for (int n = 0; n < group_n; n++)
                            sum[c][i][j * group_n + n] += a[i / group_m].at[i % group_m] * b.at[n];
                }
        }
    };

    fetch(FETCH_FIRST);
    keep(KEEP_FIRST);
    __syncthreads();
    int slot = 0;
#pragma unroll 1
    for (IDX k_start = first;; k_start += DEPTH) {
        const bool is_last = k_start >= DOT_K;
        if (!is_last) fetch(FETCH_NEXT);
        multiply(slot);
        if (is_last) break;
        slot ^= 1;
        keep(KEEP_NEXT);
        __syncthreads();
    }

    //@IF IF_ROWS
    /* Results go through shared memory, THREADS_M rows at a time; a warp, or a part of one, takes a
     * row. */
    constexpr int pitch = COUNT * (tile_n + 4);
    SUM *const strip = &b_tile[0][0][0][0];
    __syncthreads();
#pragma unroll 1
    for (int piece = 0; piece < ROWS; piece++) {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (i == piece)
#pragma unroll
                for (int c = 0; c < COUNT; c++)
#pragma unroll
                    for (int j = 0; j < COLS; j++)
                        strip[thread / THREADS_N * pitch + c * tile_n + j / group_n * (THREADS_N * group_n) + tx +
                              j % group_n] = sum[c][i][j];
        __syncthreads();
#pragma unroll 1
        for (int own = thread / ROW_THREADS; own < THREADS_M; own += THREADS / ROW_THREADS) {
            const int lane = thread % ROW_THREADS;
            const SUM *const row_sums = strip + own * pitch;
            const IDX from = m_start + piece / group_m * (THREADS_M * group_m) + piece % group_m;
            //@IF IF_RAGGED
            const bool valid = from + own * group_m < DOT_M; /* else: the last row, not stored */
            //@END
            const IDX at_m = AT_M;
            //@HOLE ROW
        }
        __syncthreads();
    }
    //@END
    //@IF IF_ELEMENTS
    //@HOLE RESULTS_START
#pragma unroll 1
    for (int row = 0; row < ROWS; row++) {
        SUM row_sums[COUNT][COLS];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (i == row)
#pragma unroll
                for (int j = 0; j < COUNT * COLS; j++)
                    row_sums[j / COLS][j % COLS] = sum[j / COLS][i][j % COLS];
        const IDX at_m = m_start + row / group_m * (THREADS_M * group_m) + ty + row % group_m;
        if (at_m >= DOT_M) continue;
        //@HOLE RESULTS
    }
    //@END
}
