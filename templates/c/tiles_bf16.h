/* tiles_bf16.h: contractions of bf16, of which two products share a lane of the sums: how panels
 * are packed, and micro-kernels. Sections as in lanes.h. */
#pragma once
#include "tiles_bytes.h"
//@BEGIN
//@SECTION --
/* ---- bf16 products: two to a lane ---------------------------------------------------------- */

//@SECTION FX_PAIRS BF16_ADD FROM_SUMS
/* `vdpbf16ps` adds the products of pairs of bf16 to f32 sums; denormals count as 0. Where there is
 * AMX as well, tiles are faster. */
#if FX_AMX
#define FX_PAIRS 2
#elif VL == 16 && defined(__AVX512BF16__) && !defined(__AMX_BF16__)
#define FX_PAIRS 2
/* Sums start at those of c where `adds`, else at 0. */
#define FROM_SUMS if (adds) READ_SUMS(int32_t, =)
#define BF16_ADD(sum, x, y) __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y))
#else
#define FX_PAIRS 1
#endif

//@SECTION bf16_steps_a bf16_steps_b
/* Packs steps k and k + 1 of a panel, bf16 as f32, into one lane: half as many steps. */
#if FX_PAIRS == 2
LANES void bf16_steps_b(float *panel, idx width, idx steps) {
    for (idx p = 0; 2 * p < steps; p++)
        for (idx at = 0; at < width; at += VL) {
            u32 low = (u32)ld_f32(panel + 2 * p * width + at, VL), high = {0};
            if (2 * p + 1 < steps) high = (u32)ld_f32(panel + (2 * p + 1) * width + at, VL);
            st_f32(panel + p * width + at, (f32)(low >> 16 | high), VL);
        }
    if (FX_AMX) zero_steps(panel, width, (steps + 1) / 2);
}
LANES void bf16_steps_a(float *panel, idx width, idx steps) {
    bf16_steps_b(panel, width, steps);
#if FX_AMX
    transpose_squares(panel, width, (steps + 1) / 2);
#endif
}
#else
#define bf16_steps_a(panel, width, steps) (void)0
#define bf16_steps_b(panel, width, steps) (void)0
#endif

//@SECTION LD_PAIRS
#define LD_PAIRS(p, n) (f32)ld_whole(p, 2 * (n))

//@SECTION ends_of_pairs
/* Panels of pairs from memory that is contiguous along k, of any size. */
#if FX_PAIRS == 2
SHARED_FUNCTION void ends_of_pairs(float *panel, idx size, idx width, const bf16 *x, idx stride,
                                   idx own, idx steps)
{
    PACK_ALONG(2, f32, LD_PAIRS, transpose_f32)
}
#endif

//@SECTION squares_of_pairs
/* The same of VL rows and whole squares of them: nothing is clamped, and the compiler keeps a
 * square in registers. Where it `fetches`, rows behind these are prefetched. */
#if FX_PAIRS == 2
LANES void squares_of_pairs(float *panel, idx width, const bf16 *x, idx stride, idx steps,
                            bool fetches) {
    for (idx k = 0; k + 2 * VL <= steps; k += 2 * VL) {
        f32 square[VL];
        _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++) {
            if (fetches) __builtin_prefetch(x + (i + VL) * stride + k, 0, 2);
            memcpy(&square[i], x + i * stride + k, sizeof square[i]);
        }
        TRANSPOSE(f32)
        _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++)
            memcpy(panel + (k / 2 + i) * width, &square[i], sizeof square[i]);
    }
}
#endif

//@SECTION pack_part_along_bf16
/* Panels, or a part of each: others may follow along k, and end_part_bf16 after the last. */
#if FX_PAIRS == 2
SHARED_FUNCTION void pack_part_along_bf16(float *panel, idx size, idx width, const bf16 *x,
                                          idx stride, idx own, idx steps)
{
    const idx beyond = FX_ROUND(width, VL) - width; /* rows that squares read behind a panel */
    const idx whole = own < beyond ? 0 : (own - beyond) / width * width;
    const idx even = steps / (2 * VL) * (2 * VL);
    for (idx start = 0; start < whole; start += width)
        for (idx from = 0; from < width; from += VL)
            squares_of_pairs(panel + start / width * size + from, width,
                             x + (start + from) * stride, stride, even, true);
    if (whole && even < steps)
        ends_of_pairs(panel + even / 2 * width, size, width, x + even, stride, whole, steps - even);
    if (whole < own)
        ends_of_pairs(panel + whole / width * size, size, width, x + whole * stride, stride,
                      own - whole, steps);
}
#else
#define pack_part_along_bf16 pack_along_bf16
#endif

//@SECTION end_part_bf16
#if FX_AMX
#define end_part_bf16(panel, width, steps) zero_steps(panel, width, ((steps) + 1) / 2)
#else
#define end_part_bf16(panel, width, steps) (void)0
#endif

//@SECTION pack_b_along_bf16
#if FX_AMX
SHARED_FUNCTION void pack_b_along_bf16(float *panel, idx size, idx width, const bf16 *x, idx stride,
                                       idx own, idx steps)
{
    pack_part_along_bf16(panel, size, width, x, stride, own, steps);
    EACH_PANEL(float) end_part_bf16(at, width, steps);
}
#else
#define pack_b_along_bf16 pack_part_along_bf16
#endif

//@SECTION two_rows
/* Lanes of the pairs of two rows, or of one and zeros. */
LANES f32 two_rows(const bf16 *p, idx stride, idx m, idx steps) {
    const u32 low = (u32)ld_bf16(p, m) >> 16;
    return (f32)(steps > 1 ? low | (u32)ld_bf16(p + stride, m) : low);
}

//@SECTION pairs_of_columns
/* Panels of pairs from memory that is contiguous along the operand's own axis. */
#if FX_PAIRS == 2
#define LD_TWO_ROWS(p, m, n) two_rows(p, stride, m, n)
SHARED_FUNCTION void pairs_of_columns(float *panel, idx size, idx width, const bf16 *x, idx stride,
                                      idx own, idx steps)
{
    PACK_ACROSS(2, LD_TWO_ROWS, st_f32)
}
#endif

//@SECTION whole_pairs
/* The same of whole panels of two vectors and an even number of steps: a vector of each row is two
 * of pairs. The rows of the step after the next are prefetched: the processor's own prefetcher
 * starts anew with each row, if that is short. */
#if FX_PAIRS == 2
LANES void whole_pairs(float *panel, idx size, const bf16 *x, idx stride, idx own, idx steps) {
    typedef uint16_t halves __attribute__((vector_size(4 * VL)));
    enum { NR = 2 * VL, AHEAD = 4 };
    for (idx k = 0; k < steps; k += 2)
        for (idx start = 0; start < own; start += NR) {
            const bf16 *const from = x + k * stride + start;
            halves first, second, pairs[2];
            __builtin_prefetch(from + AHEAD * stride);
            __builtin_prefetch(from + (AHEAD + 1) * stride);
            memcpy(&first, from, sizeof first);
            memcpy(&second, from + stride, sizeof second);
            pairs[0] = __builtin_shufflevector(first, second, PAIRS_LOW);
            pairs[1] = __builtin_shufflevector(first, second, PAIRS_HIGH);
            memcpy(panel + start / NR * size + k / 2 * NR, pairs, sizeof pairs);
        }
}
#endif

//@SECTION pack_part_across_bf16
#if FX_PAIRS == 2
SHARED_FUNCTION void pack_part_across_bf16(float *panel, idx size, idx width, const bf16 *x,
                                           idx stride, idx own, idx steps)
{
    const idx whole = width == 2 * VL ? own / width * width : 0, even = steps / 2 * 2;
    whole_pairs(panel, size, x, stride, whole, even);
    if (whole && even < steps)
        pairs_of_columns(panel + even / 2 * width, size, width, x + even * stride, stride, whole,
                         1);
    if (whole < own)
        pairs_of_columns(panel + whole / (2 * VL) * size, size, width, x + whole, stride,
                         own - whole, steps);
}
#else
#define pack_part_across_bf16 pack_across_bf16
#endif

//@SECTION pack_b_across_bf16
#if FX_AMX
SHARED_FUNCTION void pack_b_across_bf16(float *panel, idx size, idx width, const bf16 *x,
                                        idx stride, idx own, idx steps)
{
    pack_part_across_bf16(panel, size, width, x, stride, own, steps);
    EACH_PANEL(float) end_part_bf16(at, width, steps);
}
#else
#define pack_b_across_bf16 pack_part_across_bf16
#endif

//@SECTION pack_a_along_bf16 pack_a_across_bf16
#if FX_AMX
SHARED_FUNCTION void pack_a_along_bf16(float *panel, idx size, idx width, const bf16 *x, idx stride,
                                       idx own, idx steps)
{
    PACK_TILES(2, LD_PAIRS, st_f32)
}
SHARED_FUNCTION void pack_a_across_bf16(float *panel, idx size, idx width, const bf16 *x,
                                        idx stride, idx own, idx steps)
{
    pack_b_across_bf16(panel, size, width, x, stride, own, steps);
    EACH_PANEL(float) transpose_squares(at, width, (steps + 1) / 2);
}
#else
#define pack_a_along_bf16  pack_b_along_bf16
#define pack_a_across_bf16 pack_b_across_bf16
#endif

//@SECTION tile_sums_bf16
/* Registers hold bits, so the sums that are added to are where accumulation starts. */
#if FX_AMX
TILE_FUNCTION tile_sums_bf16(idx steps, const float *restrict left, idx left_size,
                             const float *restrict right, idx right_size,
                             float *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                             idx panels, idx rest)
{
    (void)rest;
    if (fx_amx_is_allowed()) TILES_PRODUCT("tdpbf16ps")
    else TILES_REFUSED(f32, float, BF16_PAIR)
}
#elif FX_PAIRS == 2
TILE_FUNCTION tile_sums_bf16(idx steps, const float *restrict left, idx left_size,
                             const float *restrict right, idx right_size,
                             float *restrict sums, idx sums_size, idx stride, bool adds, idx rows,
                             idx panels, idx rest)
{
    enum { add = 0 };
    adds &= FX_ADDS;
    TILE_SUMS(MR, 2, u32, int32_t, 0, BF16_ADD, FROM_SUMS)
}
#else
#define tile_sums_bf16 tile_sums_f32
#endif

//@SECTION FX_HALF HALF_OF_ROWS
/* Then half of the last panel is multiplied. */
#if FX_PAIRS == 2 && !FX_AMX
#define FX_HALF(n) FX_HALF_OF(n)
#define HALF_OF_ROWS(ROWS, NEXT)                                                                   \
    TILE_ROWS(TILE_STEP_HALF, ROWS, 1, u32, int32_t, NEXT, BF16_ADD, FROM_SUMS)
#else
#define FX_HALF(n) 0
#endif

//@SECTION tile_half_bf16
/* tile_sums_bf16 of the first vector of one panel. */
#if FX_PAIRS == 2 && !FX_AMX
TILE_FUNCTION tile_half_bf16(idx steps, const float *restrict left, idx left_size,
                             const float *restrict right, idx right_size, float *restrict sums,
                             idx sums_size, idx stride, bool adds, idx rows, idx panels,
                             idx rest)
{
    typedef int32_t Pair __attribute__((may_alias));
    enum { add = 0, across = 1 };
    adds &= FX_ADDS;
    (void)right_size, (void)sums_size, (void)panels;
    for (idx row = 0; row < rows; row += MR) {
        const Pair *a = (const Pair *)left + row / MR * left_size;
        const int32_t *b = (const int32_t *)right;
        int32_t *const c = (int32_t *)sums + row * stride;
        if (rows - row >= MR || rest > 4 || !rest) HALF_OF_ROWS(MR, MR)
        else HALF_OF_ROWS(4, MR)
    }
}
#else
#define tile_half_bf16 tile_sums_bf16
#endif

//@SECTION tile_sums_weights_bf16 tiles_across_bf16
/* tile_sums_across_f32 of such weights; and the tiles of AMX, of rows in memory. */
#if FX_AMX
TILE_FUNCTION tiles_across_bf16(idx steps, const float *restrict left, idx across,
                                const float *restrict right, idx right_size,
                                float *restrict sums, idx sums_size, idx stride, bool add,
                                idx rows, idx panels)
{
    if (fx_amx_is_allowed()) TILES_OF("tdpbf16ps", row * across, 1, 16 * across, 4 * across)
    else TILES_REFUSED_OF(f32, float, BF16_PAIR, row * across, r * across + p)
}
LANES void tile_sums_weights_bf16(idx steps, const float *left, idx across, idx next,
                                  const float *right, idx right_size, float *sums, idx sums_size,
                                  idx stride, idx rows, idx panels) {
    (void)next; /* 1 */
    tiles_across_bf16(steps, left, across, right, right_size, sums, sums_size, stride, true, rows,
                      panels);
}
#elif FX_PAIRS == 2
TILE_FUNCTION tile_sums_weights_bf16(idx steps, const float *restrict left, idx across, idx next,
                                     const float *restrict right, idx right_size,
                                     float *restrict sums, idx sums_size, idx stride, idx rows,
                                     idx panels)
{
    typedef int32_t Pair __attribute__((may_alias));
    enum { add = 0 };
    TILE_ACROSS(u32, Pair, BF16_ADD, READ_SUMS(Pair, =))
}
#else
#define tile_sums_weights_bf16 tile_sums_across_f32
#endif

//@SECTION pack_left_along_bf16 tile_sums_left_bf16
/* Rows of a in memory, `across` elements apart, as panels, and the same from these. Tiles of pairs
 * are loaded from the rows themselves, as far as they are whole. */
#if FX_AMX
#define ROWS_OF_TILES(rows, steps, across)                                                         \
    ((steps) % 32 || (across) % 2 ? 0 : (rows) / 32 * 32)
#else
#define ROWS_OF_TILES(rows, steps, across) (idx)0
#endif
LANES void pack_left_along_bf16(float *panel, idx size, idx width, const bf16 *x, idx across,
                                idx own, idx steps) {
    const idx whole = ROWS_OF_TILES(own, steps, across);
    pack_a_along_bf16(panel + whole / width * size, size, width, x + whole * across, across,
                      own - whole, steps);
}
LANES void tile_sums_left_bf16(idx steps, const bf16 *restrict x, idx across,
                               const float *restrict packed, idx left_size,
                               const float *restrict right, idx right_size, float *restrict sums,
                               idx sums_size, idx stride, bool adds, idx rows, idx panels,
                               idx rest) {
    const idx whole = ROWS_OF_TILES(rows, steps, across);
    (void)x, (void)across;
#if FX_AMX
    tiles_across_bf16(steps / 2, (const float *)(const void *)x, across / 2, right, right_size,
                      sums, sums_size, stride, adds, whole, panels);
#endif
    if (whole < rows)
        tile_sums_bf16((steps + FX_PAIRS - 1) / FX_PAIRS, packed + whole / SHARED_MR * left_size,
                       left_size, right, right_size, sums + whole * stride, sums_size, stride, adds,
                       rows - whole, panels, rest);
}

//@SECTION pack_panel_along_bf16
/* pack_b_along_bf16 of one panel whose memory is in L2 already. */
#if FX_PAIRS == 2 && !FX_AMX
SHARED_FUNCTION void pack_panel_along_bf16(float *panel, const bf16 *x, idx stride, idx own,
                                           idx steps)
{
    enum { NR = 2 * VL };
    const idx even = own < NR ? 0 : steps / NR * NR;
    for (idx from = 0; even && from < NR; from += VL)
        squares_of_pairs(panel + from, NR, x + from * stride, stride, even, false);
    if (even < steps)
        ends_of_pairs(panel + even / 2 * NR, 0, NR, x + even, stride, own, steps - even);
}
#endif

//@SECTION tile_sums_fetch_bf16
/* tile_sums_bf16 of one panel of b, which prefetches the rows of the next one, `across` bytes
 * apart, into L2: a part of a line in each step, so that all tiles together fetch all of them. */
#if FX_PAIRS == 2 && !FX_AMX
#define TILE_STEP_FETCH(ROWS, V, REG, NEXT, ADD)                                                   \
    {                                                                                              \
        __builtin_prefetch(fetched, 0, 2);                                                         \
        fetched += part;                                                                           \
        if (!--left_of_row) fetched += next_row, left_of_row = parts;                              \
        TILE_STEP(ROWS, V, REG, NEXT, ADD)                                                         \
    }
#define TILE_OF_FETCH(ROWS)                                                                        \
    TILE_ROWS(TILE_STEP_FETCH, ROWS, 2, u32, int32_t, MR, BF16_ADD, FROM_SUMS)
TILE_FUNCTION tile_sums_fetch_bf16(idx steps, const float *restrict left, idx left_size,
                                   const float *restrict right, float *restrict sums, idx stride,
                                   bool adds, idx rows, idx rest, const char *fetched, idx across)
{
    enum { add = 0, LINE = 64, COLUMNS = 2 * VL };
    const idx tiles = (rows + MR - 1) / MR, row_bytes = steps * (idx)sizeof(int32_t);
    const idx all = (COLUMNS * row_bytes + tiles * steps - 1) / (tiles * steps);
    const idx part = fx_least(all, LINE), parts = (row_bytes + part - 1) / part;
    const idx next_row = across - parts * part;
    idx left_of_row = parts;
    adds &= FX_ADDS;
    for (idx row = 0; row < rows; row += MR) {
        const int32_t *a = (const int32_t *)left + row / MR * left_size;
        const int32_t *b = (const int32_t *)right;
        int32_t *const c = (int32_t *)sums + row * stride;
        if (rows - row >= MR || rest > 8 || !rest) TILE_OF_FETCH(MR)
        else if (rest > 4) TILE_OF_FETCH(8)
        else if (rest > 2) TILE_OF_FETCH(4)
        else TILE_OF_FETCH(2)
    }
}
#endif

//@SECTION tile_sums_along_bf16
/* tile_sums_left_bf16 of few rows, by `own` columns of b that are contiguous along k, `apart` from
 * each other: each panel is packed when it is multiplied, and the next one is read from memory
 * meanwhile. Without pairs all panels are packed first. */
LANES void tile_sums_along_bf16(idx steps, const bf16 *restrict x, idx across,
                                const float *restrict packed, idx left_size,
                                const bf16 *restrict columns, idx apart, idx own,
                                float *restrict right, idx right_size, float *restrict sums,
                                idx sums_size, idx stride, bool adds, idx rows, idx panels,
                                idx rest) {
#if FX_PAIRS == 2 && !FX_AMX
    enum { NR = 2 * VL };
    (void)x, (void)across, (void)right_size;
    for (idx panel = 0; panel < panels; panel++) {
        const bf16 *const from = columns + panel * NR * apart;
        const bf16 *const next = panel + 1 < panels ? from + NR * apart : columns + steps;
        pack_panel_along_bf16(right, from, apart, fx_least(own - panel * NR, NR), steps);
        tile_sums_fetch_bf16((steps + 1) / 2, packed, left_size, right, sums + panel * sums_size,
                             stride, adds, rows, rest, (const char *)next,
                             apart * (idx)sizeof *columns);
    }
#else
    pack_b_along_bf16(right, right_size, NR_OF(float), columns, apart, own, steps);
    tile_sums_left_bf16(steps, x, across, packed, left_size, right, right_size, sums, sums_size,
                        stride, adds, rows, panels, rest);
#endif
}

//@SECTION tile_half_left_bf16
LANES void tile_half_left_bf16(idx steps, const bf16 *restrict x, idx across,
                               const float *restrict packed, idx left_size,
                               const float *restrict right, idx right_size, float *restrict sums,
                               idx sums_size, idx stride, bool adds, idx rows, idx panels,
                               idx rest) {
#if FX_PAIRS == 2 && !FX_AMX
    (void)x, (void)across;
    tile_half_bf16((steps + 1) / 2, packed, left_size, right, right_size, sums, sums_size, stride,
                   adds, rows, panels, rest);
#else
    tile_sums_left_bf16(steps, x, across, packed, left_size, right, right_size, sums, sums_size,
                        stride, adds, rows, panels, rest);
#endif
}

//@SECTION tile_row_count
/* Rows of a tile that are multiplied in place, of so many: the last tile starts within the one
 * before, whose sums it computes again. Where these are added to others, it takes the rows that are
 * left. */
LANES idx tile_row_count(idx rows) { return rows >= MR ? MR : rows >= 4 ? 4 : 1; }

//@SECTION tile_sums_rows_bf16
/* The same from rows of a in memory, `across` elements apart; that and `steps` are even. Where a
 * lane holds a pair they are multiplied in place, else they are packed. */
#if FX_PAIRS == 2 && !FX_AMX
#define TILE_OF_ROWS(ROWS)                                                                         \
    TILE_ROWS(TILE_STEP_ACROSS, ROWS, 2, u32, int32_t, 1, BF16_ADD, FROM_SUMS)
TILE_FUNCTION tile_sums_rows_bf16(idx steps, const bf16 *restrict x, idx across,
                                  float *restrict packed, idx left_size,
                                  const float *restrict right, idx right_size,
                                  float *restrict sums, idx sums_size, idx stride, bool adds,
                                  idx rows, idx panels, idx rest)
{
    typedef int32_t Pair __attribute__((may_alias, aligned(2)));
    enum { add = 0 };
    adds &= FX_ADDS;
    (void)packed, (void)left_size, (void)rest;
    steps /= 2, across /= 2;
    for (idx panel = 0; panel < panels; panel++)
        for (idx next = 0, count; next < rows; next += count) {
            count = tile_row_count(adds ? rows - next : rows);
            const idx row = fx_least(next, rows - count);
            const Pair *a = (const Pair *)x + row * across;
            const int32_t *b = (const int32_t *)right + panel * right_size;
            int32_t *const c = (int32_t *)sums + panel * sums_size + row * stride;
            if (count == MR) TILE_OF_ROWS(MR)
            else if (count == 4) TILE_OF_ROWS(4)
            else TILE_OF_ROWS(1)
        }
}
#else
LANES void tile_sums_rows_bf16(idx steps, const bf16 *restrict x, idx across,
                               float *restrict packed, idx left_size, const float *restrict right,
                               idx right_size, float *restrict sums, idx sums_size, idx stride,
                               bool adds, idx rows, idx panels, idx rest) {
    pack_left_along_bf16(packed, left_size, SHARED_MR, x, across, rows, steps);
    tile_sums_left_bf16(steps, x, across, packed, left_size, right, right_size, sums, sums_size,
                        stride, adds, rows, panels, rest);
}
#endif

//@SECTION tile_half_rows_bf16
/* tile_sums_rows_bf16 of the first vector of one panel. */
#if FX_PAIRS == 2 && !FX_AMX
TILE_FUNCTION tile_half_rows_bf16(idx steps, const bf16 *restrict x, idx across,
                                  float *restrict packed, idx left_size,
                                  const float *restrict right, idx right_size,
                                  float *restrict sums, idx sums_size, idx stride, bool adds,
                                  idx rows, idx panels, idx rest)
{
    typedef int32_t Pair __attribute__((may_alias, aligned(2)));
    enum { add = 0 };
    adds &= FX_ADDS;
    (void)packed, (void)left_size, (void)right_size, (void)sums_size, (void)panels, (void)rest;
    steps /= 2, across /= 2;
    for (idx next = 0, count; next < rows; next += count) {
        count = tile_row_count(adds ? rows - next : rows);
        const idx row = fx_least(next, rows - count);
        const Pair *a = (const Pair *)x + row * across;
        const int32_t *b = (const int32_t *)right;
        int32_t *const c = (int32_t *)sums + row * stride;
        if (count == MR) HALF_OF_ROWS(MR, 1)
        else if (count == 4) HALF_OF_ROWS(4, 1)
        else HALF_OF_ROWS(1, 1)
    }
}
#else
#define tile_half_rows_bf16 tile_sums_rows_bf16
#endif
