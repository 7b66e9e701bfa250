/* wgmma.cu: a warp-specialised, persistent matrix product for sm_90a: c[batch, m, n] = sum over k
 * of a[batch, m, k] * b[batch, n, k], for `products` right operands b that share a, or for several
 * products that are added up, one after the other along k. Each block computes output tiles of
 * tile_m x tile_n until none is left. Its first warpgroup is the producer: it loads tiles of a and
 * of every b, 64 elements along k, into `stages` stages of shared memory. Consumer warpgroups, two
 * or three, multiply them by wgmma, blocks of 64 rows each, and accumulate in registers. Each stage
 * has two mbarriers: `full` completes when its tiles have arrived, `empty` when they have been
 * multiplied. The producer runs ahead into the next output tile while the consumers are in the
 * epilogue.
 * IF_PING_PONG: each consumer warpgroup has output tiles of its own, in turn, and one is in the
 * epilogue while the other multiplies. IF_CLUSTER: the blocks of a cluster compute tiles below each
 * other; each loads a part of the tiles of b, to all of them. IF_STREAM: stream-K, see below.
 * IF_SPLIT: split-K: the blocks of a cluster have parts along k of one tile, and add them up.
 * IF_HALVES: both consumer warpgroups have the same 64 rows, and half of the columns each.
 * IF_COMPUTED: there are two producer warpgroups, which compute operands, and take stages in turn.
 *
 * Epilogues are templates of their own: wgmma_rows.cu, wgmma_boxes.cu and wgmma_elements.cu.
 *
 * `wide`: sizes and pointers allow 16-byte accesses: one producer thread issues TMA loads.
 * Otherwise the whole producer warpgroup copies elements. A row of a stage is 128 bytes with the
 * 128-byte swizzle that TMA and wgmma share. */
#include "prelude.cuh"
#define HEAD template <class> __global__ void alone(float *y)
#define IS_WIDE is_aligned(y, 16)
#define IDX int
#define START at_batch, m_start, n_start
#define STARTS number / tiles, (m_tile * cluster + rank) * tile_m, n_tile * tile_n
#define NUMBER number
#define ROWS_M rows_m
#define RELEASES CONSUMER_WARPS * (wide ? cluster : 1)
#define SUM float
#define MULTIPLY multiply
#define DOT_M 100
#define DOT_N 100
#define ALL_TILES tiles
#define PRODUCER_REGISTERS 40
#define CONSUMER_REGISTERS 232
#define CONSUMER_WARPS 8
#define BEHIND stages * stage_bytes + 8 * strip_bytes
#define B_FROM slot + a_bytes
#define FIRST_BLOCK consumer
#define SYNC __syncthreads
#define TILE_SUMS (products * tile_n / 2)
#define PARTS 2
#define FACTOR_COUNT tile_m
#define ARRIVALS 1
#define PRODUCER_WARPS 4
#define GROUPS 1
#define BROUGHT stage_bytes
#define LOADED_BYTES stage_bytes
#define COPY_BYTES 0
#define TO_PART SUM (&to)[TILE_SUMS]
#define FROM_PART SUM (&from)[TILE_SUMS]
#define TURN blockIdx.x / cluster
#define TURNS gridDim.x / cluster
#define PRODUCER_TILES IDX number = turn; number < ALL_TILES; number += turns
#define CONSUMER_TILES ; number < ALL_TILES; number += turns
#define FIRST_STEP 0
#define STEP tile
#define END_STEP tiles_k
#define STEPS tiles_k
#define WHOLE_TILE
#define LATE stages < tiles_k ? stages - 1 : tiles_k - 1
#define A_STEP 32
#define B_STEP 32
__device__ void multiply(float (&sum)[32], unsigned long long a, unsigned long long b);
//@BEGIN
HEAD {
    //@IF IF_TESTED
    const bool wide = IS_WIDE;
    //@END
    //@HOLE SIZES
    extern __shared__ __align__(1024) unsigned char slots[];
    Mbarrier *const full = (Mbarrier *)(slots + BEHIND);
    Mbarrier *const empty = full + stages;
    //@IF IF_FACTORS
    SUM *const stage_factors = (SUM *)(empty + stages);
    constexpr int factor_count = FACTOR_COUNT;
    //@END
    const unsigned thread = threadIdx.x % 128, lane = thread % 32; /* of a warpgroup, of a warp */
    /* The shuffle shows the compiler that the number is the same in all lanes. */
    const unsigned warp = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; i++) {
            mbarrier_init(full + i, ARRIVALS); /* of producers */
            mbarrier_init(empty + i, RELEASES);
        }
        fence_mbarrier_init();
    }
    //@IF IF_SPARED
    /* TMA takes as long for zeros beyond the last row as for elements: they are put there once. */
    const auto clear = [&](int from, int to) {
        constexpr uint4 zeros = {};
        for (int stage = 0; stage < stages; stage++)
            for (int i = from + 16 * threadIdx.x; i < to; i += 16 * blockDim.x)
                *(uint4 *)(slots + stage * stage_bytes + i) = zeros;
    };
    //@HOLE CLEAR
    fence_proxy_async();
    //@END
    SYNC();
    //@IF IF_CLUSTER
    const int rank = blockIdx.x % cluster; /* of this block in its cluster */
    //@END

    /* Rasterisation: `group` rows of tiles at a time, column by column: operands stay in L2. */
    //@IF IF_CLUSTER
    constexpr int rows_m = cluster * tile_m;
    //@END
    const IDX tiles_m = (DOT_M + ROWS_M - 1) / ROWS_M, tiles_n = (DOT_N + tile_n - 1) / tile_n;
    const IDX tiles = tiles_m * tiles_n;
    //@HOLE TILES
    struct Start { IDX START; };
    const auto start_of = [&](IDX NUMBER) {
        //@IF IF_BATCH
        const IDX at = number % tiles;
        //@END
        const IDX first = at / (group * tiles_n) * group;
        const IDX rows = tiles_m - first < group ? tiles_m - first : group;
        const IDX m_tile = first + at % (group * tiles_n) % rows;
        const IDX n_tile = at % (group * tiles_n) / rows;
        return Start{STARTS};
    };
    const IDX turn = TURN, turns = TURNS;
    //@IF IF_SPLIT
    /* Split-K: each block of a cluster has some steps along k of the cluster's only tile. */
    const int rank = blockIdx.x % parts; /* of this block in its cluster */
    const int first_step = tiles_k * rank / parts, end_step = tiles_k * (rank + 1) / parts;
    const int steps = end_step - first_step;
    //@END
    //@IF IF_STREAM
    /* Stream-K: each block computes `whole` output tiles. The tiles that are left, fewer than there
     * are blocks, are cut along k into `parts` parts of `share` steps; a block computes at most one
     * of them. The block with the first part of a tile adds the sums of the others, in their order;
     * these go through `scratch`. It waits only for blocks with lower numbers. */
    const IDX whole = ALL_TILES / turns, left = ALL_TILES - whole * turns;
    const int wanted = left * most_parts < turns ? most_parts : left ? (int)(turns / left) : 1;
    const int share = (tiles_k + wanted - 1) / wanted, parts = (tiles_k + share - 1) / share;
    const int own = (int)(turns - 1 - turn);
    const IDX pieces = whole + (own < left * parts);
    struct Piece { IDX number; int first, end; }; /* of a tile: steps along k */
    const auto piece_of = [&](IDX i) {
        if (i < whole) return Piece{turn + i * turns, 0, tiles_k};
        const int first = own % parts * share;
        return Piece{whole * turns + own / parts, first,
                     first + share < tiles_k ? first + share : tiles_k};
    };
    //@END
    Ring<stages> ring;
    if (warp < PRODUCER_WARPS) {
        //@IF IF_LOADED
        /* The producer warpgroup: loads tiles of the operands, `stages` ahead of the products. */
        //@END
        //@IF IF_COMPUTED
        /* The producer warpgroups: load or compute tiles, `stages` ahead of the products. */
        //@END
        setmaxnreg_decrease<PRODUCER_REGISTERS>();
        //@IF IF_COMPUTED
        const int producer = warp / 4;
        //@IF IF_RAW
        /* Places of a thread for what it computes from, `ahead` of its stages before. */
        //@HOLE PLACES
        constexpr int raw_bytes = COPY_BYTES;
        unsigned char *const raw =
            (unsigned char *)(empty + stages) + producer * (ahead * raw_bytes);
        //@END
        //@END
        //@IF IF_LOADED
        //@IF IF_ONE_PRODUCER
        if (wide && thread > 0) return;
        //@END
        //@END
        //@IF IF_FACTORS
        if (wide && warp == 0 && lane > 0) return;
        //@END
#pragma unroll 1
        for (PRODUCER_TILES) {
            //@IF IF_STREAM
            const Piece piece = piece_of(i);
            const IDX number = piece.number;
            const int first_step = piece.first, end_step = piece.end;
            //@END
            const Start at = start_of(number);
            const IDX AT_START;
            //@IF IF_PREFETCHED
            /* When the first stages are under way, L2 is told what the epilogue will load. */
            const int late = LATE;
            //@END
            //@IF IF_FACTORS
            /* Factors of a block of k, those of one row and of one column of the tile. */
            const auto put_factors = [&]([[maybe_unused]] int block, SUM *factors, int item) {
                //@HOLE FACTORS_OF_ROW
                //@HOLE FACTORS_OF_COLUMN
            };
            //@END
            //@IF IF_COMPUTED
            //@HOLE LEFT
            //@IF IF_RAW
            /* Starts the copies of a stage. */
            const auto copy_ahead = [&](int tile) {
                unsigned char *const copies = raw + STEP / GROUPS % ahead * raw_bytes;
                if (wide && tile < END_STEP) {
                    //@HOLE RAW_COPIES
                }
                cp_async_commit();
            };
#pragma unroll 1
            for (int i = 0; i < ahead; i++) copy_ahead(FIRST_STEP + producer + i * GROUPS);
            //@END
#pragma unroll 1
            for (int tile = FIRST_STEP; tile < END_STEP; tile++, ring.step()) {
                if (STEP % GROUPS != producer) continue;
                unsigned char *const slot = slots + ring.slot * stage_bytes;
                Mbarrier *const arrival = full + ring.slot;
                mbarrier_wait(empty + ring.slot, ring.parity ^ 1);
                //@IF IF_BROUGHT
                if (!wide) {
                    //@HOLE ELEMENTS
                } else if (thread == 0) {
                    mbarrier_arrive_expect_tx(arrival, BROUGHT);
                    //@HOLE COPIES
                    //@IF IF_PREFETCHED
                    if (WHOLE_TILE tile == late) {
                        //@HOLE PREFETCHES
                    }
                    //@END
                }
                //@END
                //@IF IF_RAW
                const unsigned char *const copies = raw + STEP / GROUPS % ahead * raw_bytes;
                cp_async_wait<ahead - 1>();
                //@END
                //@HOLE COMPUTED
                //@IF IF_RAW
                copy_ahead(tile + ahead * GROUPS);
                //@END
                fence_proxy_async();
                __syncwarp();
                if (lane == 0) mbarrier_arrive(arrival);
            }
            //@END
            //@IF IF_LOADED
#pragma unroll 1
            for (int tile = FIRST_STEP; tile < END_STEP; tile++) {
                unsigned char *const slot = slots + ring.slot * stage_bytes;
                Mbarrier *const arrival = full + ring.slot;
                //@IF IF_FACTORS
                SUM *const factors = stage_factors + ring.slot * factor_count;
                if (wide && warp > 0) { /* each of three warps loads those of every third block */
                    if (tile % 3 == (int)warp - 1) {
                        mbarrier_wait(empty + ring.slot, ring.parity ^ 1);
#pragma unroll
                        for (int item = lane; item < 128; item += 32)
                            put_factors(tile, factors, item);
                        __syncwarp();
                        if (lane == 0) mbarrier_arrive(arrival);
                    }
                    ring.step();
                    continue;
                }
                //@END
                mbarrier_wait(empty + ring.slot, ring.parity ^ 1);
                if (wide) {
                    mbarrier_arrive_expect_tx(arrival, LOADED_BYTES);
                    //@HOLE COPIES
                    //@IF IF_PREFETCHED
                    if (WHOLE_TILE tile == late) {
                        //@HOLE PREFETCHES
                    }
                    //@END
                } else {
                    //@IF IF_FACTORS
                    put_factors(tile, factors, thread);
                    //@END
                    //@HOLE ELEMENTS
                    fence_proxy_async();
                    mbarrier_arrive(arrival);
                }
                ring.step();
            }
            //@END
        }
        //@IF IF_SPLIT
        return; /* barriers of the cluster are for the consumers */
        //@END
    } else {
        /* Consumer warpgroups: products of the stages as they arrive, then the epilogue. */
        setmaxnreg_increase<CONSUMER_REGISTERS>();
        const int consumer = warp / 4 - GROUPS;
        //@IF IF_CLUSTER
        const bool releases = lane < (wide ? cluster : 1);
        const int released = wide ? lane : rank; /* the block whose stage it is */
        //@END
        const auto release = [&](int slot) { /* tells every block that loads into the stage */
            //@IF IF_ALONE
            if (lane == 0) mbarrier_arrive(empty + slot);
            //@END
            //@IF IF_CLUSTER
            if (releases) mbarrier_arrive_at(empty + slot, released);
            //@END
        };
        //@IF IF_TURNS
        IDX number = turn;
        //@END
        const int first_block = FIRST_BLOCK;
        //@IF IF_PING_PONG
        if (consumer == 1) { /* the second consumer starts with the block's second tile */
            number += turns;
            ring_skip(ring, tiles_k);
            named_arrive(1, 256);
        }
        //@END
#pragma unroll 1
        for (CONSUMER_TILES) {
            //@IF IF_STREAM
            const Piece piece = piece_of(i);
            const IDX number = piece.number;
            const int first_step = piece.first, end_step = piece.end;
            const int steps = end_step - first_step;
            //@END
            const Start at = start_of(number);
            [[maybe_unused]] const IDX AT_START;
            SUM sum[blocks][TILE_SUMS] = {};
            //@IF IF_PROMOTED
            /* Tensor cores keep 14 bits of a sum, so the sums of each stage are added up in f32.
             * With two sets of registers, the next stage is multiplied meanwhile. */
            SUM part[PARTS][TILE_SUMS];
            int first = ring.slot; /* the stage to release next */
            //@IF IF_UNEVEN
            /* Blocks of k, and the thread's first row. */
            int blocks_added = FIRST_STEP;
            const IDX first_m = m_start + first_block * 64 + warp % 4 * 16 + lane / 4;
            //@END
            const auto start = [&](TO_PART) {
                const unsigned char *const slot = slots + ring.slot * stage_bytes;
                /* 8192 bytes are 64 rows of 128; a descriptor counts in units of 16. */
                const unsigned long long a = wgmma_descriptor(slot + first_block * 8192, 8192);
                const unsigned long long b = wgmma_descriptor(B_FROM, 8192);
                mbarrier_wait(full + ring.slot, ring.parity);
                wgmma_fence();
                MULTIPLY<0>(to, a, b);
#pragma unroll
                for (int step = 1; step < 4; step++)
                    MULTIPLY<1>(to, a + step * A_STEP / 16, b + step * B_STEP / 16);
                wgmma_commit();
                ring.step();
            };
            const auto add = [&](FROM_PART) {
                wgmma_done(from);
                //@IF IF_ONE_PRODUCER
                release(first);
                //@END
                //@IF IF_FACTORS
                const SUM *const factors = stage_factors + first * factor_count;
                [[maybe_unused]] const int own_row = first_block * 64 + warp % 4 * 16 + lane / 4;
                //@HOLE ROW_PAIRS
                //@END
                //@IF IF_UNEVEN
                [[maybe_unused]] const int block = blocks_added++;
                //@END
                //@IF IF_BLOCKS
#pragma unroll
                for (int i = 0; i < TILE_SUMS; i += 4) {
                    //@HOLE COLUMN_PAIRS
#pragma unroll
                    for (int l = 0; l < 4; l++) {
                        //@HOLE BLOCK
                    }
                }
                //@END
                //@IF IF_PLAIN
#pragma unroll
                for (int i = 0; i < TILE_SUMS; i++) sum[0][i] += from[i];
                //@END
                //@IF IF_FACTORS
                __syncwarp(); /* all lanes have read the factors */
                release(first);
                //@END
                first = first + 1 < stages ? first + 1 : 0;
            };
            //@IF IF_BEHIND
#pragma unroll 1
            for (int tile = 0; tile < STEPS; tile++) {
                start(part[0]);
                wgmma_wait<0>();
                add(part[0]);
            }
            //@END
            //@IF IF_AHEAD
            start(part[0]);
            int tile = 1; /* K is at least 1 */
#pragma unroll 1
            for (; tile + 1 < STEPS; tile += 2) {
                start(part[1]);
                wgmma_wait<1>();
                add(part[0]);
                start(part[0]);
                wgmma_wait<1>();
                add(part[1]);
            }
            if (tile < STEPS) {
                start(part[1]);
                wgmma_wait<1>();
                add(part[0]);
                wgmma_wait<0>();
                add(part[1]);
            } else {
                wgmma_wait<0>();
                add(part[0]);
            }
            //@END
            //@END
            //@IF IF_SUMMED
            //@IF IF_PING_PONG
            named_wait(1 + consumer, 256); /* the other consumer has issued its products */
            //@END
            int tile = 0, last = 0;
#pragma unroll 1
            do { /* K is at least 1 */
                const unsigned char *const slot = slots + ring.slot * stage_bytes;
                /* 8192 bytes are 64 rows of 128; a descriptor counts in units of 16. */
                const unsigned long long a = wgmma_descriptor(slot + first_block * 8192, 8192);
                const unsigned long long b = wgmma_descriptor(B_FROM, 8192);
                mbarrier_wait(full + ring.slot, ring.parity);
                wgmma_fence();
#pragma unroll
                for (int step = 0; step < 4; step++)
#pragma unroll
                    for (int i = 0; i < blocks; i++)
                        MULTIPLY(sum[i], a + (i * 8192 + step * A_STEP) / 16,
                                 b + step * B_STEP / 16);
                wgmma_commit();
                wgmma_wait<1>(); /* the previous group has finished: release its stage */
                if (tile > 0) release(last);
                last = ring.slot;
                ring.step();
            } while (++tile < STEPS);
            //@IF IF_PING_PONG
            named_arrive(2 - consumer, 256);
            ring_skip(ring, tiles_k);
            //@END
            wgmma_wait<0>();
            //@IF IF_WHOLE
            release(last);
            //@END
            //@END
            //@HOLE ADD_PARTS
            //@IF IF_STREAM
            constexpr int warp_sums = 32 * blocks * TILE_SUMS;
            const int consumer_warp = warp - PRODUCER_WARPS;
            unsigned *const flags = (unsigned *)scratch + consumer_warp; /* of this warp, by part */
            SUM *const partial =
                (SUM *)(scratch + flag_bytes) + consumer_warp * warp_sums + 4 * lane;
            if (first_step > 0) {
                SUM *const to = partial + own * CONSUMER_WARPS * warp_sums;
#pragma unroll
                for (int i = 0; i < blocks; i++)
#pragma unroll
                    for (int j = 0; j < TILE_SUMS; j += 4) {
                        const SUM *const d = sum[i] + j;
                        store_pack(to + 32 * (i * TILE_SUMS + j),
                                   Pack<SUM, 4>{d[0], d[1], d[2], d[3]});
                    }
                __syncwarp();
                if (lane == 0) flag_set(flags + own * CONSUMER_WARPS);
                continue;
            }
            if (end_step < tiles_k) {
#pragma unroll 1
                for (int other = own + 1; other < own + parts; other++) {
                    const SUM *const from = partial + other * CONSUMER_WARPS * warp_sums;
                    if (lane == 0) flag_wait(flags + other * CONSUMER_WARPS);
                    __syncwarp();
#pragma unroll
                    for (int i = 0; i < blocks; i++)
#pragma unroll
                        for (int j = 0; j < TILE_SUMS; j += 4) {
                            const Pack<SUM, 4> part =
                                load_pack<4>(from + 32 * (i * TILE_SUMS + j));
#pragma unroll
                            for (int l = 0; l < 4; l++) sum[i][j + l] += part.at[l];
                        }
                }
            }
            //@END

            //@HOLE BY_ROWS
            //@HOLE IN_BOXES
            //@HOLE BY_ELEMENTS
            //@IF IF_SPLIT
            cluster_wait(); /* until here other blocks read the sums in this one's memory */
            //@END
        }
        //@IF IF_BOXES
        if (wide && lane == 0) tma_store_wait<0>(); /* stores read the shared memory of the block */
        //@END
    }
    //@IF IF_CLUSTER
    cluster_sync(); /* until here other blocks use this one's shared memory */
    //@END
}
