/* narrow.cuh: bf16, f16 and f8 to float and back, rounded to nearest even. Sections as in
 * types.cuh. */
#pragma once
#include "functions.cuh"
//@BEGIN
//@SECTION --
// ---- narrow floats: to nearest, ties to even -----------------------------------------------

//@SECTION odd_float
/* double to float rounded to odd: where bits are lost the last kept bit is 1, so that rounding
 * the result once more, to at most 22 bits, gives what rounding x at once would (Boldo &
 * Melquiond). */
HOST_DEVICE float odd_float(double x) {
    float nearest = (float)x;
    double back = nearest, away = x < 0 ? x - back : back - x;
    return bits_float((float_bits(nearest) - (away > 0)) | (back != x));
}

//@SECTION encode_narrow
/* The bits of x as a float of `keep` bits of fraction, of this exponent bias: everything above
 * `most` becomes `over`, NaN becomes `nan`. Small numbers are rounded by adding a power of two
 * whose last place is the smallest number there is. */
HOST_DEVICE unsigned encode_narrow(float x, int keep, int bias, unsigned most, unsigned over,
                                   unsigned nan) {
    unsigned bits = float_bits(x) & 0x7fffffffu, drop = 23 - keep, code;
    if (bits > 0x7f800000u) return nan;
    if (bits < (128u - bias) << 23) {
        unsigned one = (128u - bias + drop) << 23;
        code = float_bits(bits_float(bits) + bits_float(one)) - one;
    } else {
        code = ((bits + ((1u << (drop - 1)) - 1) + ((bits >> drop) & 1)) >> drop) -
               ((127u - bias) << keep);
    }
    return code > most ? over : code;
}

//@SECTION decode_narrow
/* The finite number of those bits, sign aside. */
HOST_DEVICE float decode_narrow(unsigned code, int keep, int bias) {
    float normal = bits_float((code << (23 - keep)) + ((127u - bias) << 23));
    float tiny = (float)(int)code * bits_float((128u - bias - keep) << 23);
    return code >> keep ? normal : tiny;
}

//@SECTION from_bf16
HOST_DEVICE float from_bf16(bf16 x) { return bits_float((unsigned)x.bits << 16); }

//@SECTION to_bf16
HOST_DEVICE bf16 to_bf16(float x) {
    bf16 result;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
#else
    unsigned bits = float_bits(x);
    result.bits = (unsigned short)(x != x ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
#endif
    return result;
}

//@SECTION to_bf16x2
/* Two at once, `low` at the lower address. */
HOST_DEVICE unsigned to_bf16x2(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
#else
    return to_bf16(low).bits | (unsigned)to_bf16(high).bits << 16;
#endif
}

//@SECTION from_f16
HOST_DEVICE float from_f16(f16 x) {
#ifdef __CUDA_ARCH__
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
    return result;
#else
    unsigned code = x.bits & 0x7fffu, sign = (x.bits & 0x8000u) << 16;
    unsigned special = code >= 0x7c00u ? 0x7f800000u : 0;
    return bits_float(float_bits(decode_narrow(code, 10, 15)) | special | sign);
#endif
}

//@SECTION to_f16
HOST_DEVICE f16 to_f16(float x) {
    f16 result;
#ifdef __CUDA_ARCH__
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
#else
    unsigned code = encode_narrow(x, 10, 15, 0x7bff, 0x7c00, 0x7fff);
    result.bits = (unsigned short)(code | (float_bits(x) >> 31 << 15));
#endif
    return result;
}

//@SECTION to_f16x2
HOST_DEVICE unsigned to_f16x2(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
#else
    return to_f16(low).bits | (unsigned)to_f16(high).bits << 16;
#endif
}

//@SECTION from_f8e4m3
HOST_DEVICE float from_f8e4m3(f8e4m3 x) {
    unsigned code = x.bits & 0x7fu, sign = (x.bits & 0x80u) << 24;
    unsigned nan = code == 0x7fu ? 0x7fc00000u : 0;
    return bits_float(float_bits(decode_narrow(code, 3, 7)) | nan | sign);
}

//@SECTION to_f8e4m3
/* OCP FP8 "FN": no infinity; what rounds beyond 448 is NaN. The instruction gives 448 instead,
 * whose code is one less, and converts two numbers. */
HOST_DEVICE f8e4m3 to_f8e4m3(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    unsigned short pair;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
    unsigned code = pair + (fabsf(x) > 464.0f);
#else
    unsigned code = encode_narrow(x, 3, 7, 0x7e, 0x7f, 0x7f);
#endif
    f8e4m3 result = {(unsigned char)(code | (float_bits(x) >> 31 << 7))};
    return result;
}

//@SECTION from_f8e5m2
HOST_DEVICE float from_f8e5m2(f8e5m2 x) {
    unsigned code = x.bits & 0x7fu, sign = (x.bits & 0x80u) << 24;
    unsigned special = code >= 0x7cu ? 0x7f800000u : 0;
    return bits_float(float_bits(decode_narrow(code, 2, 15)) | special | sign);
}

//@SECTION to_f8e5m2
/* The instruction gives 57344 where infinity is due. */
HOST_DEVICE f8e5m2 to_f8e5m2(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    unsigned short pair;
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
    unsigned code = pair + (fabsf(x) >= 61440.0f);
#else
    unsigned code = encode_narrow(x, 2, 15, 0x7b, 0x7c, 0x7f);
#endif
    f8e5m2 result = {(unsigned char)(code | (float_bits(x) >> 31 << 7))};
    return result;
}

//@SECTION round_bf16
HOST_DEVICE float round_bf16(float x) { return from_bf16(to_bf16(x)); }

//@SECTION round_f16
HOST_DEVICE float round_f16(float x) { return from_f16(to_f16(x)); }

//@SECTION round_f8e4m3
HOST_DEVICE float round_f8e4m3(float x) { return from_f8e4m3(to_f8e4m3(x)); }

//@SECTION round_f8e5m2
HOST_DEVICE float round_f8e5m2(float x) { return from_f8e5m2(to_f8e5m2(x)); }

//@SECTION round_bf16_f64
HOST_DEVICE float round_bf16_f64(double x) { return round_bf16(odd_float(x)); }

//@SECTION round_bf16_i64
/* Beyond 2^53 a double has fewer bits: those that it drops are joined in its last one first, as
 * by odd_float. */
HOST_DEVICE float round_bf16_i64(long long x) {
    const bool is_wide = x >> 53 != x >> 63;
    return round_bf16_f64((double)(is_wide && x % 2048 ? (x & ~2047LL) | 2048 : x));
}

//@SECTION round_f16_f64
HOST_DEVICE float round_f16_f64(double x) { return round_f16(odd_float(x)); }

//@SECTION round_f8e4m3_f64
HOST_DEVICE float round_f8e4m3_f64(double x) { return round_f8e4m3(odd_float(x)); }

//@SECTION round_f8e5m2_f64
HOST_DEVICE float round_f8e5m2_f64(double x) { return round_f8e5m2(odd_float(x)); }
