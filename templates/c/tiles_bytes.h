/* tiles_bytes.h: contractions of integers whose products share a lane of the sums, two of 16 bits
 * or four of bytes: how panels are packed, and micro-kernels. Sections as in lanes.h. */
#pragma once
#include "tiles_amx.h"
//@BEGIN
//@SECTION --
/* ---- 8-bit products: two to a lane, as 16-bit halves --------------------------------------- */

//@SECTION pair_steps
/* Packs steps k and k + 1 of a panel into one lane: half as many steps. */
LANES void pair_steps(int32_t *panel, idx width, idx steps) {
    for (idx p = 0; 2 * p < steps; p++)
        for (idx at = 0; at < width; at += VL) {
            i32 low = ld_i32(panel + 2 * p * width + at, VL), high = {0};
            if (2 * p + 1 < steps) high = ld_i32(panel + (2 * p + 1) * width + at, VL);
            st_i32(panel + p * width + at, (low & 0xffff) | (i32)((u32)high << 16), VL);
        }
}

//@SECTION PAIR_ADD
/* sum += low x * low y + high x * high y, which fits in 31 bits. */
#if VL == 16 && defined(__AVX512VNNI__)
#define PAIR_ADD(sum, x, y) __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y))
#elif (VL == 16 && defined(__AVX512BW__)) || (VL == 8 && defined(__AVX2__))
#define PAIR_ADD(sum, x, y)                                                                        \
    {                                                                                              \
        u32 product;                                                                               \
        __asm__("vpmaddwd %2, %1, %0" : "=v"(product) : "v"(x), "v"(y));                           \
        sum += product;                                                                            \
    }
#else
#define PAIR_ADD(sum, x, y)                                                                        \
    sum += (u32)(((i32)(x << 16) >> 16) * ((i32)(y << 16) >> 16)) +                                \
           (u32)(((i32)x >> 16) * ((i32)y >> 16))
#endif

//@SECTION tile_sums_pairs
TILE_FUNCTION tile_sums_pairs(idx steps, const int32_t *restrict left, idx left_size,
                              const int32_t *restrict right, idx right_size,
                              int32_t *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                              idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_SUMS(MR, 2, u32, int32_t, 0, PAIR_ADD, FROM_ZERO)
}

//@SECTION FX_BYTES FX_STARTS QUAD_ADD
/* Signed bytes by signed bytes, four products to a lane: the instruction multiplies unsigned by
 * signed bytes. So 128 is added to the bytes of a (`offset`; 0 if they are unsigned), and its
 * contribution is subtracted beforehand: a panel of b starts with a row of -128 times the sums of
 * its columns. Elsewhere they are pairs. */
#if FX_AMX
#define FX_BYTES  4
#define FX_STARTS 0
#elif VL == 16 && defined(__AVX512VNNI__)
#define FX_BYTES  4
#define FX_STARTS 1 /* rows of a panel of b before its steps */
#define QUAD_ADD(sum, x, y) __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y))
#else
#define FX_BYTES  2
#define FX_STARTS 0
#endif

//@SECTION four_bytes
/* Up to four steps of a panel as the bytes of each lane. */
LANES u32 four_bytes(const int32_t *panel, idx width, idx steps, uint32_t offset) {
    u32 bytes = {0};
    for (idx q = 0; q < 4 && q < steps; q++)
        bytes |= (((u32)ld_i32(panel + q * width, VL) + offset) & 0xff) << (int)(8 * q);
    return bytes;
}

//@SECTION column_sums
/* The first row of a panel of b, for the packed steps that follow it. */
#if FX_AMX
#define column_sums(panel, width, steps, offset)                                                   \
    (void)(offset), zero_steps(panel, width, ((steps) + 3) / 4)
#elif FX_BYTES == 4
LANES void column_sums(int32_t *panel, idx width, idx steps, uint32_t offset) {
    const u32 offsets = (u32)splat_i32((int32_t)(offset * 0x01010101));
    for (idx at = 0; at < width; at += VL) {
        u32 added = {0};
        for (idx p = 0; 4 * p < steps; p++) {
            const u32 bytes = (u32)ld_i32(panel + (p + 1) * width + at, VL);
            QUAD_ADD(added, offsets, bytes);
        }
        st_i32(panel + at, (i32)-added, VL);
    }
}
#else
#define column_sums(panel, width, steps, offset) (void)(offset)
#endif

//@SECTION byte_steps_a byte_steps_b
/* Packs steps of a panel, bytes as lanes, into as many to a lane as are multiplied at a time. */
#if FX_BYTES == 4
LANES void byte_steps_a(int32_t *panel, idx width, idx steps, uint32_t offset) {
    for (idx p = 0; 4 * p < steps; p++)
        for (idx at = 0; at < width; at += VL)
            st_i32(panel + p * width + at,
                   (i32)four_bytes(panel + 4 * p * width + at, width, steps - 4 * p,
                                   FX_AMX ? 0 : offset), VL);
#if FX_AMX
    transpose_squares(panel, width, (steps + 3) / 4);
#endif
}

/* The first row is free for the sums once its steps are read. */
LANES void byte_steps_b(int32_t *panel, idx width, idx steps, uint32_t offset) {
    for (idx at = 0; at < width; at += VL)
        for (idx p = 0; 4 * p < steps; p++) {
            const u32 bytes = four_bytes(panel + 4 * p * width + at, width, steps - 4 * p, 0);
            st_i32(panel + (p + FX_STARTS) * width + at, (i32)bytes, VL);
        }
    column_sums(panel, width, steps, offset);
}
#else
#define byte_steps_a(panel, width, steps, offset) pair_steps(panel, width, steps)
#define byte_steps_b(panel, width, steps, offset) pair_steps(panel, width, steps)
#endif

//@SECTION tile_sums_bytes
#if FX_AMX
TILE_FUNCTION tile_sums_bytes(idx steps, const int32_t *restrict left, idx left_size,
                              const int32_t *restrict right, idx right_size,
                              int32_t *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                              idx panels, idx rest)
{
    (void)rest;
    if (fx_amx_is_allowed()) TILES_PRODUCT("tdpbssd")
    else TILES_REFUSED(u32, int32_t, BYTE_QUADS)
}
#elif FX_BYTES == 4
TILE_FUNCTION tile_sums_bytes(idx steps, const int32_t *restrict left, idx left_size,
                              const int32_t *restrict right, idx right_size,
                              int32_t *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                              idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_SUMS(MR, 2, u32, int32_t, 2 * VL, QUAD_ADD, FROM(*(const Row *)(b + (v - 2) * WIDTH)))
}
#else
#define tile_sums_bytes tile_sums_pairs
#endif

//@SECTION tile_sums_ubytes
#if FX_AMX
TILE_FUNCTION tile_sums_ubytes(idx steps, const int32_t *restrict left, idx left_size,
                               const int32_t *restrict right, idx right_size,
                               int32_t *restrict sums, idx sums_size, idx stride, bool add,
                               idx rows, idx panels, idx rest)
{
    (void)rest;
    if (fx_amx_is_allowed()) TILES_PRODUCT("tdpbusd")
    else TILES_REFUSED(u32, int32_t, UBYTE_QUADS)
}
#else
#define tile_sums_ubytes tile_sums_bytes
#endif

//@SECTION FX_HALF_BYTES tile_half_bytes
#if FX_BYTES == 4 && !FX_AMX
#define FX_HALF_BYTES(n) FX_HALF_OF(n)
TILE_FUNCTION tile_half_bytes(idx steps, const int32_t *restrict left, idx left_size,
                              const int32_t *restrict right, idx right_size,
                              int32_t *restrict sums, idx sums_size, idx stride, bool add, idx rows,
                              idx panels, idx rest)
{
    add &= FX_ADDS;
    TILE_HALF(u32, int32_t, 2 * VL, QUAD_ADD, FROM(*(const Row *)(b - 2 * WIDTH)))
}
#else
#define FX_HALF_BYTES(n) 0
#define tile_half_bytes  tile_sums_bytes
#endif

//@SECTION tile_half_ubytes
#if FX_AMX
#define tile_half_ubytes tile_sums_ubytes
#else
#define tile_half_ubytes tile_half_bytes
#endif

//@SECTION --
/* ---- panels of bytes and bf16 from memory --------------------------------------------------- */

//@SECTION ld_whole
/* A register of bytes from memory, `bytes` of them; the rest are 0. */
LANES i32 ld_whole(const void *p, idx bytes) {
    i32 all = {0};
    if (bytes >= (idx)sizeof all) {
        memcpy(&all, p, sizeof all);
        return all;
    }
#if VL == 16 && defined(__AVX512BW__)
    typedef char lanes __attribute__((vector_size(64)));
    all = (i32)__builtin_ia32_loaddquqi512_mask(p, (lanes)all, UINT64_MAX >> (64 - bytes));
#else
    memcpy(&all, p, (size_t)bytes);
#endif
    return all;
}

//@SECTION PACK_BYTES_ALONG PACK_BYTES_ACROSS
/* FLIP: 0x80 in each byte adds 128. */
#if FX_BYTES == 4
#define LD_BYTES(p, n) flip ^ ld_whole(p, n)
#define LD_FOUR_ROWS(p, m, n) flip ^ (i32)four_rows(p, stride, m, n)
#define PACK_BYTES_ALONG(LOAD, FLIP)                                                               \
    const i32 flip = splat_i32((int32_t)FLIP);                                                     \
    PACK_ALONG(4, i32, LD_BYTES, transpose_i32)
#define PACK_BYTES_ACROSS(LOAD, FLIP)                                                              \
    const i32 flip = splat_i32((int32_t)FLIP);                                                     \
    PACK_ACROSS(4, LD_FOUR_ROWS, st_i32)
#else
#define PACK_BYTES_ALONG(LOAD, FLIP)                                                               \
    PACK_ALONG(1, i32, LOAD, transpose_i32)                                                        \
    EACH_PANEL(int32_t) pair_steps(at, width, steps);
#define PACK_BYTES_ACROSS(LOAD, FLIP)                                                              \
    for (idx p = 0; p < steps; p++)                                                                \
        for (idx start = 0; start < own; start += width)                                           \
            for (idx i = 0; i < width; i += VL) {                                                  \
                const idx from = fx_least(start + i, own - 1);                                     \
                st_i32(panel + start / width * size + p * width + i,                               \
                       LOAD(x + p * stride + from, own - from), VL);                               \
            }                                                                                      \
    EACH_PANEL(int32_t) pair_steps(at, width, steps);
#endif

//@SECTION four_rows
/* Lanes of the bytes of up to four rows, `steps` of which there are. */
LANES u32 four_rows(const void *p, idx stride, idx m, idx steps) {
    const char *const row = p;
    u32 bytes = u32_8(ld_8(row, m));
    if (steps > 1) bytes |= u32_8(ld_8(row + stride, m)) << 8;
    if (steps > 2) bytes |= u32_8(ld_8(row + 2 * stride, m)) << 16;
    if (steps > 3) bytes |= u32_8(ld_8(row + 3 * stride, m)) << 24;
    return bytes;
}

//@SECTION PACK_A_BYTES_ALONG PACK_A_BYTES_ACROSS
#if FX_AMX
#define PACK_A_BYTES_ALONG(LOAD, FLIP) PACK_TILES(4, ld_whole, st_i32)
#define PACK_A_BYTES_ACROSS(LOAD, FLIP)                                                            \
    PACK_BYTES_ACROSS(LOAD, 0)                                                                     \
    EACH_PANEL(int32_t) transpose_squares(at, width, (steps + 3) / 4);
#else
#define PACK_A_BYTES_ALONG(LOAD, FLIP)  PACK_BYTES_ALONG(LOAD, FLIP)
#define PACK_A_BYTES_ACROSS(LOAD, FLIP) PACK_BYTES_ACROSS(LOAD, FLIP)
#endif

//@SECTION pack_a_along_i8
SHARED_FUNCTION void pack_a_along_i8(int32_t *panel, idx size, idx width, const int8_t *x,
                                     idx stride, idx own, idx steps)
{
    PACK_A_BYTES_ALONG(ld_i8, 0x80808080)
}

//@SECTION pack_a_across_i8
SHARED_FUNCTION void pack_a_across_i8(int32_t *panel, idx size, idx width, const int8_t *x,
                                      idx stride, idx own, idx steps)
{
    PACK_A_BYTES_ACROSS(ld_i8, 0x80808080)
}

//@SECTION pack_a_along_u8
SHARED_FUNCTION void pack_a_along_u8(int32_t *panel, idx size, idx width, const uint8_t *x,
                                     idx stride, idx own, idx steps)
{
    PACK_A_BYTES_ALONG(ld_u8, 0)
}

//@SECTION pack_a_across_u8
SHARED_FUNCTION void pack_a_across_u8(int32_t *panel, idx size, idx width, const uint8_t *x,
                                      idx stride, idx own, idx steps)
{
    PACK_A_BYTES_ACROSS(ld_u8, 0)
}

//@SECTION pack_b_along_i8
SHARED_FUNCTION void pack_b_along_i8(int32_t *panel, idx size, idx width, const int8_t *x,
                                     idx stride, idx own, idx steps, uint32_t offset)
{
    panel += FX_STARTS * width;
    PACK_BYTES_ALONG(ld_i8, 0)
    EACH_PANEL(int32_t) column_sums(at - FX_STARTS * width, width, steps, offset);
}

//@SECTION PAIRS_LOW PAIRS_HIGH
/* The elements of 16 bits of two registers in turn: those of their lower halves, and of the
 * upper. */
#define PAIRS_LOW                                                                                  \
    0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44,  \
        13, 45, 14, 46, 15, 47
#define PAIRS_HIGH                                                                                 \
    16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55, 24, 56, 25, 57, 26, 58, 27,    \
        59, 28, 60, 29, 61, 30, 62, 31, 63

//@SECTION whole_quads
/* Panels of bytes from memory that is contiguous along the operand's own axis: whole ones of two
 * vectors, and a multiple of four steps. The rows of the next step are prefetched. */
#if FX_BYTES == 4
LANES void whole_quads(int32_t *panel, idx size, const int8_t *x, idx stride, idx own, idx steps) {
    typedef int8_t row __attribute__((vector_size(2 * VL)));
    typedef int16_t pairs __attribute__((vector_size(4 * VL)));
    enum { NR = 2 * VL, LINE = 64 };
    for (idx k = 0; k < steps; k += 4)
        for (idx start = 0; start < own; start += NR) {
            const int8_t *const from = x + k * stride + start;
            row rows[4];
            pairs two[2], quads[2];
            for (int i = 0; i < 4; i++) {
                memcpy(&rows[i], from + i * stride, sizeof rows[i]);
                if (start % LINE == 0) __builtin_prefetch(from + (4 + i) * stride);
            }
            for (int i = 0; i < 2; i++)
                two[i] = (pairs)__builtin_shufflevector(
                    rows[2 * i], rows[2 * i + 1], 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38,
                    7, 39, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 16, 48, 17,
                    49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55, 24, 56, 25, 57, 26, 58, 27,
                    59, 28, 60, 29, 61, 30, 62, 31, 63);
            quads[0] = __builtin_shufflevector(two[0], two[1], PAIRS_LOW);
            quads[1] = __builtin_shufflevector(two[0], two[1], PAIRS_HIGH);
            memcpy(panel + start / NR * size + k / 4 * NR, quads, sizeof quads);
        }
}
#endif

//@SECTION quads_of_columns
/* The same of any panels and steps. */
SHARED_FUNCTION void quads_of_columns(int32_t *panel, idx size, idx width, const int8_t *x,
                                      idx stride, idx own, idx steps)
{
    PACK_BYTES_ACROSS(ld_i8, 0)
}

//@SECTION pack_b_across_i8
SHARED_FUNCTION void pack_b_across_i8(int32_t *panel, idx size, idx width, const int8_t *x,
                                      idx stride, idx own, idx steps, uint32_t offset)
{
    panel += FX_STARTS * width;
#if FX_BYTES == 4
    const idx whole = width == 2 * VL ? own / width * width : 0, even = steps / 4 * 4;
    whole_quads(panel, size, x, stride, whole, even);
    if (whole && even < steps)
        quads_of_columns(panel + even / 4 * width, size, width, x + even * stride, stride, whole,
                         steps - even);
    if (whole < own)
        quads_of_columns(panel + whole / (2 * VL) * size, size, width, x + whole, stride,
                         own - whole, steps);
#else
    quads_of_columns(panel, size, width, x, stride, own, steps);
#endif
    EACH_PANEL(int32_t) column_sums(at - FX_STARTS * width, width, steps, offset);
}
