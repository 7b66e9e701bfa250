/* tiles_indirect.h: left operands whose rows are contiguous along k and at any addresses, such as the
 * windows of an image, multiplied where they are (Dukhan, "The Indirect Convolution Algorithm",
 * 2019). Sections as in lanes.h. */
#pragma once
#include "tiles_lines.h"
//@BEGIN
//@SECTION --
/* ---- rows at any addresses, in place ------------------------------------------------------- */

//@SECTION FX_INDIRECT
/* Where a tile takes 32 registers, a step has time to load the addresses of its rows: a panel of a
 * is a list of these. Other processors pack rows as lines. */
#define FX_INDIRECT (VL == 16)

//@SECTION FX_INDIRECT_PAIRS
#define FX_INDIRECT_PAIRS (FX_PAIRS == 2 && !FX_AMX)

//@SECTION fx_rows
/* The rows of a panel in one part along k, such as a window's. */
typedef struct fx_rows {
    idx steps;
    bool are_zeros; /* all of them? */
    const void *at[MR];
} fx_rows;

//@SECTION fx_cut_listed
/* The same where panels of a are lists of so many parts; 0: they are not. */
static inline fx_cut fx_cut_listed(fx_cut c, idx parts) {
    const idx size = sizeof(float), panels = c.a_all / c.a;
    if (!parts) return c;
    c.bytes -= c.a_all * size;
    c.a = parts * (idx)sizeof(fx_rows) / size;
    c.a_all = fx_align(panels * c.a * size) / size;
    c.bytes += c.a_all * size;
    return c;
}

//@SECTION LIST_ROWS
/* Lists the rows of a panel in part `number`, which may be empty; zeros where there is none. */
#define LIST_ROWS(STEPS)                                                                           \
    static const _Alignas(64) char zeros[8192]; /* as long as a part may be */                     \
    fx_rows *const to = (fx_rows *)(void *)panel + number;                                         \
    uintptr_t any = 0;                                                                             \
    for (idx r = 0; r < MR; r++) {                                                                 \
        any |= (uintptr_t)rows[r];                                                                 \
        to->at[r] = rows[r] ? (const void *)rows[r] : zeros;                                       \
    }                                                                                              \
    to->steps = fx_most(STEPS, 0);                                                                 \
    to->are_zeros = !any;

//@SECTION list_rows_f32
#if FX_INDIRECT
SHARED_FUNCTION void list_rows_f32(float *panel, idx number, idx first, const float *const *rows,
                                   idx steps)
{
    (void)first;
    LIST_ROWS(steps)
}
#else
#define list_rows_f32(panel, number, first, rows, steps) pack_lines_f32(panel, first, rows, steps)
#endif

//@SECTION list_rows_bf16
#if FX_INDIRECT_PAIRS
SHARED_FUNCTION void list_rows_bf16(float *panel, idx number, idx first, const bf16 *const *rows,
                                    idx steps)
{
    (void)first;
    LIST_ROWS(steps / 2)
}
#else
#define list_rows_bf16(panel, number, first, rows, steps) pack_lines_bf16(panel, first, rows, steps)
#endif

//@SECTION mark_finite
/* Notes behind the steps of a panel of b whether it is finite, so that its products with zeros need
 * not be computed. */
SHARED_FUNCTION void mark_finite(float *panel, idx size, idx lanes, bool pairs)
{
    const u32 most = (u32)splat_i32(0x7f800000);
    b1 found = {0};
    for (idx at = 0; at < lanes; at += VL) {
        const u32 x = (u32)ld_f32(panel + at, VL);
        found |= (x & most) == most;
        if (pairs) found |= (x << 16 & most) == most;
    }
    panel[size - 1] = !is_any(found);
}

//@SECTION mark_finite_f32
#if FX_INDIRECT
#define mark_finite_f32(panel, size, lanes) mark_finite(panel, size, lanes, false)
#else
#define mark_finite_f32(panel, size, lanes) (void)0
#endif

//@SECTION mark_finite_bf16
#if FX_INDIRECT_PAIRS
#define mark_finite_bf16(panel, size, lanes) mark_finite(panel, size, (lanes) / 2, true)
#else
#define mark_finite_bf16(panel, size, lanes) (void)0
#endif

//@SECTION fetch_row
/* Prefetches a listed row, if there is one: memory is slower than the products. */
LANES void fetch_row(const void *row, idx bytes) {
    for (idx at = 0; at < bytes; at += 64) __builtin_prefetch((const char *)row + at);
}

//@SECTION fx_parts
/* The number of parts that have so many steps. */
static inline idx fx_parts(const float *panel, idx steps) {
    const fx_rows *const part = (const fx_rows *)(const void *)panel;
    idx parts = 0;
    while (steps > 0) steps -= part[parts++].steps;
    return parts;
}

//@SECTION TILE_STEP_INDIRECT
/* A part of such a panel takes the place of a step of other panels. Where b is finite, products with
 * zeros are left out. */
#define TILE_STEP_INDIRECT(ROWS, V, REG, NEXT, ADD)                                                \
    {                                                                                              \
        const fx_rows *const part = (const fx_rows *)(const void *)a;                              \
        const bool is_finite = right[(panel + 1) * right_size - 1] != 0;                           \
        const idx count = part->are_zeros && is_finite ? 0 : part->steps;                          \
        NOT_UNROLLED for (idx q = 0; q < count; q++) {                                             \
            const void *const *at = part->at;                                                      \
            REG row[V];                                                                            \
            __asm__("" : "+r"(at)); /* gcc would keep the addresses in too many registers */       \
            EACH_VECTOR_OF(V) row[v] = *(const Row *)(b + (2 * q + v) * WIDTH);                    \
            EACH_ROW_OF(ROWS) {                                                                    \
                const REG x = ((const Factor *)at[r])[q] - (REG){0};                         \
                EACH_VECTOR_OF(V) ADD(sum[r][v], x, row[v]);                                       \
            }                                                                                      \
        }                                                                                          \
        a += sizeof *part / sizeof *a;                                                             \
        b += part->steps * 2 * WIDTH;                                                              \
    }

//@SECTION tile_sums_indirect_f32 tile_half_indirect_f32
#if FX_INDIRECT
TILE_FUNCTION tile_sums_indirect_f32(idx all_steps, const float *restrict left, idx left_size,
                                     const float *restrict right, idx right_size,
                                     float *restrict sums, idx sums_size, idx stride, bool add,
                                     idx rows, idx panels, idx rest)
{
    typedef float Factor;
    const idx steps = fx_parts(left, all_steps);
    add &= FX_ADDS;
    TILE_SUMS_BY(TILE_STEP_INDIRECT, MR, 2, f32, float, 0, MUL_ADD, FROM_ZERO)
}
TILE_FUNCTION tile_half_indirect_f32(idx all_steps, const float *restrict left, idx left_size,
                                     const float *restrict right, idx right_size,
                                     float *restrict sums, idx sums_size, idx stride, bool add,
                                     idx rows, idx panels, idx rest)
{
    typedef float Factor;
    enum { panel = 0 };
    const idx steps = fx_parts(left, all_steps);
    add &= FX_ADDS;
    TILE_HALF_BY(TILE_STEP_INDIRECT, f32, float, 0, MUL_ADD, FROM_ZERO)
}
#else
#define tile_sums_indirect_f32 tile_sums_lines_f32
#define tile_half_indirect_f32 tile_half_lines_f32
#endif

//@SECTION tile_sums_indirect_bf16 tile_half_indirect_bf16
#if FX_INDIRECT_PAIRS
TILE_FUNCTION tile_sums_indirect_bf16(idx all_steps, const float *restrict left, idx left_size,
                                      const float *restrict right, idx right_size,
                                      float *restrict sums, idx sums_size, idx stride, bool adds,
                                      idx rows, idx panels, idx rest)
{
    typedef int32_t Factor __attribute__((may_alias, aligned(2)));
    enum { add = 0 };
    const idx steps = fx_parts(left, all_steps);
    adds &= FX_ADDS;
    TILE_SUMS_BY(TILE_STEP_INDIRECT, MR, 2, u32, int32_t, 0, BF16_ADD, FROM_SUMS)
}
TILE_FUNCTION tile_half_indirect_bf16(idx all_steps, const float *restrict left, idx left_size,
                                      const float *restrict right, idx right_size,
                                      float *restrict sums, idx sums_size, idx stride, bool adds,
                                      idx rows, idx panels, idx rest)
{
    typedef int32_t Factor __attribute__((may_alias, aligned(2)));
    enum { add = 0, panel = 0 };
    const idx steps = fx_parts(left, all_steps);
    adds &= FX_ADDS;
    TILE_HALF_BY(TILE_STEP_INDIRECT, u32, int32_t, 0, BF16_ADD, FROM_SUMS)
}
#else
#define tile_sums_indirect_bf16 tile_sums_lines_bf16
#define tile_half_indirect_bf16 tile_half_lines_bf16
#endif
