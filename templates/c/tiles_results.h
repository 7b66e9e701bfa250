/* tiles_results.h: contractions whose results are their sums: over all of k at once, the
 * micro-kernel stores them in rows of y, `y_across` apart, and no sums go through memory but those
 * of tiles at the edges of y. Sections as in lanes.h. */
#pragma once
#include "tiles_bf16.h"
//@BEGIN
//@SECTION TILE_RESULTS
/* The sums of whole tiles in place, and others by way of `sums`. */
#define TILE_RESULTS(SUMS_OF, ALL)                                                                 \
    enum { NR = 2 * VL };                                                                          \
    const idx whole = rows / ALL * ALL, full = columns / NR;                                       \
    SUMS_OF(steps, left, left_size, right, right_size, y, NR, y_across, false, whole, full, rest); \
    if (whole < rows) {                                                                            \
        SUMS_OF(steps, left + whole / ALL * left_size, left_size, right, right_size, sums,         \
                sums_size, NR, false, rows - whole, full, rest);                                   \
        copy_results(y + whole * y_across, y_across, sums, sums_size, rows - whole, full * NR);    \
    }                                                                                              \
    if (full * NR < columns) {                                                                     \
        SUMS_OF(steps, left, left_size, right + full * right_size, right_size, sums, sums_size,    \
                NR, false, rows, 1, rest);                                                         \
        copy_results(y + full * NR, y_across, sums, sums_size, rows, columns - full * NR);         \
    }

//@SECTION copy_results
/* Sums of 32 bits, panel by panel, to rows of y. */
LANES void copy_results(void *y, idx y_across, const void *sums, idx sums_size, idx rows,
                        idx columns) {
    enum { NR = 2 * VL };
    const int32_t *const from = sums;
    int32_t *const to = y;
    for (idx row = 0; row < rows; row++)
        for (idx column = 0; column < columns; column += VL)
            st_i32(to + row * y_across + column,
                   ld_i32(from + column / NR * sums_size + row * NR + column % NR, VL),
                   fx_least(columns - column, VL));
}

//@SECTION tile_results_f32
LANES void tile_results_f32(idx steps, const float *restrict left, idx left_size,
                            const float *restrict right, idx right_size, float *restrict sums,
                            idx sums_size, float *restrict y, idx y_across, idx rows, idx columns,
                            idx rest) {
    TILE_RESULTS(tile_sums_f32, MR)
}

//@SECTION tile_results_bytes
LANES void tile_results_bytes(idx steps, const int32_t *restrict left, idx left_size,
                              const int32_t *restrict right, idx right_size,
                              int32_t *restrict sums, idx sums_size, int32_t *restrict y,
                              idx y_across, idx rows, idx columns, idx rest) {
    TILE_RESULTS(tile_sums_bytes, SHARED_MR)
}

//@SECTION tile_results_ubytes
LANES void tile_results_ubytes(idx steps, const int32_t *restrict left, idx left_size,
                               const int32_t *restrict right, idx right_size,
                               int32_t *restrict sums, idx sums_size, int32_t *restrict y,
                               idx y_across, idx rows, idx columns, idx rest) {
    TILE_RESULTS(tile_sums_ubytes, SHARED_MR)
}

//@SECTION tile_results_left_bf16
/* tile_sums_left_bf16 over all of k, and the results as bf16. Where a lane holds a pair they are
 * stored from registers, those of a tile at the edge of y by way of `edge`. A sum is no denormal,
 * so the instruction rounds it as st_bf16 does. */
#if FX_PAIRS == 2 && !FX_AMX
TILE_FUNCTION tile_results_left_bf16(idx steps, const bf16 *restrict x, idx across,
                                     const float *restrict packed, idx left_size,
                                     const float *restrict right, idx right_size,
                                     float *restrict sums, idx sums_size, bf16 *restrict y,
                                     idx y_across, idx rows, idx columns, idx rest) {
    typedef int32_t Pair __attribute__((may_alias));
    typedef u32 Row __attribute__((aligned(4), may_alias));
    enum { WIDTH = VL, NR = 2 * VL };
    const idx panels = (columns + NR - 1) / NR;
    bf16 edge[MR * NR];
    (void)x, (void)across, (void)sums, (void)sums_size, (void)rest;
    steps = (steps + 1) / 2;
    EACH_TILE(MR) {
        const Pair *a = (const Pair *)packed + row / MR * left_size;
        const int32_t *b = (const int32_t *)right + panel * right_size;
        const idx own_rows = fx_least(rows - row, MR), own = fx_least(columns - panel * NR, NR);
        const bool is_whole = own_rows == MR && own == NR;
        bf16 *const to = y + row * y_across + panel * NR, *const c = is_whole ? to : edge;
        const idx stride = is_whole ? y_across : NR;
        u32 sum[MR][2];
        EACH_SUM(MR, 2) sum[r][v] = (u32){0};
        TILE_STEPS(TILE_STEP, MR, 2, u32, MR, BF16_ADD)
        EACH_SUM(MR, 2) {
            u16 result;
            __asm__("vcvtneps2bf16 %1, %0" : "=v"(result) : "v"(sum[r][v]));
            st_16(c + r * stride + v * VL, result, VL);
        }
        for (idx r = 0; r < own_rows && !is_whole; r++)
            memcpy(to + r * y_across, edge + r * NR, (size_t)own * sizeof(bf16));
    }
}
#else
LANES void tile_results_left_bf16(idx steps, const bf16 *restrict x, idx across,
                                  const float *restrict packed, idx left_size,
                                  const float *restrict right, idx right_size,
                                  float *restrict sums, idx sums_size, bf16 *restrict y,
                                  idx y_across, idx rows, idx columns, idx rest) {
    enum { NR = 2 * VL };
    tile_sums_left_bf16(steps, x, across, packed, left_size, right, right_size, sums, sums_size, NR,
                        false, rows, (columns + NR - 1) / NR, rest);
    for (idx row = 0; row < rows; row++)
        for (idx column = 0; column < columns; column += VL)
            st_bf16(y + row * y_across + column,
                    ld_f32(sums + column / NR * sums_size + row * NR + column % NR, VL),
                    fx_least(columns - column, VL));
}
#endif
