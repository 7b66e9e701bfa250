/* gemv.cu: a matrix product with few rows on the tensor cores of sm_80 and later:
 * c[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k], for `products` right operands b
 * that share a. It is bound by the bytes of b, which go from memory to registers. A block computes
 * tile_n columns of each product; its warps share out k, and add up their sums through shared
 * memory.
 *
 * An instruction multiplies 16 columns of b, as its rows, by 8 rows of a, as its columns. Four
 * threads share each of these, and have `each` elements that follow each other in memory. An
 * instruction takes 8 bytes of each thread, the same ones of a and b: products are added in another
 * order than k.
 *
 * `wide`: sizes and pointers allow accesses of whole packs. */
#include "prelude.cuh"
#define HEAD template <bool wide> __device__ void alone(const bf16 *x, const bf16 *w, float *y)
#define IDX int
#define TO_IDX (int)
#define TO_INT (int)
#define SUM float
#define TYPE bf16
#define MULTIPLY mma_bf16
#define DOT_M 3
#define DOT_N 100
#define DOT_K 100
#define COUNT 1
#define PAD 4
//@BEGIN
HEAD {
    //@HOLE SIZES
    constexpr int products = COUNT; /* right operands that share the left one */
    constexpr int pieces_n = tile_n / 8, pieces = products * pieces_n, pairs = (pieces + 1) / 2;
    constexpr int parts = each * sizeof(TYPE) / 8, halves = rows / 8;
    constexpr int depth = steps * 4 * each; /* that a warp has of k at a time */
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const IDX tiles_n = (DOT_N + tile_n - 1) / tile_n;
    const IDX n_start = (IDX)blockIdx.x % tiles_n * tile_n;
    //@HOLE AT_BATCH

    SUM sum[pairs][halves][4] = {};
    /* Adds the products of a part of k; `ends`: k ends within it. */
    const auto add = [&](int tile, [[maybe_unused]] bool ends) {
        Pack<TYPE, each> a_pieces[steps][halves] = {}, b_pieces[steps][products][pieces_n] = {};
#pragma unroll
        for (int step = 0; step < steps; step++) {
            const IDX k_start =
                TO_IDX(tile * warps + warp) * depth + step * (4 * each) + lane % 4 * each;
#pragma unroll
            for (int piece = 0; piece < pieces_n; piece++) {
                //@IF IF_WHOLE_N
                const IDX at_n = n_start + 8 * piece + lane / 4;
                //@END
                //@IF IF_RAGGED_N
                const IDX column = n_start + 8 * piece + lane / 4;
                const IDX at_n = column < DOT_N ? column : DOT_N - 1; /* beyond: not stored */
                //@END
                //@HOLE RIGHT
            }
#pragma unroll
            for (int half = 0; half < halves; half++) {
                //@IF IF_WHOLE_M
                const IDX at_m = 8 * half + lane / 4;
                //@END
                //@IF IF_RAGGED_M
                const IDX row = 8 * half + lane / 4, at_m = row < DOT_M ? row : DOT_M - 1;
                //@END
                auto &elements = a_pieces[step][half];
                //@HOLE LEFT
            }
        }
#pragma unroll
        for (int step = 0; step < steps; step++)
#pragma unroll
            for (int part = 0; part < parts; part++) {
                unsigned a_part[halves][2];
#pragma unroll
                for (int half = 0; half < halves; half++) {
                    a_part[half][0] = pack_word(a_pieces[step][half], 2 * part);
                    a_part[half][1] = pack_word(a_pieces[step][half], 2 * part + 1);
                    //@IF IF_ROUNDED
                    round_tf32(a_part[half]);
                    //@END
                }
#pragma unroll
                for (int pair = 0; pair < pairs; pair++) {
                    unsigned b_part[4] = {};
#pragma unroll
                    for (int i = 0; i < 2; i++) {
                        const int piece = 2 * pair + i;
                        if (piece >= pieces) continue;
                        const auto &from = b_pieces[step][piece / pieces_n][piece % pieces_n];
                        b_part[i] = pack_word(from, 2 * part);
                        b_part[i + 2] = pack_word(from, 2 * part + 1);
                    }
                    //@IF IF_ROUNDED
                    round_tf32(b_part);
                    //@END
#pragma unroll
                    for (int half = 0; half < halves; half++)
                        MULTIPLY(sum[pair][half], b_part, a_part[half]);
                }
            }
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

    /* Warps add up their sums. Rows are padded so that a warp's stores are in different banks. */
    constexpr int width = products * tile_n, pitch = width + PAD;
    SUM *const strip = (SUM *)dynamic_shared;
#pragma unroll
    for (int piece = 0; piece < pieces; piece++)
#pragma unroll
        for (int half = 0; half < halves; half++)
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const int row = warp * rows + 8 * half + lane % 4 * 2 + i;
                strip[row * pitch + 8 * piece + lane / 4] = sum[piece / 2][half][piece % 2 * 2 + i];
            }
    //@HOLE SUMS
}
