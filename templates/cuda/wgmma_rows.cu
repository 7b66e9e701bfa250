/* wgmma_rows.cu: the epilogue of wgmma.cu where threads take whole rows of results. IF_HALVES: both
 * consumer warpgroups have the same rows, and half of the columns each. IF_HELD: rows are only
 * reduced, by the threads that have their elements. */
#include "prelude.cuh"
#define IDX int
#define SUM float
#define DOT_M 100
#define PRODUCER_WARPS 4
#define OWN_N row_n
#define OWN_COLUMN c * row_n
#define SYNC_ROWS __syncwarp()
#define FIRST_PIECE 0
#define FIRST_ROW lane / ROW_THREADS
#define END_ROW 8
#define ROW_THREADS 8
#define SEGMENTS 1
#define SEGMENT_COLUMNS 64
#define VALID at_row < DOT_M
template <class Release>
__device__ void alone(float (&sum)[1][64], unsigned char *slots, unsigned thread, int m_start,
                      int n_start, int first_block, int last, bool wide, Release release) {
    constexpr int products = 1, tile_n = 128, blocks = 1, stages = 4, stage_bytes = 1 << 15;
    constexpr int pitch = tile_n + 8, strip_bytes = 32 * pitch;
    const unsigned lane = thread % 32, warp = thread / 32;
//@BEGIN
/* Epilogue: rows go through shared memory, 8 of each warp at a time, and ROW_THREADS
 * threads take one. With g = lane / 4 and t = lane % 4, a thread holds columns 2 t and
 * 2 t + 1 of every 8, in rows g and g + 8. */
constexpr int segments = SEGMENTS, row_n = tile_n / segments; /* of a row in the tile */
//@IF IF_WHOLE
SUM *const strip = (SUM *)(slots + stages * stage_bytes + (warp - PRODUCER_WARPS) * strip_bytes);
//@END
//@IF IF_HALVES
/* Two warps share 8 rows, of which each has half of the columns, and finishes 4. The
 * rows take the place of the last stage, which both consumers have multiplied. */
constexpr int own_n = tile_n / 2;
SUM *const strip = (SUM *)(slots + last * stage_bytes + warp % 4 * strip_bytes);
named_wait(5, 256);
//@END
//@IF IF_HELD
if (wide) { /* else through shared memory: a thread has pairs of a row's elements */
#pragma unroll
    for (int piece = 0; piece < 2 * blocks * segments; piece++) {
        SUM held[products * row_n / 4];
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int j = 0; j < row_n / 8; j++) {
                const SUM *const d = sum[piece / segments / 2] + c * (tile_n / 2) +
                                     piece % segments * (row_n / 2) + 4 * j +
                                     piece / segments % 2 * 2;
                held[c * (row_n / 4) + 2 * j] = d[0];
                held[c * (row_n / 4) + 2 * j + 1] = d[1];
            }
        const IDX at_piece = m_start + (first_block + piece / segments / 2) * 64 +
                             warp % 4 * 16 + piece / segments % 2 * 8 + lane / 4;
        //@IF IF_SEGMENTS
        const IDX segment = n_start / SEGMENT_COLUMNS + piece % segments;
        //@END
        const int lane = thread % 4;
        //@IF IF_RAGGED
        const IDX at_row = at_piece;
        const bool valid = VALID; /* else: read the last row, store nothing */
        [[maybe_unused]] const IDX at_m = at_row < DOT_M ? at_row : DOT_M - 1;
        //@END
        //@IF IF_EVEN
        [[maybe_unused]] const IDX at_m = at_piece;
        //@END
        //@HOLE HELD
    }
}
//@END
#pragma unroll 1
for (int piece = FIRST_PIECE; piece < 2 * blocks * segments; piece++) {
    SYNC_ROWS;
#pragma unroll
    for (int p = 0; p < 2 * blocks * segments; p++)
        if (p == piece)
#pragma unroll
            for (int c = 0; c < products; c++)
#pragma unroll
                for (int j = 0; j < OWN_N / 8; j++) {
                    const SUM *const d =
                        sum[p / segments / 2] + c * (tile_n / 2) +
                        p % segments * (row_n / 2) + 4 * j + p / segments % 2 * 2;
                    store_pack(strip + lane / 4 * pitch + OWN_COLUMN + 8 * j +
                                   lane % 4 * 2,
                               Pack<SUM, 2>{d[0], d[1]});
                }
    SYNC_ROWS;
    const IDX m_piece = m_start + (first_block + piece / segments / 2) * 64 +
                        warp % 4 * 16 + piece / segments % 2 * 8;
    //@IF IF_SEGMENTS
    const IDX segment = n_start / SEGMENT_COLUMNS + piece % segments;
    //@END
#pragma unroll 1
    for (int row = FIRST_ROW; row < END_ROW; row += 32 / ROW_THREADS) {
        const int lane = thread % ROW_THREADS;
        const SUM *const row_sums = strip + row * pitch;
        //@IF IF_RAGGED
        const IDX at_row = m_piece + row;
        const bool valid = VALID; /* else: read the last row, store nothing */
        [[maybe_unused]] const IDX at_m = at_row < DOT_M ? at_row : DOT_M - 1;
        //@END
        //@IF IF_EVEN
        [[maybe_unused]] const IDX at_m = m_piece + row;
        //@END
        //@HOLE ROW
    }
}
//@IF IF_HALVES
fence_proxy_async();
__syncwarp();
release(last);
//@END
//@FINISH
}
