/* chain_mma.cu: sums over n of weights[batch, m, n] times values[batch, n, c] on tensor cores,
 * where weights are functions of scores[batch, m, n], the products of the row with all n: the
 * backward of attention (Dao, "FlashAttention-2", 2023). A block has tile_m rows and walks along
 * n, tile_n at a time; a warp has 16 * pieces_m rows. Scores, weights and results stay in
 * registers: the accumulators of one product are the left operand of the next. The next tile is
 * loaded while one is multiplied.
 *
 * Operands of f32 are rounded to tf32, or split into two numbers of bf16, where they are in shared
 * memory, by the threads that brought them.
 *
 * `wide`: sizes and pointers allow 16 bytes at a time. Rows in shared memory are chunks of 16 bytes,
 * swizzled. */
#include "prelude.cuh"
#define HEAD template <bool wide> __device__ void alone(const bf16 *q, float *y)
#define IDX int
#define TO_IDX (int)
#define TO_INT (int)
#define ROWS_M 70
#define COUNT_N 90
#define COLUMNS 20
#define SCORES 1
#define OUTS 1
#define M_TILE grid_m - 1 - (int)(blockIdx.x % grid_m)
#define VECTOR 2
#define WEIGHT_TYPE unsigned
#define WEIGHT_WORDS 2
//@BEGIN
HEAD {
    //@HOLE SIZES
    constexpr int pieces_n = tile_n / 8, pieces_c = column_steps * 2;
    unsigned char *const shared = dynamic_shared;
    unsigned char *const left = shared, *const right = left + left_bytes;
    //@IF ACROSS
    unsigned char *const weights = right + 2 * stage_bytes;
    //@END
    const unsigned thread = threadIdx.x, lane = thread % 32;
    const int warp = thread / 32, own_row = lane / 4, pair = lane % 4 * 2;
    const int m_warp = warp * 16 * pieces_m;

    const int grid_m = TO_INT((ROWS_M + tile_m - 1) / tile_m);
    const int grid_n = TO_INT((COUNT_N + tile_n - 1) / tile_n);
    //@HOLE ORDER
    const int m_tile = M_TILE; /* long rows first */
    //@HOLE AT_BATCH

    /* The first tile from n_tile on that is not fully masked. */
    //@HOLE NEXT_TILE
    /* Here and below, addresses are computed where they are needed: registers do not hold them
     * all. */
    const auto fetch_right = [&](int n_tile, int stage) {
        const unsigned thread = renewed(threadIdx.x);
        const IDX n_start = TO_IDX renewed(n_tile) * tile_n;
        unsigned char *const slots = right + stage * stage_bytes;
        //@HOLE FETCH_RIGHT
    };
    const auto fetch_left = [&]() {
        const IDX m_start = TO_IDX m_tile * tile_m;
        //@HOLE FETCH_LEFT
    };

    //@IF APPROXIMATE
    /* Weights are rounded to few bits. */
    [[maybe_unused]] const auto exp = [](float x) { return exp2_approx(x * 1.4426950f); };
    //@END
    float out[OUTS][pieces_m][pieces_c][4] = {};
    int n_tile = next_tile(0), stage = 0;
    if (n_tile < grid_n) {
        fetch_left();
        fetch_right(n_tile, 0);
    }
    cp_async_commit();
    //@IF SETTLES
    cp_async_wait<0>();
    if (n_tile < grid_n) {
        //@HOLE SETTLE_LEFT
    }
    //@END
#pragma unroll 1
    while (n_tile < grid_n) {
        unsigned char *const slots = right + stage * stage_bytes;
        cp_async_wait<0>();
        //@IF SETTLES
        //@HOLE SETTLE_RIGHT
        //@END
        __syncthreads(); /* the tile has arrived; no warp still reads the previous one */
        const int n_next = next_tile(n_tile + 1);
        if (n_next < grid_n) fetch_right(n_next, stage ^ 1);
        cp_async_commit();

        const unsigned here = renewed(lane);
        float score[SCORES][pieces_m][pieces_n][4] = {};
        //@HOLE MULTIPLY_SCORES

        WEIGHT_TYPE weight[OUTS][pieces_m][pieces_n][WEIGHT_WORDS]; /* pairs of a row, or floats */
        //@HOLE AT_TILE
#pragma unroll
        for (int i = 0; i < pieces_m; i++)
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int j = 0; j < pieces_n; j++) {
                    float two[OUTS][2];
#pragma unroll
                    for (int part = 0; part < 2; part++) {
                        //@HOLE WEIGHT_AT
                        //@HOLE WEIGHTS
                    }
                    //@HOLE PACK_WEIGHTS
                }
        //@HOLE ADD_ACROSS
        //@HOLE MULTIPLY_WEIGHTS
        n_tile = n_next;
        stage ^= 1;
    }
#pragma unroll
    for (int i = 0; i < pieces_m; i++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const IDX at_m = TO_IDX m_tile * tile_m + m_warp + 16 * i + 8 * half + own_row;
            if (at_m >= ROWS_M) continue;
#pragma unroll
            for (int piece = 0; piece < pieces_c; piece++) {
                constexpr int VEC = wide ? VECTOR : 1;
#pragma unroll
                for (int part = 0; part < 2; part += VEC) {
                    const IDX at_c = 8 * piece + pair + part;
                    //@IF IS_PARTIAL
                    if (at_c >= COLUMNS) continue;
                    //@END
                    //@HOLE STORES
                }
            }
        }
}
