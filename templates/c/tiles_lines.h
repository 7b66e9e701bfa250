/* tiles_lines.h: left operands whose rows are contiguous along k and at any addresses, such as the
 * windows of an image: how they are packed, and micro-kernels. Sections as in lanes.h. */
#pragma once
#include "tiles_bf16.h"
//@BEGIN
//@SECTION --
/* ---- rows at any addresses ------------------------------------------------------------------ */

//@SECTION FX_LINES
/* Are the factors of a step elements at any distance? Then rows that are contiguous along k are
 * packed as lines: VL lanes of each of the MR rows, one after the other, and the same of the next
 * lanes. Copying takes a third of the time of transposing. */
#if defined(__aarch64__)
#define FX_LINES 0 /* no, neighbours */
#else
#define FX_LINES 1
#endif

//@SECTION TILE_STEP_LINES TILE_STEP_HALF_LINES
/* Steps of such panels, which are aligned to lines. */
#define TILE_STEP_LINES(ROWS, V, REG, NEXT, ADD)                                                   \
    {                                                                                              \
        TILE_STEP_OF(ROWS, V, REG, 1, EACH_ROW(ROWS, V, REG, VL, ADD))                             \
        NEXT_LINES(REG)                                                                            \
    }
#define TILE_STEP_HALF_LINES(ROWS, V, REG, NEXT, ADD)                                              \
    {                                                                                              \
        enum { across = VL };                                                                      \
        TILE_STEP_HALF(ROWS, V, REG, 1, ADD)                                                       \
        NEXT_LINES(REG)                                                                            \
    }
#define NEXT_LINES(REG) a += (uintptr_t)a % sizeof(REG) ? 0 : (MR - 1) * VL;

//@SECTION PACK_LINES
/* Packs rows of a panel at any addresses, zeros where there is none, from element `first` of the
 * panel on, as lines (FX_LINES) of EACH elements to a lane. COPY has a line's place and its first
 * element, where the row is, and the number of elements. */
#define PACK_LINES(TYPE, EACH, COPY)                                                               \
    enum { LINE = EACH * VL };                                                                     \
    static const TYPE zeros[LINE];                                                                 \
    for (idx k = 0, count; k < steps; k += count) {                                                \
        const idx within = (first + k) % LINE;                                                     \
        float *to = panel + (first + k) / LINE * (MR * VL);                                        \
        count = fx_least(LINE - within, steps - k);                                                \
        for (idx r = 0; r < MR; r++, to += VL)                                                     \
            COPY(to, within, rows[r] ? rows[r] + k : zeros, count);                                \
    }

//@SECTION PACK_ROWS
/* The same as other panels, where squares are transposed: whole ones in registers. */
#define PACK_ROWS(TYPE, EACH, LOAD, WIDTH)                                                         \
    static const TYPE zeros[EACH * VL];                                                            \
    for (idx from = 0; from < WIDTH; from += VL)                                                   \
        for (idx k = 0; k < steps; k += EACH * VL) {                                               \
            const idx left = steps - k;                                                            \
            float *const to = panel + (first + k) / EACH * WIDTH + from;                           \
            f32 square[VL];                                                                        \
            for (int i = 0; i < VL && left < EACH * VL; i++)                                       \
                square[i] = LOAD(rows[from + i] ? rows[from + i] + k : zeros, left);               \
            if (left < EACH * VL) {                                                                \
                transpose_f32(square, to, WIDTH, (left + EACH - 1) / EACH);                        \
                continue;                                                                          \
            }                                                                                      \
            _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++)                                  \
                square[i] = LOAD(rows[from + i] ? rows[from + i] + k : zeros, EACH * VL);          \
            TRANSPOSE(f32)                                                                         \
            _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++)                                  \
                st_f32(to + i * WIDTH, square[i], VL);                                             \
        }

//@SECTION pack_lines_f32
SHARED_FUNCTION void pack_lines_f32(float *panel, idx first, const float *const *rows, idx steps)
{
#if FX_LINES
#define COPY_F32(to, at, x, n) st_f32(to + at, ld_f32(x, n), n)
    PACK_LINES(float, 1, COPY_F32)
#else
    PACK_ROWS(float, 1, ld_f32, MR)
#endif
}

//@SECTION copy_pairs
/* A part of a line; the last lane of an odd number of elements is filled with a zero. */
LANES void copy_pairs(float *line, idx at, const bf16 *x, idx count) {
    bf16 *const to = (bf16 *)line + at;
    const idx all = FX_ROUND(count, 2);
    if (count == 2 * VL) {
        memcpy(to, x, 2 * VL * sizeof *x);
        return;
    }
    st_16(to, ld_16(x, count), all);
    if (count > VL) st_16(to + VL, ld_16(x + VL, count - VL), all - VL);
}

//@SECTION pack_lines_bf16
SHARED_FUNCTION void pack_lines_bf16(float *panel, idx first, const bf16 *const *rows, idx steps)
{
#if FX_AMX
    PACK_ROWS(bf16, 2, LD_PAIRS, SHARED_MR)
#elif FX_PAIRS == 2
    PACK_LINES(bf16, 2, copy_pairs)
#elif FX_LINES
#define COPY_BF16(to, at, x, n) st_f32(to + at, ld_bf16(x, n), n)
    PACK_LINES(bf16, 1, COPY_BF16)
#else
    PACK_ROWS(bf16, 1, ld_bf16, MR)
#endif
}

//@SECTION end_lines_bf16
/* What is left to do with such a panel. */
#if FX_AMX
#define end_lines_bf16(panel, width, steps) transpose_squares(panel, width, ((steps) + 1) / 2)
#else
#define end_lines_bf16(panel, width, steps) (void)0
#endif

//@SECTION tile_sums_lines_f32 tile_half_lines_f32
#if FX_LINES
TILE_FUNCTION tile_sums_lines_f32(idx steps, const float *restrict left, idx left_size,
                                  const float *restrict right, idx right_size,
                                  float *restrict sums, idx sums_size, idx stride, bool add,
                                  idx rows, idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_SUMS_BY(TILE_STEP_LINES, MR, 2, f32, float, 0, MUL_ADD, FROM_ZERO)
}
#else
#define tile_sums_lines_f32 tile_sums_f32
#endif
#if FX_LINES && VL == 16
TILE_FUNCTION tile_half_lines_f32(idx steps, const float *restrict left, idx left_size,
                                  const float *restrict right, idx right_size,
                                  float *restrict sums, idx sums_size, idx stride, bool add,
                                  idx rows, idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_HALF_BY(TILE_STEP_HALF_LINES, f32, float, 0, MUL_ADD, FROM_ZERO)
}
#else
#define tile_half_lines_f32 tile_sums_lines_f32
#endif

//@SECTION tile_sums_lines_bf16
/* The same of rows that pack_lines_bf16 packs. */
#if FX_PAIRS == 2 && !FX_AMX
TILE_FUNCTION tile_sums_lines_bf16(idx steps, const float *restrict left, idx left_size,
                                   const float *restrict right, idx right_size,
                                   float *restrict sums, idx sums_size, idx stride, bool adds,
                                   idx rows, idx panels, idx rest)
{
    enum { add = 0 };
    adds &= FX_ADDS;
    TILE_SUMS_BY(TILE_STEP_LINES, MR, 2, u32, int32_t, 0, BF16_ADD, FROM_SUMS)
}
#elif FX_AMX
#define tile_sums_lines_bf16 tile_sums_bf16
#else
#define tile_sums_lines_bf16 tile_sums_lines_f32
#endif

//@SECTION tile_half_lines_bf16
#if FX_PAIRS == 2 && !FX_AMX
TILE_FUNCTION tile_half_lines_bf16(idx steps, const float *restrict left, idx left_size,
                                   const float *restrict right, idx right_size,
                                   float *restrict sums, idx sums_size, idx stride, bool adds,
                                   idx rows, idx panels, idx rest)
{
    enum { add = 0 };
    adds &= FX_ADDS;
    TILE_HALF_BY(TILE_STEP_HALF_LINES, u32, int32_t, 0, BF16_ADD, FROM_SUMS)
}
#else
#define tile_half_lines_bf16 tile_sums_lines_bf16
#endif
