/* chain.cu: sums over n of weights[batch, m, n] times values[batch, n, c], where weights are
 * functions of scores[batch, m, n], the products of the row with all n: the backward of attention.
 * A block walks along n, TILE_N at a time, for TILE_M rows; a thread has ROWS x COLS of each score,
 * and ROWS x RESULTS of each result. Where a thread has no registers for all of the scores, it has
 * one, and WAITING others wait in the tiles of the weights. While a step of operands is multiplied
 * from shared memory, the next is evaluated into registers, and goes to the other slot, as in
 * attention.cu. If their depths are known, all of the left operands stay in shared memory. One fused
 * multiply-add at a time: for types without tensor cores, and sizes that they do not take. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define TO_IDX (int)
#define TO_INT (int)
#define ROWS_M 70
#define COUNT_N 90
#define COLUMNS 20
#define TILE_M 64
#define TILE_N 64
#define STEP 16
#define ROWS 4
#define COLS 4
#define THREADS_M 16
#define THREADS_N 16
#define RESULTS 4
#define Q_ITEMS 4
#define LEFT_ROWS 32
#define KV_ITEMS 4
#define FIRST (void)0
#define WIDTH 64
#define BLOCK (IDX)blockIdx.x
#define M_TILE (grid_m - 1 - (IDX)blockIdx.x / grid_c % grid_m)
#define OUTS 1
#define SCORES 1
#define TILES 1
#define WAITING 1
#define STORED 1
__device__ int next_tile(int n_tile) { return n_tile; }
//@BEGIN
HEAD {
    constexpr int tile_m = TILE_M, tile_n = TILE_N, width = WIDTH;
    constexpr int pitch_m = tile_m + 4, pitch_n = (tile_n > width ? tile_n : width) + 4;
    unsigned char *const shared = dynamic_shared;
    float (*const left_tile)[pitch_m] = (float (*)[pitch_m])shared;
    float (*const weight_tile)[pitch_m] = left_tile + LEFT_ROWS;
    float (*const right_tiles)[pitch_n] = (float (*)[pitch_n])(weight_tile + TILES * tile_n);
    /* A warp has 4 x 8 threads. Lanes 2 apart share a row, and those 1 apart a column: then half a
     * warp loads its packs of 16 bytes at once. */
    const int thread = threadIdx.x, warp = thread / 32;
    const int tx = warp % (THREADS_N / 8) * 8 + thread / 2 % 8;
    const int ty = warp / (THREADS_N / 8) * 4 + thread / 16 % 2 * 2 + thread % 2;
    const auto row_of = [&](int i) { return element_of<ROWS, THREADS_M>(ty, i); };
    const auto n_of = [&](int j) { return element_of<COLS, THREADS_N>(tx, j); };
    const auto column_of = [&](int j) { return element_of<RESULTS, THREADS_N>(tx, j); };
    const IDX grid_c = (COLUMNS + width - 1) / width;
    [[maybe_unused]] const IDX grid_m = (ROWS_M + tile_m - 1) / tile_m;
    //@HOLE ORDER
    const IDX c_start = BLOCK % grid_c * width;
    /* If a mask leaves more to some rows than to others, those with the most start first. */
    const IDX m_start = M_TILE * tile_m;
    //@IF M_LAST
    const IDX m_last = m_start + tile_m - 1 < ROWS_M ? m_start + tile_m - 1 : ROWS_M - 1;
    //@END
    //@HOLE at_batch
    float out[OUTS][ROWS][RESULTS] = {};
    //@IF PACKS
    constexpr int VEC = 4;
    //@END
    /* The next step of operands. */
    float left_part[Q_ITEMS], right_part[KV_ITEMS];
    //@HOLE fetches

    const int grid_n = TO_INT((COUNT_N + tile_n - 1) / tile_n);
    /* The first tile from n_tile on that is not fully masked. */
    //@HOLE NEXT_TILE
    int n_tile = next_tile(0), slot = 0;
    if (n_tile < grid_n) {
        FIRST;
        //@HOLE load_left
    }
    while (n_tile < grid_n) {
        const IDX n_start = TO_IDX n_tile * tile_n;
        const IDX n_last = n_start + tile_n - 1 < COUNT_N ? n_start + tile_n - 1 : COUNT_N - 1;
        n_tile = next_tile(n_tile + 1);
        float score[SCORES][ROWS][COLS] = {};
        //@HOLE scores
//@IF HELD
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            //@HOLE at_row
#pragma unroll
            for (int j = 0; j < COLS; j++) {
                //@HOLE at_n
                [[maybe_unused]] const bool is_inside = n_start + n_of(j) < COUNT_N;
                //@HOLE weights
            }
        }
//@END
//@IF WAITS
        constexpr int group = group_of(ROWS);
#pragma unroll
        for (int j = 0; j < COLS; j++) {
            //@HOLE at_n
            [[maybe_unused]] const bool is_inside = n_start + n_of(j) < COUNT_N;
#pragma unroll
            for (int from = 0; from < ROWS; from += group) {
                Pack<float, group> waiting[TILES];
                const auto place = [&](int tile) {
                    return &weight_tile[tile * tile_n + n_of(j)][row_of(from)];
                };
#pragma unroll
                for (int tile = 0; tile < WAITING; tile++)
                    waiting[tile] = load_pack<group>(place(tile));
#pragma unroll
                for (int l = 0; l < group; l++) {
                    const int i = from + l;
                    //@HOLE at_row
                    //@HOLE weights
                }
#pragma unroll
                for (int tile = 0; tile < STORED; tile++)
                    store_pack(place(tile), waiting[tile]);
            }
        }
//@END
        //@HOLE results
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const IDX at_m = m_start + row_of(i);
        //@IF RAGGED_M
        if (at_m >= ROWS_M) continue;
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
