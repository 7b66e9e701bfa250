/* tiles_pack.h: how operands become panels. In memory an operand is a matrix that is contiguous
 * along k, or across it, along the operand's own axis. The columns of a panel beyond the operand
 * hold anything: what is computed from them is not read. Sections as in lanes.h. */
#pragma once
#include "tiles.h"
//@BEGIN
//@SECTION WIDEN
/* Converts elements of a panel to the type in which they are multiplied. */
#define WIDEN(LOAD, STORE)                                                                         \
    for (idx i = 0; i < count; i += VL) STORE(to + i, LOAD(from + i, VL), VL)

//@SECTION widen_bf16
LANES void widen_bf16(float *to, const bf16 *from, idx count) { WIDEN(ld_bf16, st_f32); }

//@SECTION widen_f16
LANES void widen_f16(float *to, const f16 *from, idx count) { WIDEN(ld_f16, st_f32); }

//@SECTION widen_f8e4m3
LANES void widen_f8e4m3(float *to, const f8e4m3 *from, idx count) { WIDEN(ld_f8e4m3, st_f32); }

//@SECTION widen_f8e5m2
LANES void widen_f8e5m2(float *to, const f8e5m2 *from, idx count) { WIDEN(ld_f8e5m2, st_f32); }

//@SECTION widen_f32
LANES void widen_f32(float *to, const float *from, idx count) { WIDEN(ld_f32, st_f32); }

//@SECTION widen_i32
LANES void widen_i32(int32_t *to, const int32_t *from, idx count) { WIDEN(ld_i32, st_i32); }

//@SECTION widen_i8
LANES void widen_i8(int32_t *to, const int8_t *from, idx count) { WIDEN(ld_i8, st_i32); }

//@SECTION widen_u8
LANES void widen_u8(int32_t *to, const uint8_t *from, idx count) { WIDEN(ld_u8, st_i32); }

//@SECTION widen_i8_f32
LANES void widen_i8_f32(float *to, const int8_t *from, idx count) {
    for (idx i = 0; i < count; i += VL)
        st_f32(to + i, __builtin_convertvector(ld_i8(from + i, VL), f32), VL);
}

//@SECTION widen_u8_f32
LANES void widen_u8_f32(float *to, const uint8_t *from, idx count) {
    for (idx i = 0; i < count; i += VL)
        st_f32(to + i, __builtin_convertvector(ld_u8(from + i, VL), f32), VL);
}

//@SECTION TRANSPOSE_PACKED
/* Transposes a square into `lines` lines that are `width` elements apart. */
#define TRANSPOSE_PACKED(REG)                                                                      \
    REG square[VL];                                                                                \
    _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++) square[i] = from[i];                     \
    TRANSPOSE(REG)                                                                                 \
    _Pragma("GCC unroll 16") for (int i = 0; i < VL; i++)                                          \
        if (i < lines) memcpy(to + i * width, &square[i], sizeof square[i]);

//@SECTION transpose_f32
SHARED_FUNCTION void transpose_f32(const f32 *from, float *to, idx width, idx lines)
{
    TRANSPOSE_PACKED(f32)
}

//@SECTION transpose_f64
SHARED_FUNCTION void transpose_f64(const f64 *from, double *to, idx width, idx lines)
{
    TRANSPOSE_PACKED(f64)
}

//@SECTION transpose_i32
SHARED_FUNCTION void transpose_i32(const i32 *from, int32_t *to, idx width, idx lines)
{
    TRANSPOSE_PACKED(i32)
}

//@SECTION transpose_i64
SHARED_FUNCTION void transpose_i64(const i64 *from, int64_t *to, idx width, idx lines)
{
    TRANSPOSE_PACKED(i64)
}

//@SECTION PACK_ALONG
/* Packs `own` rows from memory that is contiguous along k, as panels of `width` rows each, `size`
 * elements apart: VL rows of registers with EACH steps to a lane are transposed at a time, and the
 * VL rows behind them prefetched. */
#define PACK_ALONG(EACH, REG, LOAD, TRANSPOSE_REG)                                                 \
    for (idx start = 0; start < own; start += width)                                               \
        for (idx from = 0; from < width; from += VL)                                               \
            for (idx k = 0; k < steps; k += EACH * VL) {                                           \
                const idx left = steps - k;                                                        \
                REG square[VL];                                                                    \
                for (idx i = 0; i < VL; i++) {                                                     \
                    const idx at = fx_least(start + from + i, own - 1);                            \
                    __builtin_prefetch(x + (at + VL) * stride + k, 0, 3);                          \
                    square[i] = left >= EACH * VL ? LOAD(x + at * stride + k, EACH * VL)           \
                                                  : LOAD(x + at * stride + k, left);               \
                }                                                                                  \
                TRANSPOSE_REG(square, panel + start / width * size + k / EACH * width + from,      \
                              width, (left + EACH - 1) / EACH);                                    \
            }

//@SECTION PACK_ACROSS
/* The same from memory that is contiguous along the operand's own axis. LOAD has the lanes of a
 * step: its address, the lanes that count, and the steps that do. */
#define PACK_ACROSS(EACH, LOAD, STORE)                                                             \
    for (idx p = 0; EACH * p < steps; p++)                                                         \
        for (idx start = 0; start < own; start += width)                                           \
            for (idx i = 0; i < width; i += VL) {                                                  \
                const idx at = fx_least(start + i, own - 1);                                       \
                STORE(panel + start / width * size + p * width + i,                                \
                      LOAD(x + EACH * p * stride + at, own - at, steps - EACH * p), VL);           \
            }

//@SECTION pack_along_f32
SHARED_FUNCTION void pack_along_f32(float *panel, idx size, idx width, const float *x, idx stride,
                                    idx own, idx steps)
{
    PACK_ALONG(1, f32, ld_f32, transpose_f32)
}

//@SECTION pack_across_f32
#define LD_STEP_F32(p, m, n) ld_f32(p, m)
SHARED_FUNCTION void pack_across_f32(float *panel, idx size, idx width, const float *x, idx stride,
                                     idx own, idx steps)
{
    PACK_ACROSS(1, LD_STEP_F32, st_f32)
}

//@SECTION pack_along_bf16
SHARED_FUNCTION void pack_along_bf16(float *panel, idx size, idx width, const bf16 *x, idx stride,
                                     idx own, idx steps)
{
    PACK_ALONG(1, f32, ld_bf16, transpose_f32)
}

//@SECTION LD_STEP_BF16
#define LD_STEP_BF16(p, m, n) ld_bf16(p, m)

//@SECTION pack_across_bf16
SHARED_FUNCTION void pack_across_bf16(float *panel, idx size, idx width, const bf16 *x, idx stride,
                                      idx own, idx steps)
{
    PACK_ACROSS(1, LD_STEP_BF16, st_f32)
}

//@SECTION pack_along_f16
SHARED_FUNCTION void pack_along_f16(float *panel, idx size, idx width, const f16 *x, idx stride,
                                    idx own, idx steps)
{
    PACK_ALONG(1, f32, ld_f16, transpose_f32)
}

//@SECTION pack_across_f16
#define LD_STEP_F16(p, m, n) ld_f16(p, m)
SHARED_FUNCTION void pack_across_f16(float *panel, idx size, idx width, const f16 *x, idx stride,
                                     idx own, idx steps)
{
    PACK_ACROSS(1, LD_STEP_F16, st_f32)
}
