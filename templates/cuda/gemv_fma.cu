/* gemv_fma.cu: a matrix product of f32 with few rows by fused multiply-adds:
 * c[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k], for `products` right operands b
 * that share a. It is bound by the bytes of b, which go from memory to registers, four elements
 * along k of each of a thread's columns at a time; those of a come from L1. A block computes tile_n
 * columns of each product. Threads of a warp that have the same columns share out k, and so do the
 * warps, which add up their sums through shared memory.
 *
 * IF_ALONG: b is contiguous along k. IF_ACROSS: along n.
 *
 * `wide`: sizes and pointers allow accesses of whole packs. */
#include "prelude.cuh"
#define HEAD template <bool wide> __device__ void alone(const float *x, const float *w, float *y)
#define IDX int
#define TO_IDX (int)
#define TO_INT (int)
#define SUM float
#define DOT_N 100
#define DOT_K 100
#define COUNT 1
#define PAD 4
#define LANE_STEP 1
#define AT_COLUMN lanes_n * column + lane_n
#define ELEMENT [column].at[i]
//@BEGIN
HEAD {
    //@HOLE SIZES
    constexpr int products = COUNT, each = 4; /* right operands; elements along k */
    constexpr int lanes_k = 32 / lanes_n, columns = tile_n / lanes_n;
    constexpr int depth = steps * lanes_k * each; /* that a warp has of k at a time */
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    //@IF IF_ALONG
    const int lane_n = lane / lanes_k, lane_k = lane % lanes_k;
    //@END
    //@IF IF_ACROSS
    const int lane_n = lane % lanes_n, lane_k = lane / lanes_n;
    //@END
    const IDX tiles_n = (DOT_N + tile_n - 1) / tile_n;
    const IDX n_start = (IDX)blockIdx.x % tiles_n * tile_n;
    //@HOLE AT_BATCH

    SUM sum[products][rows][columns] = {};
    //@IF IF_ALONG
    /* Adds the products of a part of k; `ends`: k ends within it. */
    const auto add = [&](int tile, [[maybe_unused]] bool ends) {
    //@END
    //@IF IF_ACROSS
#pragma unroll 1
    for (int tile = 0; TO_IDX(tile * warps + warp) * depth < DOT_K; tile++) {
    //@END
        const IDX k_first = TO_IDX(tile * warps + warp) * depth + lane_k * each;
        //@IF IF_ALONG
        Pack<SUM, each> b_pieces[steps][products][columns] = {};
        //@END
        //@IF IF_ACROSS
        Pack<SUM, columns> b_pieces[steps][products][each] = {};
        //@END
#pragma unroll
        for (int step = 0; step < steps; step++) {
            //@IF IF_ALONG
            const IDX k_start = k_first + step * lanes_k * each;
#pragma unroll
            for (int column = 0; column < columns; column++) {
                //@IF IF_WHOLE_N
                const IDX at_n = n_start + lanes_n * column + lane_n;
                //@END
                //@IF IF_RAGGED_N
                const IDX own = n_start + lanes_n * column + lane_n;
                const IDX at_n = own < DOT_N ? own : DOT_N - 1; /* beyond: not stored */
                //@END
                //@HOLE RIGHT
            }
            //@END
            //@IF IF_ACROSS
            const IDX n_first = n_start + lane_n * columns;
#pragma unroll
            for (int i = 0; i < each; i++) {
                const IDX at_k = k_first + step * lanes_k * each + i;
                //@HOLE RIGHT
            }
            //@END
        }
#pragma unroll
        for (int step = 0; step < steps; step++) {
            const IDX k_start = k_first + step * lanes_k * each;
#pragma unroll
            for (int at_m = 0; at_m < rows; at_m++) {
                Pack<SUM, each> elements = {};
                //@HOLE LEFT
#pragma unroll
                for (int product = 0; product < products; product++)
#pragma unroll
                    for (int column = 0; column < columns; column++)
#pragma unroll
                        for (int i = 0; i < each; i++) {
                            const SUM right = b_pieces[step][product]ELEMENT;
                            sum[product][at_m][column] += elements.at[i] * right;
                        }
            }
        }
    //@IF IF_ACROSS
    }
    //@END
    //@IF IF_ALONG
    };
    //@IF IF_EVEN
#pragma unroll 1
    for (int tile = 0; tile < DOT_K / (warps * depth); tile++) add(tile, false);
    //@END
    //@IF IF_UNEVEN
    int tile = 0;
#pragma unroll 1
    for (; TO_IDX(tile * warps + warp + 1) * depth <= DOT_K; tile++) add(tile, false);
    //@END
    //@IF IF_ENDS
    if (TO_IDX(tile * warps + warp) * depth < DOT_K) add(tile, true);
    //@END
    //@END

    /* Threads that have the same columns add up their sums, then warps do. */
    constexpr int width = products * tile_n, pitch = width + PAD;
    SUM *const strip = (SUM *)dynamic_shared;
#pragma unroll
    for (int product = 0; product < products; product++)
#pragma unroll
        for (int row = 0; row < rows; row++)
#pragma unroll
            for (int column = 0; column < columns; column++) {
                SUM added = sum[product][row][column];
#pragma unroll
                for (int other = lanes_k / 2; other > 0; other /= 2)
                    added += __shfl_xor_sync(0xffffffffu, added, other * LANE_STEP);
                const int at = product * tile_n + AT_COLUMN;
                if (lane_k == 0) strip[(warp * rows + row) * pitch + at] = added;
            }
    //@HOLE SUMS
}
