/* attention_mma.cu: softmax of scores[batch, m, n] along the keys n, times values[batch, n, c], on
 * tensor cores (Dao, "FlashAttention-2", 2023). A block has tile_m queries and sees the keys once,
 * tile_n at a time; a warp has 16 * pieces_m queries; if queries are few, warps split the keys of
 * each tile. Scores, weights and results stay in registers: the accumulators of one product are
 * the left operand of the next. Values arrive while scores are multiplied, and the next keys while
 * results are. Shifts are whole powers of 2, so corrections are exact, and seldom needed.
 *
 * Operands of f32 are rounded to tf32, or split into two numbers of bf16, where they are in shared
 * memory, by the threads that brought them; or split into two of tf32 in registers.
 *
 * Operands of halves that are computed, as from a quantised cache, are computed from copies of what
 * memory has, which arrive while the tile before is multiplied.
 *
 * `wide`: sizes and pointers allow 16 bytes at a time. Rows in shared memory are chunks of 16 bytes,
 * swizzled. */
#include "prelude.cuh"
#define HEAD template <bool wide> __device__ void alone(const bf16 *q, float *y)
#define IDX int
#define TO_IDX (int)
#define TO_INT (int)
#define QUERIES 70
#define KEYS 90
#define COLUMNS 20
#define MULTIPLY_SCORES mma_bf16
#define MULTIPLY_VALUES mma_bf16
#define PACK pack_bf16
#define SCORE score[i][j][part]
#define CLEAR_SCORE score[i][j][part]
#define SHIFT largest
#define LEAST_SHIFT 0
#define EXPONENT 1.0f
#define WEIGHT one_weight
#define IS_CLEAR true
#define VECTOR 2
#define THREADS 128
#define SETTLE round_rows
#define MULTIPLY_ROWS multiply_rows_bf16x3
#define MULTIPLY_COLUMNS multiply_columns_tf32
#define COPIES_AHEAD 0
#define RAW_SIZES
#define M_TILE grid_m - 1 - (int)(blockIdx.x % grid_m)
//@BEGIN
HEAD {
    //@HOLE SIZES
    constexpr int pieces_n = warp_n / 8, pieces_c = column_steps * 2;
    unsigned char *const shared = dynamic_shared;
    unsigned char *const q_slot = shared, *const k_slot = q_slot + tile_m * depth_bytes;
    unsigned char *const v_slot = k_slot + tile_n * depth_bytes;
    //@IF COPIES
    constexpr int tiles_bytes = tile_m * depth_bytes + tile_n * (depth_bytes + column_bytes)RAW_SIZES;
    //@END
    const unsigned thread = threadIdx.x, lane = thread % 32;
    const int warp = thread / 32, own_row = lane / 4, pair = lane % 4 * 2;
    const int m_warp = warp / warps_n * 16 * pieces_m, n_warp = warp % warps_n * warp_n;

    const int grid_m = TO_INT((QUERIES + tile_m - 1) / tile_m);
    const int grid_n = TO_INT((KEYS + tile_n - 1) / tile_n);
    //@HOLE ORDER
    const int m_tile = M_TILE; /* long rows first */
    //@HOLE AT_BATCH

    /* The first tile of keys from n_tile on that is not fully masked. */
    //@HOLE NEXT_TILE
    //@HOLE CLEAR_ROWS
    /* Here and below, addresses are computed where they are needed: registers do not hold them
     * all. */
    const auto fetch_keys = [&](int n_tile) {
        const unsigned thread = renewed(threadIdx.x);
        const IDX n_start = TO_IDX renewed(n_tile) * tile_n;
        //@HOLE FETCH_KEYS
    };
    const auto fetch_values = [&](int n_tile) {
        const unsigned thread = renewed(threadIdx.x);
        const IDX n_start = TO_IDX renewed(n_tile) * tile_n;
        //@HOLE FETCH_VALUES
    };
    //@IF COPIES
    /* What keys and values of a tile are computed from, to places of the threads that do it. */
    const auto copy = [&](int n_tile) {
        if (!wide) return;
        const unsigned thread = renewed(threadIdx.x);
        const IDX n_start = TO_IDX renewed(n_tile) * tile_n;
        //@HOLE COPIES
    };
    //@END

    float out[pieces_m][pieces_c][4] = {};
    float row_shift[pieces_m][2], row_sum[pieces_m][2]; /* -INFINITY: all keys so far are masked */
    //@IF KEEPS_MAX
    float row_max[pieces_m][2];
    //@END
#pragma unroll
    for (int i = 0; i < pieces_m; i++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            row_shift[i][half] = -INFINITY, row_sum[i][half] = 0;
            //@IF KEEPS_MAX
            row_max[i][half] = -INFINITY;
            //@END
        }

    const auto fetch_queries = [&]() {
        const IDX m_start = TO_IDX m_tile * tile_m;
        //@HOLE FETCH_QUERIES
    };
    int n_tile = next_tile(0);
    if (n_tile < grid_n) {
        fetch_queries();
        //@IF COPIES
        copy(n_tile);
        //@END
        //@IF BRINGS_KEYS
        fetch_keys(n_tile);
        //@END
    }
    cp_async_commit();
    //@IF SETTLES
    cp_async_wait<0>();
    if (n_tile < grid_n) SETTLE<depth_bytes, tile_m, THREADS>(q_slot, thread);
    //@END
#pragma unroll 1
    while (n_tile < grid_n) {
        //@HOLE AHEAD
        cp_async_wait<0>();
        //@IF COMPUTES_KEYS
        fetch_keys(n_tile);
        //@END
        //@IF SETTLES
        SETTLE<depth_bytes, tile_n, THREADS>(k_slot, renewed(thread));
        //@END
        __syncthreads(); /* the keys have arrived; no warp still reads the previous values */
        fetch_values(n_tile);
        //@IF BRINGS_VALUES
        cp_async_commit();
        //@END
        //@IF COPIES
        const int n_next = next_tile(n_tile + 1);
        if (n_next < grid_n) copy(n_next);
        cp_async_commit();
        //@END

        const unsigned here = renewed(lane);
        float score[pieces_m][pieces_n][4] = {};
        //@IF SPLIT
        MULTIPLY_ROWS<depth_steps, depth_bytes>(score, q_slot, m_warp, k_slot, n_warp, here);
        //@END
        //@IF WHOLE
#pragma unroll
        for (int step = 0; step < depth_steps; step++) {
            unsigned a[pieces_m][4];
#pragma unroll
            for (int i = 0; i < pieces_m; i++)
                ldmatrix_x4(a[i][0], a[i][1], a[i][2], a[i][3],
                            q_slot + swizzled<depth_bytes>(m_warp + 16 * i + here % 16,
                                                           2 * step + here / 16));
#pragma unroll
            for (int j = 0; j < pieces_n; j += 2) {
                unsigned b[2][2];
                ldmatrix_x4(b[0][0], b[0][1], b[1][0], b[1][1],
                            k_slot +
                                swizzled<depth_bytes>(n_warp + 8 * j + here / 16 * 8 + here % 8,
                                                      2 * step + here / 8 % 2));
#pragma unroll
                for (int i = 0; i < pieces_m; i++) {
                    MULTIPLY_SCORES(score[i][j], a[i], b[0]);
                    MULTIPLY_SCORES(score[i][j + 1], a[i], b[1]);
                }
            }
        }
        //@END

        //@IF BRINGS_VALUES
        cp_async_wait<COPIES_AHEAD>();
        //@END
        //@IF SETTLES
        SETTLE<column_bytes, tile_n, THREADS>(v_slot, renewed(thread));
        //@END
        __syncthreads(); /* the values have arrived; no warp still reads the keys */
        //@IF BRINGS_ALL
        const int n_next = next_tile(n_tile + 1);
        //@END
        //@IF BRINGS_KEYS
        if (n_next < grid_n) fetch_keys(n_next);
        cp_async_commit();
        //@END

        //@HOLE CLEAR_AT_TILE
        //@IF CHANGES_ALL
#pragma unroll
        for (int i = 0; i < pieces_m; i++)
#pragma unroll
            for (int j = 0; j < pieces_n; j++)
#pragma unroll
                for (int part = 0; part < 4; part++) {
                    //@HOLE CLEAR_AT
                    //@HOLE CLEAR_LINES
                    score[i][j][part] = CLEAR_SCORE;
                }
        //@END
        //@IF IS_CLEAR
        const bool is_clear = IS_CLEAR;
        //@IF CHANGES_CLEAR
        if (is_clear) {
#pragma unroll
            for (int i = 0; i < pieces_m; i++)
#pragma unroll
                for (int j = 0; j < pieces_n; j++)
#pragma unroll
                    for (int part = 0; part < 4; part++) {
                        //@HOLE CLEAR_AT
                        //@HOLE CLEAR_LINES
                        score[i][j][part] = CLEAR_SCORE;
                    }
        }
        //@END
        if (!is_clear) {
            //@IF RAGGED_KEYS
            /* The number of keys left, counted from the first one of this thread. */
            const int keys = TO_INT(KEYS - n_start) - n_warp - pair;
            //@END
#pragma unroll
            for (int i = 0; i < pieces_m; i++)
#pragma unroll
                for (int j = 0; j < pieces_n; j++)
#pragma unroll
                    for (int part = 0; part < 4; part++) {
                        //@HOLE SCORE_AT
                        //@HOLE SCORE_LINES
                        //@IF WHOLE_KEYS
                        score[i][j][part] = SCORE;
                        //@END
                        //@IF RAGGED_KEYS
                        const float of_key = SCORE;
                        score[i][j][part] = 8 * j + part % 2 < keys ? of_key : -INFINITY;
                        //@END
                    }
        }
        //@END

        //@IF IN_HALVES
        unsigned weight[pieces_m][pieces_n][2]; /* two of a row */
        //@END
#pragma unroll
        for (int i = 0; i < pieces_m; i++) {
            float by[2]; /* the factors that rescale the sums so far */
#pragma unroll
            for (int half = 0; half < 2; half++) {
                float largest = -INFINITY;
#pragma unroll
                for (int j = 0; j < pieces_n; j++)
                    largest = max_nan(
                        largest, max_nan(score[i][j][2 * half], score[i][j][2 * half + 1]));
                largest = warp_reduce<Max, 4>(largest);
                //@HOLE SHIFT_LINES
                //@IF KEEPS_MAX
                row_max[i][half] = max_nan(row_max[i][half], largest);
                //@END
                const float moved = max_nan(row_shift[i][half], SHIFT);
                const float shift = moved < LEAST_SHIFT ? 0 : moved;
                by[half] = exp2_approx(row_shift[i][half] - shift);
                row_shift[i][half] = moved;
                row_sum[i][half] *= by[half];
#pragma unroll
                for (int j = 0; j < pieces_n; j++) {
                    float two[2];
#pragma unroll
                    for (int part = 0; part < 2; part++) {
                        const float one_score = score[i][j][2 * half + part];
                        //@HOLE EXPONENT_LINES
                        const float one_weight = exp2_approx(EXPONENT);
                        row_sum[i][half] += one_weight;
                        //@HOLE WEIGHT_AT
                        //@HOLE WEIGHT_LINES
                        two[part] = WEIGHT;
                    }
                    //@IF IN_HALVES
                    weight[i][j][half] = PACK(two[0], two[1]);
                    //@END
                    //@IF IN_F32
                    score[i][j][2 * half] = two[0], score[i][j][2 * half + 1] = two[1];
                    //@END
                }
            }
            if (__any_sync(0xffffffff, by[0] != 1 || by[1] != 1)) {
#pragma unroll
                for (int piece = 0; piece < pieces_c; piece++)
#pragma unroll
                    for (int part = 0; part < 4; part++) out[i][piece][part] *= by[part / 2];
            }
        }
        //@IF IN_F32
        MULTIPLY_COLUMNS<column_bytes>(out, score, v_slot, n_warp, here);
        //@END
        //@IF IN_HALVES
#pragma unroll
        for (int step = 0; step < warp_n / 16; step++) {
            unsigned a[pieces_m][4];
#pragma unroll
            for (int i = 0; i < pieces_m; i++)
#pragma unroll
                for (int part = 0; part < 4; part++)
                    a[i][part] = weight[i][2 * step + part / 2][part % 2];
#pragma unroll
            for (int piece = 0; piece < pieces_c; piece += 2) {
                unsigned b[2][2];
                ldmatrix_x4_trans(b[0][0], b[0][1], b[1][0], b[1][1],
                                  v_slot + swizzled<column_bytes>(n_warp + 16 * step + here % 16,
                                                                  piece + here / 16));
#pragma unroll
                for (int i = 0; i < pieces_m; i++) {
                    MULTIPLY_VALUES(out[i][piece], a[i], b[0]);
                    MULTIPLY_VALUES(out[i][piece + 1], a[i], b[1]);
                }
            }
        }
        //@END
        n_tile = n_next;
    }

    //@IF SHARES_KEYS
    /* Warps with the same queries merge their results of different keys, lane by lane; each warp
     * merges some of the columns. */
    constexpr int row_values = 3, lane_values = pieces_m * (2 * row_values + 4 * pieces_c);
    const int sharer = warp % warps_n, first_sharer = warp - sharer;
    const auto row_at = [&](int n, int i, int half) {
        return (float *)shared +
               ((first_sharer + n) * lane_values + row_values * (2 * i + half)) * 32 + lane;
    };
    const auto out_at = [&](int n, int i, int piece) {
        return row_at(n, pieces_m, 0) + (i * pieces_c + piece) * 4 * 32;
    };
    __syncthreads(); /* no warp still reads the tiles */
#pragma unroll
    for (int i = 0; i < pieces_m; i++) {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            float *const own = row_at(sharer, i, half);
            own[0] = row_shift[i][half], own[32] = row_sum[i][half];
            //@IF KEEPS_MAX
            own[64] = row_max[i][half];
            //@END
        }
#pragma unroll
        for (int piece = 0; piece < pieces_c; piece++)
#pragma unroll
            for (int part = 0; part < 4; part++)
                out_at(sharer, i, piece)[32 * part] = out[i][piece][part];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < pieces_m; i++) {
        float by[warps_n][2];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            float moved = -INFINITY;
#pragma unroll
            for (int n = 0; n < warps_n; n++) moved = max_nan(moved, row_at(n, i, half)[0]);
            const float shift = moved == -INFINITY ? 0 : moved;
            row_sum[i][half] = 0;
#pragma unroll
            for (int n = 0; n < warps_n; n++) {
                by[n][half] = exp2_approx(row_at(n, i, half)[0] - shift);
                row_sum[i][half] += row_at(n, i, half)[32] * by[n][half];
                //@IF KEEPS_MAX
                row_max[i][half] = max_nan(row_max[i][half], row_at(n, i, half)[64]);
                //@END
            }
        }
#pragma unroll
        for (int piece = 0; piece < pieces_c; piece++) {
            if (piece % warps_n != sharer) continue;
#pragma unroll
            for (int part = 0; part < 4; part++) {
                out[i][piece][part] = 0;
#pragma unroll
                for (int n = 0; n < warps_n; n++)
                    out[i][piece][part] += out_at(n, i, piece)[32 * part] * by[n][part / 2];
            }
        }
    }
    //@END
#pragma unroll
    for (int i = 0; i < pieces_m; i++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            //@HOLE ROW_VALUES
            const IDX at_m = TO_IDX m_tile * tile_m + m_warp + 16 * i + 8 * half + own_row;
            if (at_m >= QUERIES) continue;
            //@IF ROW_STORES
            if (lane % 4 == 0 && n_warp == 0) {
                //@HOLE ROW_STORES
            }
            //@END
#pragma unroll
            for (int piece = 0; piece < pieces_c; piece++) {
                //@IF SHARES_KEYS
                if (piece % warps_n != sharer) continue;
                //@END
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
