/* attention_wgmma.cu: warp-specialised attention for sm_90a (Shah et al., "FlashAttention-3",
 * 2024): softmax of scores[batch, m, n] along the keys n, times values[batch, n, c]. A persistent
 * block computes one tile of tile_m queries after another. Its first warpgroup is the producer: it
 * loads tiles of tile_n keys and values into `stages` stages each, and the 64 queries of each
 * consumer warpgroup into `query_stages`, of which there are more than consumers where there is
 * room. Scores, weights and results stay in a consumer's registers, and the accumulators of the
 * first product are the left operand of the second. Each stage has two mbarriers: `full` completes
 * when its tile has arrived, `empty` when it has been multiplied.
 *
 * The scores of the next keys are multiplied before the values of these; AHEAD: also those of the
 * next tile of queries before the last values of this one, so that its results are stored
 * meanwhile. PING_PONG: consumers take turns, one multiplies during the softmax of another.
 * Shifts are whole powers of 2, so corrections are exact, and seldom needed.
 *
 * `wide`: sizes and pointers allow 16-byte accesses: one lane of the first producer warp issues TMA
 * loads. Otherwise the whole producer warpgroup copies elements. A tile is stored as panels of 64
 * columns: rows of 128 bytes with the 128-byte swizzle that TMA and wgmma share. */
#include "prelude.cuh"
#define HEAD template <class> __global__ void alone(const bf16 *q, float *y)
#define IS_WIDE is_aligned(q, 16)
#define IDX int
#define TO_IDX (int)
#define TO_INT (int)
#define QUERIES 70
#define KEYS 90
#define COLUMNS 20
#define MULTIPLY_SCORES multiply_scores
#define MULTIPLY_VALUES multiply_values
#define PACK pack_bf16
#define PRODUCER_REGISTERS 24
#define CONSUMER_REGISTERS 240
#define ALL_TILES grid_m
#define SCORE score[4 * j + part]
#define CLEAR_SCORE score[4 * j + part]
#define SHIFT largest
#define LEAST_SHIFT 0
#define EXPONENT 1.0f
#define WEIGHT one_weight
#define IS_CLEAR true
#define KEY_AT n_start
#define VECTOR 2
#define PIECE 8
#define PARTS 2
#define AT_LANE pair
#define Q_ROWS q_rows
#define WARP warp_uniform
__device__ void multiply_scores(float (&sum)[32], unsigned long long a, unsigned long long b);
__device__ void multiply_values(float (&sum)[32], const unsigned (&a)[16], unsigned long long b);
//@BEGIN
HEAD {
    const bool wide = IS_WIDE;
    //@HOLE SIZES
    constexpr int warps = 4 * consumers;
    extern __shared__ __align__(1024) unsigned char shared_slots[];
    unsigned char *const slots = renewed_pointer(shared_slots); /* so that it stays in a register */
    unsigned char *const q_slots = slots, *const k_slots = q_slots + query_stages * q_bytes;
    unsigned char *const v_slots = k_slots + stages * k_bytes;
    Mbarrier *const q_full = (Mbarrier *)(v_slots + stages * v_bytes);
    Mbarrier *const q_empty = q_full + query_stages;
    Mbarrier *const k_full = q_empty + query_stages, *const k_empty = k_full + stages;
    Mbarrier *const v_full = k_empty + stages, *const v_empty = v_full + stages;
    const unsigned thread = threadIdx.x, lane = thread % 32, warp = WARP(thread / 32);
    if (thread == 0) {
        const int producers = wide ? 1 : 128;
        for (int i = 0; i < query_stages; i++) {
            mbarrier_init(q_full + i, producers);
            mbarrier_init(q_empty + i, warps / consumers);
        }
        for (int i = 0; i < stages; i++) {
            mbarrier_init(k_full + i, producers);
            mbarrier_init(k_empty + i, warps);
            mbarrier_init(v_full + i, producers);
            mbarrier_init(v_empty + i, warps);
        }
        fence_mbarrier_init();
    }
    __syncthreads();

    const int grid_m = TO_INT((QUERIES + tile_m - 1) / tile_m), tiles = ALL_TILES;
    const int grid_n = TO_INT((KEYS + tile_n - 1) / tile_n);
    /* The tile of this block in each turn. The longest rows come first, and every other turn is
     * dealt in reverse, so that the block with the longest tile gets the shortest one next. */
    const auto number_at = [&](int turn) {
        const unsigned place = turn % 2 ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
        return (int)(turn * gridDim.x + place);
    };
    struct At { int m_tile; IDX batch; };
    const auto tile_at = [&](int number) -> At {
        //@HOLE TILE_AT
    };
    /* The first tile of keys from n_tile on that these queries see; none: grid_n or more. */
    const auto keys_of = [&](const At &at, int n_tile) {
        [[maybe_unused]] const int m_tile = at.m_tile;
        [[maybe_unused]] const IDX at_batch = at.batch;
        //@HOLE NEXT_TILE
        return next_tile(n_tile);
    };
    if (warp < 4) {
        /* The producer warpgroup: loads queries, and tiles of keys and values as needed. */
        setmaxnreg_decrease<PRODUCER_REGISTERS>();
        if (wide && warp > 0) return; /* one lane loads, and all look for the tiles */
        Ring<query_stages> queries;
        Ring<stages> keys, values;
#pragma unroll 1
        for (int turn = 0; number_at(turn) < tiles; turn++) {
            const At at = tile_at(number_at(turn));
            const int m_tile = at.m_tile;
            [[maybe_unused]] const IDX at_batch = at.batch;
            const auto fetch_queries = [&](int group) {
                const IDX m_start = TO_IDX m_tile * tile_m + 64 * group;
                unsigned char *const q_slot = q_slots + queries.slot * q_bytes;
                Mbarrier *const arrival = q_full + queries.slot;
                mbarrier_wait(q_empty + queries.slot, queries.parity ^ 1);
                if (wide && lane == 0) {
                    mbarrier_arrive_expect_tx(arrival, q_bytes);
                    //@HOLE COPY_QUERIES
                } else if (!wide) {
                    //@HOLE FETCH_QUERIES
                    fence_proxy_async();
                    mbarrier_arrive(arrival);
                }
                queries.step();
            };
            const auto fetch_keys = [&](int n_tile) {
                const IDX n_start = TO_IDX n_tile * tile_n;
                unsigned char *const k_slot = k_slots + keys.slot * k_bytes;
                Mbarrier *const arrival = k_full + keys.slot;
                mbarrier_wait(k_empty + keys.slot, keys.parity ^ 1);
                if (wide && lane == 0) {
                    mbarrier_arrive_expect_tx(arrival, k_bytes);
                    //@HOLE COPY_KEYS
                } else if (!wide) {
                    //@HOLE FETCH_KEYS
                    fence_proxy_async();
                    mbarrier_arrive(arrival);
                }
                keys.step();
            };
            const auto fetch_values = [&](int n_tile) {
                const IDX n_start = TO_IDX n_tile * tile_n;
                unsigned char *const v_slot = v_slots + values.slot * v_bytes;
                Mbarrier *const arrival = v_full + values.slot;
                mbarrier_wait(v_empty + values.slot, values.parity ^ 1);
                if (wide && lane == 0) {
                    mbarrier_arrive_expect_tx(arrival, v_bytes);
                    //@HOLE COPY_VALUES
                } else if (!wide) {
                    //@HOLE FETCH_VALUES
                    fence_proxy_async();
                    mbarrier_arrive(arrival);
                }
                values.step();
            };
            int n_tile = keys_of(at, 0);
            if (n_tile >= grid_n) continue;
            fetch_keys(n_tile);
#pragma unroll 1
            for (int group = 0; group < consumers; group++) fetch_queries(group);
#pragma unroll 1
            while (n_tile < grid_n) {
                const int n_next = keys_of(at, n_tile + 1);
                if (n_next < grid_n) fetch_keys(n_next);
                fetch_values(n_tile);
                n_tile = n_next;
            }
        }
    } else {
        /* Consumer warpgroups: each has 64 rows of scores, and of the result, in registers. */
        setmaxnreg_increase<CONSUMER_REGISTERS>();
        const int group = (int)warp / 4 - 1, own_row = lane / 4, pair = lane % 4 * 2;
        const int m_warp = (int)(warp - 4) * 16;
        Ring<query_stages> queries;
        Ring<stages> keys, values;
        ring_skip(queries, group);
        //@IF PING_PONG
        if (group == 0) named_arrive(1, 256); /* group 0 goes first */
        //@END
        float score[tile_n / 2];
        bool has_scores = false;
        [[maybe_unused]] int n_first = 0; /* of the next tile of queries, if it has scores */
#pragma unroll 1
        for (int turn = 0; number_at(turn) < tiles; turn++) {
            const At at = tile_at(number_at(turn));
            const int m_tile = at.m_tile;
            [[maybe_unused]] const IDX at_batch = at.batch;
            //@HOLE CLEAR_ROWS
            float out[columns / 2] = {};
            float row_shift[2] = {-INFINITY, -INFINITY}; /* -INFINITY: all keys so far are masked */
            float row_sum[2] = {};
            //@IF KEEPS_MAX
            float row_max[2] = {-INFINITY, -INFINITY};
            //@END
            const auto multiply_keys = [&]() {
                const int q_rows = queries.slot * q_bytes;
                const auto a = wgmma_descriptor(q_slots + Q_ROWS, 1024);
                const auto b = wgmma_descriptor(k_slots + keys.slot * k_bytes, 1024);
                MULTIPLY_SCORES(score, a, b);
                wgmma_commit();
            };
            unsigned weight[tile_n / 4]; /* two of a row, then two of the row 8 below */
            const auto multiply_values = [&]() {
                const auto b = wgmma_descriptor(v_slots + values.slot * v_bytes, tile_n * 128);
                MULTIPLY_VALUES(out, weight, b);
                wgmma_commit();
            };

            /* Were it known that there are keys, compilers would keep `out` in local memory. */
            int n_tile = renewed(has_scores ? n_first : keys_of(at, 0));
            if (n_tile < grid_n) {
                wgmma_done(out); /* the zeros are written before the first product */
                if (!has_scores) {
                    mbarrier_wait(q_full + queries.slot, queries.parity);
                    mbarrier_wait(k_full + keys.slot, keys.parity);
                    wgmma_fence();
                    multiply_keys();
                    wgmma_commit(); /* an empty group: there are no values yet */
                }
                bool has_values = false;
#pragma unroll 1
                while (true) {
                    //@HOLE PAIRS_AHEAD
                    wgmma_wait<1>();
                    wgmma_done(score);
                    const int n_next = keys_of(at, n_tile + 1);
                    if (lane == 0) mbarrier_arrive(k_empty + keys.slot);
                    if (lane == 0 && n_next >= grid_n) mbarrier_arrive(q_empty + queries.slot);
                    keys.step();

                    //@HOLE PAIRS
                    //@HOLE CLEAR_AT_TILE
                    //@IF CHANGES_ALL
#pragma unroll
                    for (int j = 0; j < tile_n / 8; j++)
#pragma unroll
                        for (int part = 0; part < 4; part++) {
                            //@HOLE CLEAR_AT
                            //@HOLE CLEAR_LINES
                            score[4 * j + part] = CLEAR_SCORE;
                        }
                    //@END
                    //@IF IS_CLEAR
                    const bool is_clear = IS_CLEAR;
                    //@IF CHANGES_CLEAR
                    if (is_clear) {
#pragma unroll
                        for (int j = 0; j < tile_n / 8; j++)
#pragma unroll
                            for (int part = 0; part < 4; part++) {
                                //@HOLE CLEAR_AT
                                //@HOLE CLEAR_LINES
                                score[4 * j + part] = CLEAR_SCORE;
                            }
                    }
                    //@END
                    if (!is_clear) {
#pragma unroll
                        for (int j = 0; j < tile_n / 8; j++)
#pragma unroll
                            for (int part = 0; part < 4; part++) {
                                //@HOLE SCORE_AT
                                //@HOLE SCORE_LINES
                                //@IF WHOLE_KEYS
                                score[4 * j + part] = SCORE;
                                //@END
                                //@IF RAGGED_KEYS
                                const float of_key = SCORE;
                                score[4 * j + part] = KEY_AT < KEYS ? of_key : -INFINITY;
                                //@END
                            }
                    }
                    //@END

                    float by[2], shifts[2]; /* by: the factors that rescale the sums so far */
#pragma unroll
                    for (int half = 0; half < 2; half++) {
                        float partial_max[4]; /* so that maxima do not wait for each other */
#pragma unroll
                        for (int j = 0; j < tile_n / 8; j++) {
                            const float of_two =
                                max_nan(score[4 * j + 2 * half], score[4 * j + 2 * half + 1]);
                            float &own = partial_max[j % 4];
                            own = j < 4 ? of_two : max_nan(own, of_two);
                        }
                        float largest = partial_max[0];
#pragma unroll
                        for (int i = 1; i < (tile_n < 32 ? tile_n / 8 : 4); i++)
                            largest = max_nan(largest, partial_max[i]);
                        largest = warp_reduce<Max, 4>(largest);
                        //@HOLE SHIFT_LINES
                        //@IF KEEPS_MAX
                        row_max[half] = max_nan(row_max[half], largest);
                        //@END
                        const float moved = max_nan(row_shift[half], SHIFT);
                        shifts[half] = moved < LEAST_SHIFT ? 0 : moved;
                        by[half] = exp2_approx(row_shift[half] - shifts[half]);
                        row_shift[half] = moved;
                    }
                    wgmma_wait<0>();
                    wgmma_done(out);
                    if (has_values) {
                        if (lane == 0) mbarrier_arrive(v_empty + values.slot);
                        values.step();
                    }
#pragma unroll
                    for (int half = 0; half < 2; half++) {
                        const float shift = shifts[half];
                        float sums[4] = {}; /* so that additions do not wait for each other */
#pragma unroll
                        for (int j = 0; j < tile_n / 8; j++) {
#pragma unroll
                            for (int part = 0; part < 2; part++) {
                                const float one_score = score[4 * j + 2 * half + part];
                                //@HOLE EXPONENT_LINES
                                const float one_weight = exp2_approx(EXPONENT);
                                sums[(2 * j + part) % 4] += one_weight;
                                //@HOLE WEIGHT_AT
                                //@HOLE WEIGHT_LINES
                                score[4 * j + 2 * half + part] = WEIGHT;
                            }
                            weight[2 * j + half] =
                                PACK(score[4 * j + 2 * half], score[4 * j + 2 * half + 1]);
                        }
                        row_sum[half] =
                            row_sum[half] * by[half] + (sums[0] + sums[1] + (sums[2] + sums[3]));
                    }

                    if (__any_sync(0xffffffff, has_values && (by[0] != 1 || by[1] != 1))) {
#pragma unroll
                        for (int i = 0; i < columns / 2; i++) out[i] *= by[i % 4 / 2];
                    }
                    has_values = true;
                    n_tile = n_next;
                    if (n_tile >= grid_n) break;
                    mbarrier_wait(k_full + keys.slot, keys.parity);
                    //@IF PING_PONG
                    named_wait(1 + group, 256);
                    //@END
                    wgmma_fence();
                    multiply_keys();
                    mbarrier_wait(v_full + values.slot, values.parity);
                    wgmma_fence();
                    multiply_values();
                    //@IF PING_PONG
                    named_arrive(1 + (group + 1) % consumers, 256);
                    //@END
                }
                ring_skip(queries, consumers);
                //@IF AHEAD
                const int number = number_at(turn + 1);
                n_first = renewed(number < tiles ? keys_of(tile_at(number), 0) : grid_n);
                has_scores = n_first < grid_n;
                if (has_scores) {
                    mbarrier_wait(q_full + queries.slot, queries.parity);
                    mbarrier_wait(k_full + keys.slot, keys.parity);
                    //@IF PING_PONG
                    named_wait(1 + group, 256);
                    //@END
                    wgmma_fence();
                    multiply_keys();
                }
                //@END
                mbarrier_wait(v_full + values.slot, values.parity);
                wgmma_fence();
                multiply_values();
                //@IF PING_PONG
                if (has_scores) named_arrive(1 + (group + 1) % consumers, 256);
                //@END
                wgmma_wait<0>();
                wgmma_done(out);
                wgmma_done(score);
                if (lane == 0) mbarrier_arrive(v_empty + values.slot);
                values.step();
            }
#pragma unroll
            for (int half = 0; half < 2; half++) {
                //@HOLE ROW_VALUES
                const IDX at_m = TO_IDX m_tile * tile_m + m_warp + 8 * half + own_row;
                //@IF QUADS
#pragma unroll
                for (int piece = 0; piece < columns / 32; piece++)
                    quad_transpose(out, 16 * piece + 2 * half);
                //@END
                if (at_m >= QUERIES) continue;
                //@IF ROW_STORES
                if (lane % 4 == 0) {
                    //@HOLE ROW_STORES
                }
                //@END
#pragma unroll
                for (int piece = 0; piece < columns / PIECE; piece++) {
                    constexpr int VEC = VECTOR;
#pragma unroll
                    for (int part = 0; part < PARTS; part += VEC) {
                        const IDX at_c = PIECE * piece + AT_LANE + part;
                        //@IF IS_PARTIAL
                        if (at_c >= COLUMNS) continue;
                        //@END
                        //@HOLE STORES
                    }
                }
            }
        }
    }
}
