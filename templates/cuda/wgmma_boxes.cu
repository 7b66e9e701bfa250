/* wgmma_boxes.cu: the epilogue of wgmma.cu where results leave in boxes of 16 rows. IF_MAPPED: TMA
 * stores them. IF_SHIFTED: rows start anywhere in 16 bytes, and the warp stores them. */
#include "prelude.cuh"
#define IDX int
#define SUM float
#define DOT_M 100
#define DOT_N 100
#define PRODUCER_WARPS 4
#define BOX_VECTOR 2
#define BOX_UNROLL 1
template <class>
__device__ void alone(float (&sum)[1][64], unsigned char *slots, unsigned thread, bool wide,
                      int m_start, int n_start, int first_block) {
    constexpr int products = 1, tile_n = 128, blocks = 1, stages = 4, stage_bytes = 1 << 15;
    constexpr int slice_n = 32, box_n = 64, sets = 2, strip_bytes = sets * 2048;
    const unsigned lane = thread % 32, warp = thread / 32;
    for (bool done = false; !done; done = true) {
//@BEGIN
if (wide) {
    //@IF IF_MAPPED
    /* Epilogue: each warp puts results into boxes of 16 rows of 128 bytes, swizzled,
     * which TMA stores; with two sets of boxes, one is stored while the next is
     * computed. With g = lane / 4 and t = lane % 4, a thread holds columns 2 t and
     * 2 t + 1 of every 8, in rows g and g + 8. */
    constexpr int VEC = BOX_VECTOR, chunk_n = 8;
    //@END
    //@IF IF_SHIFTED
    /* Epilogue: each warp puts results into a box of 16 rows and stores it. A row
     * starts in the box at the same place of 16 bytes as in the tensor, so that it is
     * stored in packs. With g = lane / 4 and t = lane % 4, a thread holds columns 2 t
     * and 2 t + 1 of every 8, in rows g and g + 8. */
    constexpr int VEC = BOX_VECTOR;
    //@END
    constexpr int slices = tile_n / slice_n, box_slices = box_n / slice_n;
    //@IF IF_MAPPED
    unsigned char *const boxes =
        slots + stages * stage_bytes + (warp - PRODUCER_WARPS) * strip_bytes;
    //@END
    //@IF IF_SHIFTED
    unsigned char *const box =
        slots + stages * stage_bytes + (warp - PRODUCER_WARPS) * strip_bytes;
    //@END
#pragma unroll BOX_UNROLL
    for (int slice = 0; slice < blocks * slices; slice++) {
        const IDX m_slice =
            m_start + (first_block + slice / slices) * 64 + warp % 4 * 16;
        const IDX n_slice = n_start + slice % slices * slice_n;
        //@IF IF_MAPPED
        const int col_slice = slice % box_slices * slice_n, store = slice / box_slices;
        unsigned char *const box = boxes + store % sets * (strip_bytes / sets);
        if (col_slice == 0) { /* the earlier store of this box has read it */
            if (lane == 0 && store == 0) tma_store_wait<0>();
            if (lane == 0 && store > 0) tma_store_wait<sets - 1>();
            __syncwarp();
        }
        //@END
        //@IF IF_SHIFTED
        const int col_slice = slice % box_slices * slice_n;
        const IDX n_box = n_slice - col_slice;
        //@HOLE BOX_ROWS
        if (col_slice == 0) __syncwarp();
        //@END
        alignas(16) SUM slice_sums[products * slice_n / 2];
#pragma unroll
        for (int i = 0; i < blocks * slices; i++)
            if (i == slice)
#pragma unroll
                for (int j = 0; j < products * slice_n / 2; j++)
                    slice_sums[j] =
                        sum[i / slices][j / (slice_n / 2) * (tile_n / 2) +
                                        i % slices * (slice_n / 2) + j % (slice_n / 2)];
#pragma unroll
        for (int j = 0; j < slice_n / 2; j += VEC) {
            const int row = lane / 4 + j / 2 % 2 * 8;
            const int col = j / 4 * 8 + lane % 4 * 2 + j % 2;
            //@IF IF_RAGGED
            /* Beyond the end the first row or column is read, and nothing is stored. */
            const IDX at_row = m_slice + row, at_col = n_slice + col;
            [[maybe_unused]] const IDX at_m = at_row < DOT_M ? at_row : 0;
            [[maybe_unused]] const IDX at_n = at_col < DOT_N ? at_col : 0;
            //@END
            //@IF IF_EVEN
            [[maybe_unused]] const IDX at_m = m_slice + row, at_n = n_slice + col;
            //@END
            const SUM *const sums = slice_sums + j;
            //@IF IF_MAPPED
            unsigned char *const to = box + col % chunk_n * 2 +
                                      swizzled<128>(row, (col_slice + col) / chunk_n);
            //@END
            //@HOLE BOX_FINISH
        }
        if (col_slice + slice_n < box_n) continue;
        //@IF IF_MAPPED
        fence_proxy_async();
        __syncwarp();
        if (lane == 0) {
            const IDX n_box = n_slice - col_slice;
            //@HOLE BOXES
        }
        //@END
        //@IF IF_SHIFTED
        __syncwarp();
        //@HOLE BOXES
        //@END
    }
    continue;
}
//@FINISH
}
}
