/* narrow.h: bf16, f16, f8e4m3 and f8e5m2: rounding to nearest, ties to even; encoding and decoding
 * of their bits. Sections as in lanes.h. */
#pragma once
#include "arithmetic.h"
//@BEGIN
//@SECTION WIDEN_8 u32_8
/* Bytes as lanes of 32 bits. gcc 12 would convert those that come from memory one by one. */
#if VL == 16 && defined(__AVX512F__)
#define WIDEN_8(wide, how, x) __asm__(how " %1, %0" : "=v"(wide) : "v"(x))
#elif VL == 8 && defined(__AVX2__)
#define WIDEN_8(wide, how, x)                                                                      \
    {                                                                                              \
        i64_pair low = {0};                                                                        \
        memcpy(&low, &(x), sizeof(x));                                                             \
        __asm__(how " %1, %0" : "=x"(wide) : "x"(low));                                            \
    }
typedef int64_t i64_pair __attribute__((vector_size(16)));
#endif
LANES u32 u32_8(u8 x) {
#ifdef WIDEN_8
    u32 wide;
    WIDEN_8(wide, "vpmovzxbd", x);
    return wide;
#else
    return __builtin_convertvector(x, u32);
#endif
}

//@SECTION i32_8
LANES i32 i32_8(u8 x) {
#ifdef WIDEN_8
    i32 wide;
    WIDEN_8(wide, "vpmovsxbd", x);
    return wide;
#else
    return i8wrap_i32(__builtin_convertvector(x, i32));
#endif
}

//@SECTION round_narrow
/* Keeps 23 - drop bits of fraction. Below `least`, the smallest normal number, the spacing stays
 * that of `least`; beyond `most` the result is `over`. */
LANES f32 round_narrow(f32 x, int drop, float least, float most, float over) {
    f32 a = abs_f32(x), spacing_one = splat_f32(least * (float)(1 << drop));
    u32 bits = (u32)a, half = (1u << (drop - 1)) - 1 + ((bits >> drop) & 1);
    f32 normal = (f32)((bits + half) >> drop << drop);
    f32 kept = where_f32(a < least, (a + spacing_one) - spacing_one, normal);
    kept = where_f32(kept > most, splat_f32(over), kept);
    return where_f32(x == x, with_sign_f32(kept, x), x);
}

//@SECTION encode_narrow
/* The bits, without the sign, of a result of round_narrow; `bias` is that of the exponent. */
LANES u32 encode_narrow(f32 rounded, int drop, int bias, float least) {
    f32 a = abs_f32(rounded), steps = a * ((float)(1 << (23 - drop)) / least);
    i32 tiny = __builtin_convertvector((f32)((a < least) & (i32)steps), i32);
    u32 normal = ((u32)a >> drop) - ((127u - (uint32_t)bias) << (23 - drop));
    return (u32)where_i32(a < least, tiny, (i32)normal);
}

//@SECTION decode_narrow
/* The finite number with these bits; keep = 23 - drop bits of fraction. */
LANES f32 decode_narrow(u32 bits, int keep, int bias, float least) {
    f32 tiny = __builtin_convertvector((i32)bits, f32) * (least / (float)(1 << keep));
    f32 normal = (f32)((bits << (23 - keep)) + ((127u - (uint32_t)bias) << 23));
    return where_f32((bits >> keep) == 0, tiny, normal);
}

//@SECTION nearest_bf16
/* The high halves are x rounded: adds 0x7fff, and 1 more if the last kept bit is 1, so that ties go
 * to even. NaN, whose bits could overflow, is only made quiet. */
LANES u32 nearest_bf16(f32 x) {
    u32 bits = (u32)x, rounded = bits + 0x7fff;
#if defined(__AVX512F__) && VL == 16
    __asm__("vptestmd %2, %1, %%k1\n\tvpsubd %3, %0, %0%{%%k1%}\n\tvfixupimmps $0, %4, %1, %0"
            : "+&v"(rounded)
            : "v"(x), "v"(splat_i32(0x10000)), "v"(splat_i32(-1)), "v"(splat_i32(0x22))
            : "k1");
    return rounded;
#else
    rounded += (bits >> 16) & 1;
    return (u32)where_i32(x == x, (i32)rounded, (i32)bits | 0x400000);
#endif
}

//@SECTION round_bf16
LANES f32 round_bf16(f32 x) { return (f32)(nearest_bf16(x) & 0xffff0000); }

//@SECTION round_f8e4m3
LANES f32 round_f8e4m3(f32 x) { /* no infinity: NaN beyond 448 */
    return round_narrow(x, 20, 0x1p-6f, 448, NAN);
}

//@SECTION round_f8e5m2
LANES f32 round_f8e5m2(f32 x) { return round_narrow(x, 21, 0x1p-14f, 57344, INFINITY); }

//@SECTION odd_f32
/* f64 to f32 rounded to odd: if bits are lost, the last kept bit is 1. Rounding the result again,
 * to at most 22 bits, then equals rounding x once (Boldo & Melquiond). */
LANES f32 odd_f32(f64 x) {
    f32 near = f32_f64(x);
    f64 back = f64_f32(near);
    b1 away = b1_mask64(less_f64(abs_f64(x), abs_f64(back))), lost = b1_mask64(~same_f64(back, x));
    return (f32)(((i32)near + away) | (lost & 1));
}

//@SECTION round_bf16_f64
LANES f32 round_bf16_f64(f64 x) { return round_bf16(odd_f32(x)); }

//@SECTION round_bf16_i64
/* Beyond 2^53 an f64 has fewer bits: those that it drops are joined in its last one first, as by
 * odd_f32. */
LANES f32 round_bf16_i64(i64 x) {
    i64 dropped = ~same_i64(x >> 53, x >> 63) & 2047, some = ~same_i64(x & dropped, (i64){0});
    return round_bf16_f64(f64_i64((x & ~dropped) | (some & 2048)));
}

//@SECTION round_f8e4m3_f64
LANES f32 round_f8e4m3_f64(f64 x) { return round_f8e4m3(odd_f32(x)); }

//@SECTION round_f8e5m2_f64
LANES f32 round_f8e5m2_f64(f64 x) { return round_f8e5m2(odd_f32(x)); }

//@SECTION decode_bf16
LANES f32 decode_bf16(u16 h) {
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    f32 x; /* 16-bit lanes: the odd ones come from h, the even ones are 0 */
    __asm__("vmovdqa32 %t1, %t0\n\tvpermw %0, %2, %0"
            : "=&v"(x)
            : "v"(h), "v"(lanes_i32(0) << 16 | 31));
    return x;
#elif VL == 8 && defined(__AVX2__) && !defined(__clang__) /* gcc 12 widens it by halves */
    u32 wide;
    __asm__("vpmovzxwd %1, %0" : "=x"(wide) : "xm"(h));
    return (f32)(wide << 16);
#else
    return (f32)(__builtin_convertvector(h, u32) << 16);
#endif
}

//@SECTION halves_bf16
/* Of lanes that are rounded to bf16. */
LANES u16 halves_bf16(f32 x) {
#if VL == 16 && defined(__AVX512BW__) /* one vpermw; the compiler's conversion takes two steps */
    u16 nearest;
    __asm__("vpermw %1, %2, %g0"
            : "=v"(nearest)
            : "v"(x), "v"(lanes_i32(0) * 0x40004 + 0x30001));
    return nearest;
#elif VL == 8 && defined(__AVX2__) && !defined(__clang__) /* gcc 12 masks and permutes, too */
    u16 h;
    __asm__("vextracti128 $1, %1, %0\n\tvpackusdw %0, %x1, %0" : "=&x"(h) : "x"((u32)x >> 16));
    return h;
#else
    return __builtin_convertvector((u32)x >> 16, u16);
#endif
}

//@SECTION encode_bf16
LANES u16 encode_bf16(f32 x) {
#if VL == 16 && defined(__AVX512BF16__) && defined(__AVX512DQ__)
    u16 h;
    uint16_t denormal; /* lanes that this instruction makes 0: these are rare */
    __asm__("vcvtneps2bf16 %1, %0" : "=v"(h) : "v"(x));
    __asm__("vfpclassps $32, %1, %0" : "=k"(denormal) : "v"(x));
    if (__builtin_expect(!denormal, 1)) return h;
#endif
    return halves_bf16((f32)nearest_bf16(x));
}

//@SECTION decode_f16
LANES f32 decode_f16(u16 h) {
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__F16C__))
    f32 x;
    __asm__("vcvtph2ps %1, %0" : "=v"(x) : "v"(h));
    return x;
#elif defined(__aarch64__) && VL == 4
    f32 x;
    __asm__("fcvtl %0.4s, %1.4h" : "=w"(x) : "w"(h));
    return x;
#else
    u32 bits = __builtin_convertvector(h, u32), a = bits & 0x7fff;
    i32 special = (i32)(a >= 0x7c00) & 0x7f800000; /* infinity, or NaN by its fraction */
    return (f32)((i32)decode_narrow(a, 10, 15, 0x1p-14f) | special | (i32)((bits & 0x8000) << 16));
#endif
}

//@SECTION encode_f16
LANES u16 encode_f16(f32 x) {
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__F16C__))
    u16 h;
    __asm__("vcvtps2ph $0, %1, %0" : "=v"(h) : "v"(x));
    return h;
#elif defined(__aarch64__) && VL == 4
    u16 h;
    __asm__("fcvtn %0.4h, %1.4s" : "=w"(h) : "w"(x));
    return h;
#else
    f32 r = round_narrow(x, 13, 0x1p-14f, 65504, INFINITY);
    i32 edge = where_i32(r == r, splat_i32(0x7c00), splat_i32(0x7e00));
    i32 code = (i32)encode_narrow(r, 13, 15, 0x1p-14f);
    code = where_i32(abs_f32(r) <= 65504.0f, code, edge);
    return __builtin_convertvector((u32)code | (u32)r >> 31 << 15, u16);
#endif
}

//@SECTION round_f16
LANES f32 round_f16(f32 x) { return decode_f16(encode_f16(x)); }

//@SECTION round_f16_f64
LANES f32 round_f16_f64(f64 x) { return round_f16(odd_f32(x)); }

//@SECTION decode_f8e4m3
LANES f32 decode_f8e4m3(u8 q) {
    u32 bits = u32_8(q), a = bits & 0x7f;
    i32 nan = (i32)(a == 0x7f) & 0x7fc00000;
    return (f32)((i32)decode_narrow(a, 3, 7, 0x1p-6f) | nan | (i32)((bits & 0x80) << 24));
}

//@SECTION encode_f8e4m3
LANES u8 encode_f8e4m3(f32 x) {
    f32 r = round_f8e4m3(x);
    i32 code = where_i32(r == r, (i32)encode_narrow(r, 20, 7, 0x1p-6f), splat_i32(0x7f));
    return u8_u32((u32)code | (u32)r >> 31 << 7);
}

//@SECTION decode_f8e5m2
LANES f32 decode_f8e5m2(u8 q) {
    u32 bits = u32_8(q), a = bits & 0x7f;
    i32 special = (i32)(a >= 0x7c) & 0x7f800000;
    return (f32)((i32)decode_narrow(a, 2, 15, 0x1p-14f) | special | (i32)((bits & 0x80) << 24));
}

//@SECTION encode_f8e5m2
LANES u8 encode_f8e5m2(f32 x) {
    f32 r = round_f8e5m2(x);
    i32 edge = where_i32(r == r, splat_i32(0x7c), splat_i32(0x7e));
    i32 code = (i32)encode_narrow(r, 21, 15, 0x1p-14f);
    code = where_i32(abs_f32(r) <= 57344.0f, code, edge);
    return u8_u32((u32)code | (u32)r >> 31 << 7);
}
