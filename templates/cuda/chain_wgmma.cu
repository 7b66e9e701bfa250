/* chain_wgmma.cu: a chain of contractions for sm_90a: sums over n of weights[batch, m, n] times
 * values[batch, n, c], where weights are functions of scores[batch, m, n], the products of the row
 * with all n: the backward of attention. A block has tile_m rows. Its first warpgroup is the
 * producer: it loads the left operands once, then tiles of tile_n right operands and values into
 * `stages` stages. Every consumer warpgroup has 64 rows: scores, weights and results stay in
 * registers. Each stage has two mbarriers: `full` completes when its tile has arrived, `empty` when
 * it has been multiplied.
 *
 * OF_COLUMN: what weights load for each n, f32 numbers, comes with the stages, too: another warp of
 * the producer loads it.
 *
 * ACROSS: a further result has rows of n. Weights of all consumers go to shared memory, where they
 * are the left operand of its product, which is added to memory by atomics.
 *
 * OVERLAPS: the scores of the next tile are multiplied right behind the values of this one;
 * consumers take turns, one multiplies while the other computes weights. APART: registers do not
 * hold both scores and weights. SPLITS: of two results, the weights of the first are computed while
 * the second score is multiplied, and the second weights while the first are; AHEAD: the next first
 * score is multiplied before the second weights, and registers hold all of these.
 *
 * `wide`: as in attention_wgmma.cu, where panels are described, too. */
#include "prelude.cuh"
#define HEAD template <class> __global__ void alone(const bf16 *q, float *y)
#define IS_WIDE is_aligned(q, 16)
#define IDX int
#define TO_IDX (int)
#define TO_INT (int)
#define ROWS_M 70
#define COUNT_N 90
#define COLUMNS 20
#define SCORES 1
#define OUTS 1
#define M_TILE grid_m - 1 - (int)(blockIdx.x % grid_m)
#define PRODUCER_REGISTERS 24
#define CONSUMER_REGISTERS 240
#define VECTOR 2
#define FULL_ARRIVALS producers
#define FIRST 0
#define SECOND 0
#define SECOND_OUT 0
#define ACROSS_WEIGHTS 0
#define ACROSS_LEFT left
#define MULTIPLY_ACROSS multiply
//@BEGIN
HEAD {
    const bool wide = IS_WIDE;
    //@HOLE SIZES
    constexpr int warps = 4 * consumers;
    extern __shared__ __align__(1024) unsigned char slots[];
    unsigned char *const left = slots, *const right = left + left_bytes;
    //@IF ACROSS
    unsigned char *const weights = right + stages * stage_bytes;
    unsigned char *const behind_stages = weights + weights_bytes;
    //@END
    //@IF ALONG
    unsigned char *const behind_stages = right + stages * stage_bytes;
    //@END
    //@IF OF_COLUMN
    float (*const of_columns)[column_values * tile_n] =
        (float (*)[column_values * tile_n])behind_stages;
    Mbarrier *const left_full = (Mbarrier *)(of_columns + stages);
    //@END
    //@IF NO_COLUMN
    Mbarrier *const left_full = (Mbarrier *)behind_stages;
    //@END
    Mbarrier *const full = left_full + 1, *const empty = full + stages;
    const unsigned thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    if (thread == 0) {
        const int producers = wide ? 1 : 128;
        mbarrier_init(left_full, producers);
        for (int i = 0; i < stages; i++) {
            mbarrier_init(full + i, FULL_ARRIVALS);
            mbarrier_init(empty + i, warps);
        }
        fence_mbarrier_init();
    }
    __syncthreads();

    const int grid_m = TO_INT((ROWS_M + tile_m - 1) / tile_m);
    const int grid_n = TO_INT((COUNT_N + tile_n - 1) / tile_n);
    //@HOLE ORDER
    const int m_tile = M_TILE; /* long rows first */
    //@HOLE AT_BATCH
    //@HOLE NEXT_TILE
    if (warp < 4) {
        /* The producer warpgroup: loads tiles of the operands as they are needed. */
        setmaxnreg_decrease<PRODUCER_REGISTERS>();
        //@IF OF_COLUMN
        if (wide && thread > 0 && warp != 1) return; /* warp 1 brings columns */
        //@END
        //@IF NO_COLUMN
        if (wide && thread > 0) return;
        //@END
        Ring<stages> ring;
        int n_tile = next_tile(0);
        if (n_tile < grid_n && (!wide || thread == 0)) {
            const IDX m_start = TO_IDX m_tile * tile_m;
            if (wide) {
                mbarrier_arrive_expect_tx(left_full, left_bytes);
                //@HOLE COPY_LEFT
            } else {
                //@HOLE FETCH_LEFT
                fence_proxy_async();
                mbarrier_arrive(left_full);
            }
        }
#pragma unroll 1
        for (; n_tile < grid_n; n_tile = next_tile(n_tile + 1)) {
            const IDX n_start = TO_IDX n_tile * tile_n;
            unsigned char *const stage = right + ring.slot * stage_bytes;
            Mbarrier *const arrival = full + ring.slot;
            mbarrier_wait(empty + ring.slot, ring.parity ^ 1);
            //@IF OF_COLUMN
            const auto bring_columns = [&](int i) {
                float *const to = of_columns[ring.slot];
                //@HOLE BRING_COLUMNS
            };
            if (wide && warp == 1) {
#pragma unroll
                for (int i = 0; i < tile_n; i += 32)
                    if (i + lane < tile_n) bring_columns(i + lane);
                mbarrier_arrive(arrival);
            }
            //@END
            if (wide && thread == 0) {
                mbarrier_arrive_expect_tx(arrival, stage_bytes);
                //@HOLE COPY_RIGHT
            }
            if (!wide) {
                //@IF OF_COLUMN
                for (int i = thread; i < tile_n; i += 128) bring_columns(i);
                //@END
                //@HOLE FETCH_RIGHT
                fence_proxy_async();
                mbarrier_arrive(arrival);
            }
            ring.step();
        }
    } else {
        /* Consumer warpgroups: scores and sums are in their registers. */
        setmaxnreg_increase<CONSUMER_REGISTERS>();
        const int group = warp / 4 - 1, own_row = lane / 4, pair = lane % 4 * 2;
        const int m_warp = (warp - 4) * 16;
        Ring<stages> ahead, behind; /* stages of the next scores, of the current values */
        float out[OUTS][columns / 2] = {}, score[SCORES][tile_n / 2];
        unsigned weight[OUTS][tile_n / 4]; /* two of a row, then two of the row 8 below */
        //@IF WHOLE
        const auto multiply_scores = [&]() {
            const unsigned char *const stage = right + ahead.slot * stage_bytes;
            //@HOLE MULTIPLY_SCORES
            wgmma_commit();
        };
        const auto multiply_weights = [&]() {
            const unsigned char *const stage = right + behind.slot * stage_bytes;
            //@HOLE MULTIPLY_WEIGHTS
            wgmma_commit();
        };
        //@END
        //@IF SPLITS
        const auto multiply_first_score = [&]() {
            const unsigned char *const stage = right + ahead.slot * stage_bytes;
            //@HOLE FIRST_SCORE
            wgmma_commit();
        };
        const auto multiply_second_score = [&]() {
            const unsigned char *const stage = right + ahead.slot * stage_bytes;
            //@HOLE SECOND_SCORE
            wgmma_commit();
        };
        const auto multiply_first_weights = [&]() {
            const unsigned char *const stage = right + ahead.slot * stage_bytes;
            //@HOLE FIRST_VALUES
            wgmma_commit();
        };
        const auto multiply_second_weights = [&]() {
            const unsigned char *const stage = right + behind.slot * stage_bytes;
            //@HOLE SECOND_VALUES
            wgmma_commit();
        };
        //@END
        const auto release = [&]() {
            //@IF OF_COLUMN
            __syncwarp(); /* all lanes have read what is of columns */
            //@END
            if (lane == 0) mbarrier_arrive(empty + behind.slot);
            behind.step();
        };
        /* Weights are rounded to 16 bits. */
        [[maybe_unused]] const auto exp = [](float x) { return exp2_approx(x * 1.4426950f); };
        //@IF TURNS
        if (group == 0) named_arrive(1, 256); /* group 0 goes first */
        //@END
        //@IF ACROSS
        float across[across_columns / 2];
        int parity = 0; /* of the weights in shared memory */
        IDX n_added = 0;
        const auto keep_weights = [&]() {
            unsigned char *const kept = weights + parity * (weights_bytes / 2);
#pragma unroll
            for (int j = 0; j < tile_n / 8; j++)
#pragma unroll
                for (int half = 0; half < 2; half++)
                    *(unsigned *)(kept + j / 8 * (tile_m * 128) +
                                  swizzled<128>(m_warp + 8 * half + own_row, j % 8) + 2 * pair) =
                        weight[ACROSS_WEIGHTS][2 * j + half];
            fence_proxy_async();
            named_wait(1, 256);
        };
        const auto multiply_across = [&]() {
            const unsigned char *const kept =
                weights + parity * (weights_bytes / 2) + (tile_n == 64 ? 0 : group * (tile_m * 128));
            const unsigned char *const columns_at =
                ACROSS_LEFT + (tile_n == 64 ? group * across_columns / 64 * (tile_m * 128) +
                                                  group * across_columns % 64 * 2
                                            : 0);
            const auto a = wgmma_descriptor(kept, tile_m * 128);
            const auto b = wgmma_descriptor(columns_at, tile_m * 128);
            MULTIPLY_ACROSS(across, a, b);
            wgmma_commit();
            parity ^= 1;
        };
        const auto add_across = [&](IDX n_start) {
            wgmma_done(across);
            //@HOLE ADD_ACROSS
        };
        //@END

        int n_tile = next_tile(0);
        if (n_tile < grid_n) {
            mbarrier_wait(left_full, 0);
#pragma unroll
            for (int i = 0; i < OUTS; i++) wgmma_done(out[i]); /* the zeros are written */
            //@IF WHOLE
            //@IF OVERLAPS
            mbarrier_wait(full + ahead.slot, ahead.parity);
            wgmma_fence();
            multiply_scores();
            ahead.step();
            bool has_values = false;
            //@END
#pragma unroll 1
            while (true) {
                //@IF APART
                mbarrier_wait(full + ahead.slot, ahead.parity);
                wgmma_fence();
                multiply_scores();
                ahead.step();
                //@END
                wgmma_wait<0>();
#pragma unroll
                for (int i = 0; i < SCORES; i++) wgmma_done(score[i]);
                //@IF OVERLAPS
#pragma unroll
                for (int i = 0; i < OUTS; i++) wgmma_done(out[i]);
                if (has_values) release();
                has_values = true;
                //@END

                //@HOLE AT_TILE
                //@IF OF_COLUMN
                const float *const of_column = of_columns[behind.slot];
                //@END
                //@HOLE ALL_WEIGHTS

                //@IF ACROSS
                keep_weights();
                n_added = TO_IDX n_tile * tile_n;
                //@END
                n_tile = next_tile(n_tile + 1);
                //@IF OVERLAPS
                if (n_tile >= grid_n) break;
                mbarrier_wait(full + ahead.slot, ahead.parity);
                //@IF TURNS
                named_wait(1 + group, 256);
                //@END
                wgmma_fence();
                //@IF ACROSS
                multiply_across();
                //@END
                multiply_weights();
                multiply_scores();
                ahead.step();
                //@IF TURNS
                named_arrive(1 + (group + 1) % consumers, 256);
                //@END
                //@IF ACROSS
                wgmma_wait<2>();
                add_across(n_added);
                //@END
                //@END
                //@IF APART
                wgmma_fence();
                //@IF ACROSS
                multiply_across();
                //@END
                multiply_weights();
                //@IF ACROSS
                wgmma_wait<1>();
                add_across(n_added);
                //@END
                wgmma_wait<0>();
#pragma unroll
                for (int i = 0; i < OUTS; i++) wgmma_done(out[i]);
                release();
                if (n_tile >= grid_n) break;
                //@END
            }
            //@IF OVERLAPS
            wgmma_fence();
            //@IF ACROSS
            multiply_across();
            //@END
            multiply_weights();
            wgmma_wait<0>();
            //@IF ACROSS
            add_across(n_added);
            //@END
#pragma unroll
            for (int i = 0; i < OUTS; i++) wgmma_done(out[i]);
            //@END
            //@END
            //@IF SPLITS
            mbarrier_wait(full + ahead.slot, ahead.parity);
            wgmma_fence();
            multiply_first_score();
            //@IF AHEAD
            wgmma_commit(); /* an empty group: there are no weights yet */
            //@END
            bool has_values = false;
#pragma unroll 1
            while (true) {
                //@IF AHEAD
                wgmma_fence();
                multiply_second_score();
                wgmma_wait<2>();
                wgmma_done(score[FIRST]);
                //@END
                //@IF BEHIND
                wgmma_wait<0>();
                wgmma_done(score[FIRST]);
#pragma unroll
                for (int i = 0; i < OUTS; i++) wgmma_done(out[i]);
                if (has_values) release();
                has_values = true;
                wgmma_fence();
                multiply_second_score();
                //@END

                //@HOLE AT_TILE
                //@IF OF_COLUMN
                const float *const of_column = of_columns[ahead.slot];
                //@END
                //@HOLE FIRST_WEIGHTS
                wgmma_fence();
                multiply_first_weights();
                wgmma_wait<1>();
                wgmma_done(score[SECOND]);
                //@IF AHEAD
                wgmma_done(out[SECOND_OUT]);
                if (has_values) release();
                has_values = true;
                //@END
                //@HOLE SECOND_WEIGHTS
                ahead.step();
                n_tile = next_tile(n_tile + 1);
                if (n_tile >= grid_n) break;
                mbarrier_wait(full + ahead.slot, ahead.parity);
                wgmma_fence();
                //@IF AHEAD
                multiply_first_score();
                multiply_second_weights();
                //@END
                //@IF BEHIND
                multiply_second_weights();
                multiply_first_score();
                //@END
            }
            wgmma_fence();
            multiply_second_weights();
            wgmma_wait<0>();
#pragma unroll
            for (int i = 0; i < OUTS; i++) wgmma_done(out[i]);
            //@END
        }
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const IDX at_m = TO_IDX m_tile * tile_m + m_warp + 8 * half + own_row;
            if (at_m >= ROWS_M) continue;
#pragma unroll
            for (int piece = 0; piece < columns / 8; piece++) {
                constexpr int VEC = VECTOR;
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
}
