/* tiles_weights.h: attention by products of bf16: weights as rows of pairs, and products with their
 * columns. Sections as in lanes.h. */
#pragma once
#include "tiles_products.h"
//@BEGIN
//@SECTION --
/* ---- attention by products of bf16 ---------------------------------------------------------- */

//@SECTION BF16_LANES BF16_ROOM
/* Lanes of a panel's line of n elements, in whole AMX tiles; and before its pairs are joined. */
#if FX_AMX
#define BF16_LANES(n) (FX_ROUND(n, 32) / 2)
#define BF16_ROOM(n)  FX_ROUND(n, 16)
#else
#define BF16_LANES(n) (((n) + FX_PAIRS - 1) / FX_PAIRS)
#define BF16_ROOM(n)  (n)
#endif

//@SECTION st_weights
/* A vector of weights, the first of number `at`, rounded, in place of scores that were read: pairs
 * of bf16 from the start of the row on, or f32. */
LANES void st_weights(float *row, idx at, f32 weights) {
#if FX_PAIRS == 2 && defined(__AVX512BF16__)
    u16 h;
    __asm__("vcvtneps2bf16 %1, %0" : "=v"(h) : "v"(weights));
    st_16((bf16 *)row + at, h, VL);
#elif FX_PAIRS == 2
    st_bf16((bf16 *)row + at, weights, VL);
#else
    st_f32(row + at, round_bf16(weights), VL);
#endif
}

//@SECTION end_weights
/* Zeros after the vectors of n weights, up to a whole tile. */
LANES void end_weights(float *row, idx n) {
    const idx end = FX_ROUND(n, VL);
    if (FX_AMX && end % 32) memset((bf16 *)row + end, 0, VL * sizeof(bf16));
}

//@SECTION tile_sums_turned_bf16
/* sums += the product of the columns of such weights: `steps` rows, `across` lanes apart. Pairs of
 * rows are joined in `turned`, which has room for half as many lanes. */
#if FX_AMX
LANES void tile_sums_turned_bf16(idx steps, const float *restrict weights, idx across,
                                 float *restrict turned, const float *restrict right,
                                 idx right_size, float *restrict sums, idx sums_size, idx stride,
                                 idx rows, idx panels) {
    pack_a_across_bf16(turned, SHARED_MR * BF16_LANES(steps), SHARED_MR, (const bf16 *)weights,
                       2 * across, rows, steps);
    tile_sums_bf16(BF16_LANES(steps), turned, SHARED_MR * BF16_LANES(steps), right, right_size,
                   sums, sums_size, stride, true, FX_ROUND(rows, SHARED_MR), panels, 0);
}
#elif FX_PAIRS == 2
LANES void tile_sums_turned_bf16(idx steps, const float *restrict weights, idx across,
                                 float *restrict turned, const float *restrict right,
                                 idx right_size, float *restrict sums, idx sums_size, idx stride,
                                 idx rows, idx panels) {
    pack_b_across_bf16(turned, 0, across, (const bf16 *)weights, 2 * across, rows, steps);
    tile_sums_weights_bf16((steps + 1) / 2, turned, 1, across, right, right_size, sums, sums_size,
                           stride, rows, panels);
}
#else
LANES void tile_sums_turned_bf16(idx steps, const float *restrict weights, idx across,
                                 float *restrict turned, const float *restrict right,
                                 idx right_size, float *restrict sums, idx sums_size, idx stride,
                                 idx rows, idx panels) {
    (void)turned;
    tile_sums_across_f32(steps, weights, 1, across, right, right_size, sums, sums_size, stride,
                         rows, panels);
}
#endif
