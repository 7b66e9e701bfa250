/* wgmma_elements.cu: the epilogue of wgmma.cu where threads store packs of results, or elements. */
#include "prelude.cuh"
#define IDX int
#define SUM float
#define BEYOND at_m >= 100 || at_n >= 100
#define PRODUCER_WARPS 4
#define FINISH_VECTOR 4
#define FINISH_UNROLL 1
template <class>
__device__ void alone(float (&sum)[1][64], unsigned char *slots, unsigned thread, bool wide,
                      int m_start, int n_start, int first_block) {
    constexpr int products = 1, tile_n = 128, blocks = 1, stages = 4, stage_bytes = 1 << 15;
    constexpr int strip_n = 32, pitch = strip_n + 8, strip_bytes = 64 * pitch, parts = 2;
    const int rank = blockIdx.x % parts;
    const unsigned lane = thread % 32, warp = thread / 32;
//@BEGIN
/* Epilogue: accumulators go through shared memory, 16 rows and strip_n columns at a
 * time, so that each thread handles neighbouring columns. With g = lane / 4 and
 * t = lane % 4, a thread holds columns 2 t and 2 t + 1 of every 8, in rows g and
 * g + 8. */
SUM *const strip =
    (SUM *)(slots + stages * stage_bytes + (warp - PRODUCER_WARPS) * strip_bytes);
constexpr int slices = tile_n / strip_n;
#pragma unroll 1
for (int slice = 0; slice < blocks * slices; slice++) {
    //@IF IF_SPLIT
    if (slice % slices % parts != rank) continue;
    //@END
    const IDX m_slice = m_start + (first_block + slice / slices) * 64 + warp % 4 * 16;
    const IDX n_slice = n_start + slice % slices * strip_n;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < blocks * slices; i++)
        if (i == slice)
#pragma unroll
            for (int c = 0; c < products; c++)
#pragma unroll
                for (int j = 0; j < strip_n / 8; j++) {
                    const SUM *const d = sum[i / slices] + c * (tile_n / 2) +
                                         i % slices * (strip_n / 2) + 4 * j;
                    SUM *const to =
                        strip + lane / 4 * pitch + c * strip_n + 8 * j + lane % 4 * 2;
                    store_pack(to, Pack<SUM, 2>{d[0], d[1]});
                    store_pack(to + 8 * pitch, Pack<SUM, 2>{d[2], d[3]});
                }
    __syncwarp();
    //@IF IF_PACKS
    if (wide) {
        constexpr int VEC = FINISH_VECTOR;
#pragma unroll FINISH_UNROLL
        for (unsigned item = lane; item < 16 * strip_n / VEC; item += 32) {
            const int row = item / (strip_n / VEC), col = item % (strip_n / VEC) * VEC;
            const IDX at_m = m_slice + row, at_n = n_slice + col;
            const SUM *const sums = strip + row * pitch + col;
            //@IF IF_BEYOND
            if (BEYOND) continue;
            //@END
            //@HOLE FINISH
        }
        continue;
    }
    //@END
#pragma unroll 1
    for (int item = lane; item < 16 * strip_n; item += 32) {
        constexpr int VEC = 1;
        const int row = item / strip_n, col = item % strip_n;
        const IDX at_m = m_slice + row, at_n = n_slice + col;
        const SUM *const sums = strip + row * pitch + col;
        //@IF IF_BEYOND
        if (BEYOND) continue;
        //@END
        //@HOLE FINISH_SINGLE
    }
}
//@FINISH
}
