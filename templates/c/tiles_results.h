/* tiles_results.h: contractions whose results are their sums: over all of k at once, the
 * micro-kernel stores them in rows of y, `y_across` apart, and no sums go through memory but those
 * of tiles at the edges of y. Sections as in lanes.h. */
#pragma once
#include "tiles_indirect.h"
//@BEGIN
//@SECTION FX_ENDS
/* Columns of a last panel that may not be full. */
#define FX_ENDS(columns) (columns)
#define FX_HAS_ENDS      1

//@SECTION TILE_RESULTS
#ifndef FX_HAS_ENDS
#define FX_HAS_ENDS 0
#endif
/* The sums of whole tiles in place, and others by way of `sums`: `rest` rows and `ends` columns, if
 * these are not 0. */
#define TILE_RESULTS(SUMS_OF, HALF_OF, ALL)                                                        \
    enum { NR = 2 * VL };                                                                          \
    const idx whole = rows / ALL * ALL, full = columns / NR;                                       \
    SUMS_OF(steps, left, left_size, right, right_size, y, NR, y_across, false, whole, full, rest); \
    if (rest && whole < rows) {                                                                    \
        SUMS_OF(steps, left + whole / ALL * left_size, left_size, right, right_size, sums,         \
                sums_size, NR, false, rows - whole, full, rest);                                   \
        copy_results(y + whole * y_across, y_across, sums, sums_size, rows - whole, full * NR);    \
    }                                                                                              \
    if (FX_HAS_ENDS && ends && full * NR < columns) {                                              \
        if (ends <= VL)                                                                            \
            HALF_OF(steps, left, left_size, right + full * right_size, right_size, sums,           \
                    sums_size, NR, false, rows, 1, rest);                                          \
        else                                                                                       \
            SUMS_OF(steps, left, left_size, right + full * right_size, right_size, sums,           \
                    sums_size, NR, false, rows, 1, rest);                                          \
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
SHARED_FUNCTION FULL_VECTORS void tile_results_f32(
    idx steps, const float *restrict left, idx left_size, const float *restrict right,
    idx right_size, float *restrict sums, idx sums_size, float *restrict y, idx y_across, idx rows,
    idx columns, idx rest, idx ends)
{
    TILE_RESULTS(tile_sums_f32, tile_half_f32, MR)
}

//@SECTION tile_results_bytes
TILE_FUNCTION tile_results_bytes(idx steps, const int32_t *restrict left, idx left_size,
                                 const int32_t *restrict right, idx right_size,
                                 int32_t *restrict sums, idx sums_size, int32_t *restrict y,
                                 idx y_across, idx rows, idx columns, idx rest, idx ends)
{
    TILE_RESULTS(tile_sums_bytes, tile_half_bytes, SHARED_MR)
}

//@SECTION tile_results_ubytes
TILE_FUNCTION tile_results_ubytes(idx steps, const int32_t *restrict left, idx left_size,
                                  const int32_t *restrict right, idx right_size,
                                  int32_t *restrict sums, idx sums_size, int32_t *restrict y,
                                  idx y_across, idx rows, idx columns, idx rest, idx ends)
{
    TILE_RESULTS(tile_sums_ubytes, tile_half_ubytes, SHARED_MR)
}

//@SECTION BF16_RESULTS
#if FX_PAIRS == 2 && !FX_AMX
/* A tile from registers, at the edges of y by way of `edge`; of the last panel one vector is
 * multiplied if that has all its columns. A sum is no denormal, so the instruction rounds it as
 * st_bf16 does. */
#define BF16_RESULTS(STEP, HALF_STEP, ROWS, NEXT)                                                  \
    {                                                                                              \
        const int32_t *b = (const int32_t *)right + panel * right_size;                            \
        const idx own = columns - panel * 2 * VL;                                                  \
        bf16 *const to = y + row * y_across + panel * 2 * VL;                                      \
        if (ends && ends <= VL && own <= VL) BF16_RESULTS_OF(HALF_STEP, ROWS, 1, NEXT)             \
        else BF16_RESULTS_OF(STEP, ROWS, 2, NEXT)                                                  \
    }
#define BF16_RESULTS_OF(STEP, ROWS, V, NEXT)                                                       \
    {                                                                                              \
        const bool is_whole = rows - row >= ROWS && own >= V * VL;                                 \
        bf16 edge[ROWS * V * VL], *const c = is_whole ? to : edge;                                 \
        const idx stride = is_whole ? y_across : V * VL;                                           \
        u32 sum[ROWS][V] = {{{0}}};                                                                \
        TILE_STEPS(STEP, ROWS, V, u32, NEXT, BF16_ADD)                                             \
        bf16 *at = c;                                                                              \
        EACH_SUM_ROW {                                                                             \
            EACH_SUM_OF_ROW st_rounded(at + v * VL, sum[r][v]);                                    \
            NEXT_ROW(at, stride);                                                                  \
        }                                                                                          \
        for (idx r = 0; !is_whole && r < fx_least(rows - row, ROWS); r++)                          \
            for (idx i = 0; i < V * VL && i < own; i += VL)                                        \
                st_16(to + r * y_across + i, ld_16(edge + r * stride + i, VL), own - i);           \
    }
LANES void st_rounded(bf16 *p, u32 sum) {
    u16 result;
    __asm__("vcvtneps2bf16 %1, %0" : "=v"(result) : "v"(sum));
    st_16(p, result, VL);
}
#else
/* Sums to rows of y, as bf16. */
LANES void bf16_results(bf16 *y, idx y_across, const float *sums, idx sums_size, idx rows,
                        idx columns) {
    enum { NR = 2 * VL };
    for (idx row = 0; row < rows; row++)
        for (idx column = 0; column < columns; column += VL)
            st_bf16(y + row * y_across + column,
                    ld_f32(sums + column / NR * sums_size + row * NR + column % NR, VL),
                    fx_least(columns - column, VL));
}
#endif

//@SECTION tile_results_left_bf16
/* tile_sums_left_bf16 over all of k, and the results as bf16. */
#if FX_PAIRS == 2 && !FX_AMX
TILE_FUNCTION tile_results_left_bf16(idx steps, const bf16 *restrict x, idx x_across,
                                     const float *restrict packed, idx left_size,
                                     const float *restrict right, idx right_size,
                                     float *restrict sums, idx sums_size, bf16 *restrict y,
                                     idx y_across, idx rows, idx columns, idx rest, idx ends)
{
    typedef int32_t Pair __attribute__((may_alias));
    typedef u32 Row __attribute__((aligned(4), may_alias));
    enum { WIDTH = VL, across = 1 };
    const idx panels = (columns + 2 * VL - 1) / (2 * VL);
    (void)x, (void)x_across, (void)sums, (void)sums_size, (void)rest;
    steps = (steps + 1) / 2;
    EACH_TILE(MR) {
        const Pair *a = (const Pair *)packed + row / MR * left_size;
        BF16_RESULTS(TILE_STEP, TILE_STEP_HALF, MR, MR)
    }
}
#else
LANES void tile_results_left_bf16(idx steps, const bf16 *restrict x, idx across,
                                  const float *restrict packed, idx left_size,
                                  const float *restrict right, idx right_size,
                                  float *restrict sums, idx sums_size, bf16 *restrict y,
                                  idx y_across, idx rows, idx columns, idx rest, idx ends) {
    enum { NR = 2 * VL };
    (void)ends;
    tile_sums_left_bf16(steps, x, across, packed, left_size, right, right_size, sums, sums_size, NR,
                        false, rows, (columns + NR - 1) / NR, rest);
    bf16_results(y, y_across, sums, sums_size, rows, columns);
}
#endif

//@SECTION tile_results_packed_bf16
/* The same of panels of a alone, of which a lane of a step has FX_PAIRS elements. */
#if FX_PAIRS == 2 && !FX_AMX
LANES void tile_results_packed_bf16(idx steps, const float *restrict left, idx left_size,
                                    const float *restrict right, idx right_size,
                                    float *restrict sums, idx sums_size, bf16 *restrict y,
                                    idx y_across, idx rows, idx columns, idx rest, idx ends) {
    tile_results_left_bf16(2 * steps, NULL, 0, left, left_size, right, right_size, sums, sums_size,
                           y, y_across, rows, columns, rest, ends);
}
#else
LANES void tile_results_packed_bf16(idx steps, const float *restrict left, idx left_size,
                                    const float *restrict right, idx right_size,
                                    float *restrict sums, idx sums_size, bf16 *restrict y,
                                    idx y_across, idx rows, idx columns, idx rest, idx ends) {
    enum { NR = 2 * VL };
    (void)ends;
    tile_sums_bf16(steps, left, left_size, right, right_size, sums, sums_size, NR, false, rows,
                   (columns + NR - 1) / NR, rest);
    bf16_results(y, y_across, sums, sums_size, rows, columns);
}
#endif

//@SECTION tile_results_rows_bf16
/* The same of tile_sums_rows_bf16. */
#if FX_PAIRS == 2 && !FX_AMX
TILE_FUNCTION tile_results_rows_bf16(idx steps, const bf16 *restrict x, idx across,
                                     float *restrict packed, idx left_size,
                                     const float *restrict right, idx right_size,
                                     float *restrict sums, idx sums_size, bf16 *restrict y,
                                     idx y_across, idx rows, idx columns, idx rest, idx ends)
{
    typedef int32_t Pair __attribute__((may_alias, aligned(2)));
    typedef u32 Row __attribute__((aligned(4), may_alias));
    enum { WIDTH = VL };
    const idx panels = (columns + 2 * VL - 1) / (2 * VL);
    (void)packed, (void)left_size, (void)sums, (void)sums_size, (void)rest;
    steps /= 2, across /= 2;
    for (idx panel = 0; panel < panels; panel++)
        for (idx next = 0, count; next < rows; next += count) {
            count = tile_row_count(rows);
            const idx row = fx_least(next, rows - count);
            const Pair *a = (const Pair *)x + row * across;
            if (count == MR) BF16_RESULTS(TILE_STEP_ACROSS, TILE_STEP_HALF, MR, 1)
            else if (count == 4) BF16_RESULTS(TILE_STEP_ACROSS, TILE_STEP_HALF, 4, 1)
            else BF16_RESULTS(TILE_STEP_ACROSS, TILE_STEP_HALF, 1, 1)
        }
}
#else
LANES void tile_results_rows_bf16(idx steps, const bf16 *restrict x, idx across,
                                  float *restrict packed, idx left_size,
                                  const float *restrict right, idx right_size,
                                  float *restrict sums, idx sums_size, bf16 *restrict y,
                                  idx y_across, idx rows, idx columns, idx rest, idx ends) {
    enum { NR = 2 * VL };
    (void)ends;
    tile_sums_rows_bf16(steps, x, across, packed, left_size, right, right_size, sums, sums_size, NR,
                        false, rows, (columns + NR - 1) / NR, rest);
    bf16_results(y, y_across, sums, sums_size, rows, columns);
}
#endif
