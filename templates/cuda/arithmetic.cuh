/* arithmetic.cuh: integers, sign, maximum and minimum, conversions to integers. Sections as in
 * types.cuh. */
#pragma once
#include "types.cuh"
//@BEGIN
//@SECTION --
// ---- integer arithmetic: wraps; x / 0 and x % 0 are 0 --------------------------------------

//@SECTION add_wrap
HOST_DEVICE int add_wrap(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
HOST_DEVICE long long add_wrap(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}

//@SECTION sub_wrap
HOST_DEVICE int sub_wrap(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
HOST_DEVICE long long sub_wrap(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}

//@SECTION mul_wrap
HOST_DEVICE int mul_wrap(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
HOST_DEVICE long long mul_wrap(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}

//@SECTION neg_wrap
HOST_DEVICE int neg_wrap(int x) { return (int)(0u - (unsigned)x); }
HOST_DEVICE long long neg_wrap(long long x) { return (long long)(0ull - (unsigned long long)x); }

//@SECTION abs_wrap
HOST_DEVICE int abs_wrap(int x) { return x < 0 ? neg_wrap(x) : x; }
HOST_DEVICE long long abs_wrap(long long x) { return x < 0 ? neg_wrap(x) : x; }

//@SECTION div_trunc
HOST_DEVICE int div_trunc(int a, int b) { return b == 0 ? 0 : b == -1 ? neg_wrap(a) : a / b; }
HOST_DEVICE long long div_trunc(long long a, long long b) {
    return b == 0 ? 0 : b == -1 ? neg_wrap(a) : a / b;
}

//@SECTION mod_trunc
HOST_DEVICE int mod_trunc(int a, int b) { return b == 0 || b == -1 ? 0 : a % b; }
HOST_DEVICE long long mod_trunc(long long a, long long b) {
    return b == 0 || b == -1 ? 0 : a % b;
}
HOST_DEVICE float mod_trunc(float a, float b) { return fmodf(a, b); }
HOST_DEVICE double mod_trunc(double a, double b) { return fmod(a, b); }

//@SECTION mul_rounded
/* Products that the compiler does not contract with an addition. */
DEVICE float mul_rounded(float a, float b) { return __fmul_rn(a, b); }
DEVICE double mul_rounded(double a, double b) { return __dmul_rn(a, b); }

//@SECTION pow_int
/* By squaring. A negative exponent means 1 / a**-b, truncated: 0 unless a is 1 or -1. */
HOST_DEVICE long long pow_int(long long a, long long b) {
    if (b < 0) return a == 1 || (a == -1 && !(b & 1)) ? 1 : a == -1 ? -1 : 0;
    unsigned long long power = 1, square = (unsigned long long)a;
    for (; b; b >>= 1, square *= square)
        if (b & 1) power *= square;
    return (long long)power;
}
HOST_DEVICE int pow_int(int a, int b) { return (int)pow_int((long long)a, (long long)b); }

//@SECTION --
// ---- sign, max and min: NaN in, NaN out ----------------------------------------------------

//@SECTION sign_of
HOST_DEVICE int sign_of(int x) { return (x > 0) - (x < 0); }
HOST_DEVICE long long sign_of(long long x) { return (x > 0) - (x < 0); }
HOST_DEVICE float sign_of(float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : x; }
HOST_DEVICE double sign_of(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

//@SECTION max_nan
HOST_DEVICE float max_nan(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float most;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(a), "f"(b));
    return most;
#else
    return a > b || a != a ? a : b;
#endif
}
HOST_DEVICE double max_nan(double a, double b) { return a > b || a != a ? a : b; }
HOST_DEVICE int max_nan(int a, int b) { return a > b ? a : b; }
HOST_DEVICE long long max_nan(long long a, long long b) { return a > b ? a : b; }

//@SECTION min_nan
HOST_DEVICE float min_nan(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float least;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
    return least;
#else
    return a < b || a != a ? a : b;
#endif
}
HOST_DEVICE double min_nan(double a, double b) { return a < b || a != a ? a : b; }
HOST_DEVICE int min_nan(int a, int b) { return a < b ? a : b; }
HOST_DEVICE long long min_nan(long long a, long long b) { return a < b ? a : b; }

//@SECTION --
// ---- to integers: truncate and saturate, NaN to 0; from integers: wrap ----------------------

//@SECTION i32_of
HOST_DEVICE int i32_of(float x) {
    if (x != x) return 0;
    return x >= 2147483648.0f ? 0x7fffffff : x < -2147483648.0f ? -0x7fffffff - 1 : (int)x;
}
HOST_DEVICE int i32_of(double x) {
    if (x != x) return 0;
    return x >= 2147483648.0 ? 0x7fffffff : x <= -2147483649.0 ? -0x7fffffff - 1 : (int)x;
}
HOST_DEVICE int i32_of(int x) { return x; }
HOST_DEVICE int i32_of(long long x) { return (int)x; }
HOST_DEVICE int i32_of(bool x) { return x; }

//@SECTION i64_of
HOST_DEVICE long long i64_of(double x) {
    if (x != x) return 0;
    return x >= 9223372036854775808.0    ? 0x7fffffffffffffffll
           : x < -9223372036854775808.0 ? -0x7fffffffffffffffll - 1
                                        : (long long)x;
}
HOST_DEVICE long long i64_of(float x) { return i64_of((double)x); }
HOST_DEVICE long long i64_of(int x) { return x; }
HOST_DEVICE long long i64_of(long long x) { return x; }
HOST_DEVICE long long i64_of(bool x) { return x; }

//@SECTION i8_of
HOST_DEVICE int i8_of(float x) {
#ifdef __CUDA_ARCH__
    int result;
    asm("cvt.rzi.sat.s8.f32 %0, %1;" : "=r"(result) : "f"(x));
    return result;
#else
    return x < 127 ? x > -128 ? (int)x : -128 : x >= 127 ? 127 : 0;
#endif
}
HOST_DEVICE int i8_of(double x) { return x < 127 ? x > -128 ? (int)x : -128 : x >= 127 ? 127 : 0; }
HOST_DEVICE int i8_of(int x) { return (signed char)x; }
HOST_DEVICE int i8_of(long long x) { return (signed char)x; }
HOST_DEVICE int i8_of(bool x) { return x; }

//@SECTION u8_of
HOST_DEVICE int u8_of(float x) {
#ifdef __CUDA_ARCH__
    int result;
    asm("cvt.rzi.sat.u8.f32 %0, %1;" : "=r"(result) : "f"(x));
    return result;
#else
    return x < 255 ? x > 0 ? (int)x : 0 : x >= 255 ? 255 : 0;
#endif
}
HOST_DEVICE int u8_of(double x) { return x < 255 ? x > 0 ? (int)x : 0 : x >= 255 ? 255 : 0; }
HOST_DEVICE int u8_of(int x) { return (unsigned char)x; }
HOST_DEVICE int u8_of(long long x) { return (unsigned char)x; }
HOST_DEVICE int u8_of(bool x) { return x; }

//@SECTION --
// ---- small integers as float, by fewer instructions than conversions take ---------------------

//@SECTION small_float
/* x as float for |x| < 2^22: the float 1.5 * 2^23 + x has x in its low bits. */
HOST_DEVICE float small_float(int x) { return bits_float(0x4B400000u + (unsigned)x) - 12582912.0f; }

//@SECTION small_difference
/* x - y, exactly, of whole numbers of less than 2^21. */
HOST_DEVICE float small_difference(int x, float y) {
    return bits_float(0x4B400000u + (unsigned)x) - (12582912.0f + y);
}
