/* masked.h: loads of the lanes whose mask is set, of the first m; the others are 0, and their
 * memory is not read. Sections as in lanes.h. */
#pragma once
#include "memory.h"
//@BEGIN
//@SECTION --
// ---- lanes whose mask is set --------------------------------------------------------------

//@SECTION LD_WHERE
#define LD_WHERE(REG, LD, GET)                                                                     \
    if (m >= VL && all_lanes_b1(mask)[0]) return LD(p, VL);                                        \
    REG v = {0};                                                                                   \
    if (is_any(mask))                                                                              \
        for (idx l = 0; l < m; l++)                                                                \
            if (mask[l]) v[l] = GET(p + l);                                                        \
    return v;

//@SECTION mask_bits HAS_MASKS
/* One bit for each lane that is set among the first m. */
#if VL == 16 && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define HAS_MASKS
LANES uint16_t mask_bits(b1 mask, idx m) {
    const uint32_t valid = m >= VL ? UINT16_MAX : (1u << m) - 1;
    return (uint16_t)((uint32_t)__builtin_ia32_cvtd2mask512(mask) & valid);
}
#endif

//@SECTION ld_where_8
LANES u8 ld_where_8(const void *from, b1 mask, idx m) {
#ifdef HAS_MASKS
    typedef char lanes __attribute__((vector_size(16)));
    return (u8)__builtin_ia32_loaddquqi128_mask(from, (lanes){0}, mask_bits(mask, m));
#else
    typedef uint8_t lane __attribute__((may_alias));
    const lane *p = from;
    LD_WHERE(u8, ld_8, *)
#endif
}

//@SECTION ld_where_16
LANES u16 ld_where_16(const void *from, b1 mask, idx m) {
#ifdef HAS_MASKS
    typedef int16_t lanes __attribute__((vector_size(32)));
    return (u16)__builtin_ia32_loaddquhi256_mask(from, (lanes){0}, mask_bits(mask, m));
#else
    typedef uint16_t lane __attribute__((may_alias));
    const lane *p = from;
    LD_WHERE(u16, ld_16, *)
#endif
}

//@SECTION ld_where_32
LANES u32 ld_where_32(const void *from, b1 mask, idx m) {
#ifdef HAS_MASKS
    return (u32)__builtin_ia32_loaddqusi512_mask(from, (i32){0}, mask_bits(mask, m));
#elif VL == 8 && defined(__AVX2__)
    return (u32)__builtin_ia32_maskloadd256(from, mask & (lanes_i32(0) < (int32_t)m));
#else
    typedef uint32_t lane __attribute__((may_alias));
    const lane *p = from;
    LD_WHERE(u32, ld_32, *)
#endif
}

//@SECTION ld_where_f32
LANES f32 ld_where_f32(const float *p, b1 mask, idx m) { return (f32)ld_where_32(p, mask, m); }

//@SECTION ld_where_f64
LANES f64 ld_where_f64(const double *p, b1 mask, idx m){LD_WHERE(f64, ld_f64, get_f64)}

//@SECTION ld_where_i32
LANES i32 ld_where_i32(const int32_t *p, b1 mask, idx m) {
    return (i32)ld_where_32(p, mask, m);
}

//@SECTION ld_where_i64
LANES i64 ld_where_i64(const int64_t *p, b1 mask, idx m){LD_WHERE(i64, ld_i64, get_i64)}

//@SECTION ld_where_bf16
LANES f32 ld_where_bf16(const bf16 *p, b1 mask, idx m) {
    return decode_bf16(ld_where_16(p, mask, m));
}

//@SECTION ld_where_f16
LANES f32 ld_where_f16(const f16 *p, b1 mask, idx m) { return decode_f16(ld_where_16(p, mask, m)); }

//@SECTION ld_where_f8e4m3
LANES f32 ld_where_f8e4m3(const f8e4m3 *p, b1 mask, idx m) {
    return decode_f8e4m3(ld_where_8(p, mask, m));
}

//@SECTION ld_where_f8e5m2
LANES f32 ld_where_f8e5m2(const f8e5m2 *p, b1 mask, idx m) {
    return decode_f8e5m2(ld_where_8(p, mask, m));
}

//@SECTION ld_where_i8
LANES i32 ld_where_i8(const int8_t *p, b1 mask, idx m) { return i32_8(ld_where_8(p, mask, m)); }

//@SECTION ld_where_u8
LANES i32 ld_where_u8(const uint8_t *p, b1 mask, idx m) {
    return (i32)u32_8(ld_where_8(p, mask, m));
}

//@SECTION ld_where_bool
LANES b1 ld_where_bool(const bool_t *p, b1 mask, idx m) {
    return (i32)u32_8(ld_where_8(p, mask, m)) != 0;
}

//@SECTION --
/* The same for one element that all lanes read. */

//@SECTION lds_where_f32
LANES f32 lds_where_f32(const float *p, b1 mask) {
    return is_any(mask) ? where_f32(mask, lds_f32(p), splat_f32(0)) : splat_f32(0);
}

//@SECTION lds_where_f64
LANES f64 lds_where_f64(const double *p, b1 mask) {
    return is_any(mask) ? where_f64(mask, lds_f64(p), splat_f64(0)) : splat_f64(0);
}

//@SECTION lds_where_i32
LANES i32 lds_where_i32(const int32_t *p, b1 mask) {
    return is_any(mask) ? where_i32(mask, lds_i32(p), splat_i32(0)) : splat_i32(0);
}

//@SECTION lds_where_i64
LANES i64 lds_where_i64(const int64_t *p, b1 mask) {
    return is_any(mask) ? where_i64(mask, lds_i64(p), splat_i64(0)) : splat_i64(0);
}

//@SECTION lds_where_bf16
LANES f32 lds_where_bf16(const bf16 *p, b1 mask) {
    return is_any(mask) ? where_f32(mask, lds_bf16(p), splat_f32(0)) : splat_f32(0);
}

//@SECTION lds_where_f16
LANES f32 lds_where_f16(const f16 *p, b1 mask) {
    return is_any(mask) ? where_f32(mask, lds_f16(p), splat_f32(0)) : splat_f32(0);
}

//@SECTION lds_where_f8e4m3
LANES f32 lds_where_f8e4m3(const f8e4m3 *p, b1 mask) {
    return is_any(mask) ? where_f32(mask, lds_f8e4m3(p), splat_f32(0)) : splat_f32(0);
}

//@SECTION lds_where_f8e5m2
LANES f32 lds_where_f8e5m2(const f8e5m2 *p, b1 mask) {
    return is_any(mask) ? where_f32(mask, lds_f8e5m2(p), splat_f32(0)) : splat_f32(0);
}

//@SECTION lds_where_i8
LANES i32 lds_where_i8(const int8_t *p, b1 mask) {
    return is_any(mask) ? where_i32(mask, lds_i8(p), splat_i32(0)) : splat_i32(0);
}

//@SECTION lds_where_u8
LANES i32 lds_where_u8(const uint8_t *p, b1 mask) {
    return is_any(mask) ? where_i32(mask, lds_u8(p), splat_i32(0)) : splat_i32(0);
}

//@SECTION lds_where_bool
LANES b1 lds_where_bool(const bool_t *p, b1 mask) {
    return is_any(mask) ? where_b1(mask, lds_bool(p), splat_b1(0)) : splat_b1(0);
}
