/* wgmma_split.cu: split-K of wgmma.cu: the blocks of a cluster, each of which has a part of a tile's
 * products, add up its sums. */
#include "prelude.cuh"
#define SUM float
#define DOT_M 100
#define PRODUCER_WARPS 4
#define CONSUMER_WARPS 8
#define SPLIT_UNROLL 1
#define TILE_SUMS (products * tile_n / 2)
template <class>
__device__ void alone(float (&sum)[1][64], unsigned char *slots, int m_start, int first_block) {
    constexpr int products = 1, tile_n = 128, blocks = 1, strip_n = 32, parts = 2;
    const int rank = blockIdx.x % parts;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
//@BEGIN
{
    /* Each block of the cluster adds up some slices of columns, in a fixed order.
     * Blocks leave their sums where their stages were; the others read them there. */
    constexpr int slices = tile_n / strip_n, slice_sums = strip_n / 2;
    SUM *const partial =
        (SUM *)slots + (warp - PRODUCER_WARPS) * (32 * blocks * TILE_SUMS) + 4 * lane;
    /* Is a block of the warp's rows before the end? */
    const auto has_rows = [&](int i) {
        return m_start + (first_block + i) * 64 + warp % 4 * 16 < DOT_M;
    };
    named_wait(1, 32 * CONSUMER_WARPS); /* all stages have been multiplied */
#pragma unroll
    for (int i = 0; i < blocks; i++) {
        if (!has_rows(i)) continue;
#pragma unroll
        for (int j = 0; j < TILE_SUMS; j += 4) {
            const SUM *const d = sum[i] + j;
            store_pack(partial + 32 * (i * TILE_SUMS + j), Pack<SUM, 4>{d[0], d[1], d[2], d[3]});
        }
    }
    cluster_sync();
#pragma unroll
    for (int i = 0; i < blocks; i++) {
        if (!has_rows(i)) continue;
#pragma unroll
        for (int slice = 0; slice < slices; slice++) {
            if (slice % parts != rank) continue;
#pragma unroll
            for (int c = 0; c < products; c++)
#pragma unroll SPLIT_UNROLL
                for (int other = 1; other < parts; other++)
#pragma unroll
                    for (int j = 0; j < slice_sums; j += 4) {
                        const int at = c * (tile_n / 2) + slice * slice_sums + j;
                        const SUM *const from = partial + 32 * (i * TILE_SUMS + at);
                        const Pack<SUM, 4> part = load_pack_at(from, (rank + other) % parts);
#pragma unroll
                        for (int l = 0; l < 4; l++) sum[i][at + l] += part.at[l];
                    }
        }
    }
    cluster_arrive();
}
//@FINISH
}
