/* arithmetic.h: operations of one or a few instructions, and conversions between f64, f32, i64, i32
 * and b1. Sections as in lanes.h. */
#pragma once
#include "lanes.h"
//@BEGIN
//@SECTION --
// ---- integer arithmetic: wraps; x / 0 and x % 0 are 0 --------------------------------------

//@SECTION add_i32
LANES i32 add_i32(i32 a, i32 b) { return (i32)((u32)a + (u32)b); }

//@SECTION sub_i32
LANES i32 sub_i32(i32 a, i32 b) { return (i32)((u32)a - (u32)b); }

//@SECTION mul_i32
LANES i32 mul_i32(i32 a, i32 b) { return (i32)((u32)a * (u32)b); }

//@SECTION neg_i32
LANES i32 neg_i32(i32 x) { return (i32) - (u32)x; }

//@SECTION add_i64
LANES i64 add_i64(i64 a, i64 b) { return (i64)((u64)a + (u64)b); }

//@SECTION sub_i64
LANES i64 sub_i64(i64 a, i64 b) { return (i64)((u64)a - (u64)b); }

//@SECTION mul_i64
LANES i64 mul_i64(i64 a, i64 b) { return (i64)((u64)a * (u64)b); }

//@SECTION neg_i64
LANES i64 neg_i64(i64 x) { return (i64) - (u64)x; }

//@SECTION div_i32
/* In f64: the truncated quotient of two 32-bit integers is exact. */
LANES i32 div_i32(i32 a, i32 b) {
    b1 special = (b == 0) | (b == -1); /* INT32_MIN / -1 would not fit */
    f64 safe = __builtin_convertvector(where_i32(special, splat_i32(1), b), f64);
    i32 quotient = __builtin_convertvector(__builtin_convertvector(a, f64) / safe, i32);
    return where_i32(special, (b == -1) & neg_i32(a), quotient);
}

//@SECTION mod_i32
LANES i32 mod_i32(i32 a, i32 b) { return ~(b == 0) & sub_i32(a, mul_i32(div_i32(a, b), b)); }

//@SECTION high_bits_i32
/* a / 2^n and a % 2^n of lanes that are not negative. */
LANES i32 high_bits_i32(i32 a, int n) { return a >> n; }

//@SECTION low_bits_i32
LANES i32 low_bits_i32(i32 a, int n) { return a & ((1 << n) - 1); }

//@SECTION div_power_i32
/* a / 2^n, toward 0: a shift rounds down, so that negative numbers are raised first. */
LANES i32 div_power_i32(i32 a, int n) { return (a + ((a >> 31) & ((1 << n) - 1))) >> n; }

//@SECTION mod_power_i32
/* a % 2^n, with the sign of a. */
LANES i32 mod_power_i32(i32 a, int n) {
    const i32 more = (a >> 31) & ((1 << n) - 1);
    return ((a + more) & ((1 << n) - 1)) - more;
}

//@SECTION div_i64
LANES i64 div_i64(i64 a, i64 b) {
    for (int i = 0; i < VL; i++)
        a[i] = b[i] == 0 ? 0 : b[i] == -1 ? (int64_t)(0 - (uint64_t)a[i]) : a[i] / b[i];
    return a;
}

//@SECTION mod_i64
LANES i64 mod_i64(i64 a, i64 b) {
    for (int i = 0; i < VL; i++) a[i] = b[i] == 0 || b[i] == -1 ? 0 : a[i] % b[i];
    return a;
}

//@SECTION sign_i32
LANES i32 sign_i32(i32 x) { return (x < 0) - (x > 0); }

//@SECTION sign_i64
LANES i64 sign_i64(i64 x) { return less_i64(x, (i64){0}) - less_i64((i64){0}, x); }

//@SECTION I32_BY
/* Maxima and minima by one instruction: gcc 12 compares and chooses. clang finds it by itself. */
#if defined(__AVX512F__) && VL == 16 && !defined(__clang__)
#define I32_BY(NAME, CHOICE) (i32) __builtin_ia32_##NAME##512_mask(a, b, a, (uint16_t)-1)
#elif defined(__AVX2__) && VL == 8 && !defined(__clang__)
#define I32_BY(NAME, CHOICE) (i32) __builtin_ia32_##NAME##256(a, b)
#else
#define I32_BY(NAME, CHOICE) CHOICE
#endif

//@SECTION max_i32
LANES i32 max_i32(i32 a, i32 b) { return I32_BY(pmaxsd, where_i32(a > b, a, b)); }

//@SECTION min_i32
LANES i32 min_i32(i32 a, i32 b) { return I32_BY(pminsd, where_i32(a < b, a, b)); }

//@SECTION BY_HALVES
/* 64-bit lanes, the member FIELD of a pair64: those of a where CHOICE of both holds, else of b. */
#define BY_HALVES(FIELD, CHOICE)                                                                   \
    pair64 x = {.FIELD = a}, y = {.FIELD = b};                                                     \
    for (int k = 0; k < 2; k++) {                                                                  \
        const i64_half is_first = CHOICE(x.FIELD##_half[k], y.FIELD##_half[k]);                    \
        x.i_half[k] = (is_first & x.i_half[k]) ^ (~is_first & y.i_half[k]);                        \
    }                                                                                              \
    return x.FIELD;
#define IS_MORE(A, B) ((A) > (B))
#define IS_LESS(A, B) ((A) < (B))
#define IS_MORE_OR_NAN(A, B) (((A) > (B)) | ((A) != (A)))
#define IS_LESS_OR_NAN(A, B) (((A) < (B)) | ((A) != (A)))

//@SECTION max_i64
LANES i64 max_i64(i64 a, i64 b) { BY_HALVES(i, IS_MORE) }

//@SECTION min_i64
LANES i64 min_i64(i64 a, i64 b) { BY_HALVES(i, IS_LESS) }

//@SECTION abs_i32
LANES i32 abs_i32(i32 x) { return max_i32(x, neg_i32(x)); }

//@SECTION abs_i64
LANES i64 abs_i64(i64 x) { return max_i64(x, neg_i64(x)); }

//@SECTION pow_i32
/* By squaring. A negative exponent means 1 / a**-b, truncated: 0 unless a is 1 or -1. */
LANES i32 pow_i32(i32 a, i32 b) {
    b1 inverse = b < 0, unit = (a == 1) | (a == -1);
    i32 left = where_i32(inverse, b & 1, b), power = splat_i32(1), square = a;
    while (is_any(left != 0)) {
        power = where_i32((left & 1) != 0, mul_i32(power, square), power);
        square = mul_i32(square, square);
        left >>= 1;
    }
    return power & (~inverse | unit);
}

//@SECTION pow_i64
LANES i64 pow_i64(i64 a, i64 b) {
    i64 result;
    for (int i = 0; i < VL; i++) {
        bool inverse = b[i] < 0, unit = a[i] == 1 || a[i] == -1;
        uint64_t power = 1, square = (uint64_t)a[i];
        for (int64_t left = inverse ? b[i] & 1 : b[i]; left; left >>= 1, square *= square)
            if (left & 1) power *= square;
        result[i] = inverse && !unit ? 0 : (int64_t)power;
    }
    return result;
}

//@SECTION --
// ---- float arithmetic ----------------------------------------------------------------------

//@SECTION mul_rounded_f32
/* A product that the compiler does not contract with an addition: it passes through memory. */
LANES f32 mul_rounded_f32(f32 a, f32 b) {
    f32 product = a * b;
    __asm__("" : "+m"(product));
    return product;
}

//@SECTION mul_rounded_f64
/* A product that the compiler does not contract with an addition: it passes through memory. */
LANES f64 mul_rounded_f64(f64 a, f64 b) {
    f64 product = a * b;
    __asm__("" : "+m"(product));
    return product;
}

//@SECTION div_f32
LANES f32 div_f32(f32 a, f32 b) { return a / b; }

//@SECTION div_f64
LANES f64 div_f64(f64 a, f64 b) { return a / b; }

//@SECTION mod_f64
LANES f64 mod_f64(f64 a, f64 b) {
    for (int i = 0; i < VL; i++) a[i] = fmod(a[i], b[i]);
    return a;
}

//@SECTION abs_f32
LANES f32 abs_f32(f32 x) { return (f32)((i32)x & INT32_MAX); }

//@SECTION abs_f64
LANES f64 abs_f64(f64 x) { return (f64)((i64)x & INT64_MAX); }

//@SECTION with_sign_f32
LANES f32 with_sign_f32(f32 magnitude, f32 x) { /* magnitude >= 0, with the sign bit of x */
    return (f32)((i32)magnitude | ((i32)x & INT32_MIN));
}

//@SECTION mod_f32
/* The sign is a's. A quotient of less than 24 bits is at most one too large, where it was rounded
 * up to a whole number, and the remainder is exact in f64. Other lanes are left to fmodf. */
LANES f32 mod_f32(f32 a, f32 b) {
    const f32 by = abs_f32(b), quotient = abs_f32(a) / by;
    const b1 is_simple = (quotient < 0x1p24f) & (by < INFINITY);
    const f64 whole = __builtin_convertvector(__builtin_convertvector(quotient, i32), f64);
    const f64 exact =
        __builtin_convertvector(abs_f32(a), f64) - whole * __builtin_convertvector(by, f64);
    const f32 rest = __builtin_convertvector(exact, f32);
    f32 result = with_sign_f32(rest + (f32)((rest < 0) & (i32)by), a);
    if (is_any(~is_simple))
        for (int i = 0; i < VL; i++)
            if (!is_simple[i]) result[i] = fmodf(a[i], b[i]);
    return result;
}

//@SECTION with_sign_f64
LANES f64 with_sign_f64(f64 magnitude, f64 x) {
    return (f64)((i64)magnitude | ((i64)x & INT64_MIN));
}

//@SECTION sign_f32
LANES f32 sign_f32(f32 x) { /* keeps NaN and zeros */
    return where_f32(abs_f32(x) > 0.0f, with_sign_f32(splat_f32(1), x), x);
}

//@SECTION sign_f64
LANES f64 sign_f64(f64 x) {
    return pick_f64(less_f64((f64){0}, abs_f64(x)), with_sign_f64(splat_f64(1), x), x);
}

//@SECTION max_f32
/* NaN wins. On x86 the instruction returns its second operand, a here, if either is NaN, so only a
 * NaN in b needs a fix. The test of b does not lengthen the dependency chain of a loop, which goes
 * through a. */
LANES f32 max_f32(f32 a, f32 b) {
#if defined(__AVX512F__) && VL == 16
    f32 c;
    __asm__("vmaxps %1, %2, %0\n\tvcmpunordps %2, %2, %%k1\n\tvmovaps %2, %0%{%%k1%}"
            : "=&v"(c)
            : "v"(a), "v"(b)
            : "k1");
    return c;
#elif defined(__AVX__) && VL == 8
    f32 c, nan;
    __asm__("vmaxps %2, %3, %0\n\tvcmpunordps %3, %3, %1\n\tvblendvps %1, %3, %0, %0"
            : "=&x"(c), "=&x"(nan)
            : "x"(a), "x"(b));
    return c;
#elif defined(__aarch64__) && VL == 4
    __asm__("fmax %0.4s, %1.4s, %2.4s" : "=w"(a) : "w"(a), "w"(b));
    return a;
#else
    return where_f32((a > b) | (a != a), a, b);
#endif
}

//@SECTION min_f32
LANES f32 min_f32(f32 a, f32 b) { /* see max_f32 */
#if defined(__AVX512F__) && VL == 16
    f32 c;
    __asm__("vminps %1, %2, %0\n\tvcmpunordps %2, %2, %%k1\n\tvmovaps %2, %0%{%%k1%}"
            : "=&v"(c)
            : "v"(a), "v"(b)
            : "k1");
    return c;
#elif defined(__AVX__) && VL == 8
    f32 c, nan;
    __asm__("vminps %2, %3, %0\n\tvcmpunordps %3, %3, %1\n\tvblendvps %1, %3, %0, %0"
            : "=&x"(c), "=&x"(nan)
            : "x"(a), "x"(b));
    return c;
#elif defined(__aarch64__) && VL == 4
    __asm__("fmin %0.4s, %1.4s, %2.4s" : "=w"(a) : "w"(a), "w"(b));
    return a;
#else
    return where_f32((a < b) | (a != a), a, b);
#endif
}

//@SECTION max_f64
LANES f64 max_f64(f64 a, f64 b) { BY_HALVES(f, IS_MORE_OR_NAN) }

//@SECTION min_f64
LANES f64 min_f64(f64 a, f64 b) { BY_HALVES(f, IS_LESS_OR_NAN) }

//@SECTION at_most_f32
LANES f32 at_most_f32(f32 x, f32 high) { /* keeps NaN: vminps then returns its second operand */
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__AVX__))
    __asm__("vminps %1, %2, %0" : "=v"(x) : "v"(x), "v"(high));
    return x;
#elif defined(__aarch64__) && VL == 4
    __asm__("fmin %0.4s, %1.4s, %2.4s" : "=w"(x) : "w"(x), "w"(high));
    return x;
#else
    return where_f32(x > high, high, x);
#endif
}

//@SECTION at_least_f32
LANES f32 at_least_f32(f32 x, f32 low) { /* see at_most_f32 */
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__AVX__))
    __asm__("vmaxps %1, %2, %0" : "=v"(x) : "v"(x), "v"(low));
    return x;
#elif defined(__aarch64__) && VL == 4
    __asm__("fmax %0.4s, %1.4s, %2.4s" : "=w"(x) : "w"(x), "w"(low));
    return x;
#else
    return where_f32(x < low, low, x);
#endif
}

//@SECTION clamp_f32
LANES f32 clamp_f32(f32 x, float low, float high) { /* keeps NaN */
    return at_least_f32(at_most_f32(x, splat_f32(high)), splat_f32(low));
}

//@SECTION ROUND ROUND_NEAREST ROUND_DOWN ROUND_UP ROUND_TO_ZERO
/* To whole numbers by one instruction: to the nearest, ties to even, and down, up, and to zero. */
enum { ROUND_NEAREST = 8, ROUND_DOWN, ROUND_UP, ROUND_TO_ZERO };
#if VL == 16 && defined(__AVX512F__)
#define ROUND(X, HOW) __asm__("vrndscaleps %2, %1, %0" : "=v"(X) : "v"(X), "i"(HOW))
#elif VL == 8 && defined(__AVX__)
#define ROUND(X, HOW) __asm__("vroundps %2, %1, %0" : "=x"(X) : "x"(X), "i"(HOW))
#elif VL == 4 && defined(__SSE4_1__)
#define ROUND(X, HOW) __asm__("roundps %2, %1, %0" : "=x"(X) : "x"(X), "i"(HOW))
#endif

//@SECTION round_f32
LANES f32 round_f32(f32 x) {
#ifdef ROUND
    ROUND(x, ROUND_NEAREST);
    return x;
#else
    f32 a = abs_f32(x);
    return where_f32(a < 0x1p23f, with_sign_f32((a + 0x1p23f) - 0x1p23f, x), x);
#endif
}

//@SECTION floor_f32
LANES f32 floor_f32(f32 x) {
#ifdef ROUND
    ROUND(x, ROUND_DOWN);
    return x;
#else
    f32 near = round_f32(x);
    return near - (f32)((near > x) & (i32)splat_f32(1));
#endif
}

//@SECTION ceil_f32
LANES f32 ceil_f32(f32 x) {
#ifdef ROUND
    ROUND(x, ROUND_UP);
    return x;
#else
    return -floor_f32(-x);
#endif
}

//@SECTION trunc_f32
LANES f32 trunc_f32(f32 x) {
#ifdef ROUND
    ROUND(x, ROUND_TO_ZERO);
    return x;
#else
    return with_sign_f32(floor_f32(abs_f32(x)), x);
#endif
}

//@SECTION round_f64
LANES f64 round_f64(f64 x) {
    f64 a = abs_f64(x), near = with_sign_f64((a + 0x1p52) - 0x1p52, x);
    return pick_f64(less_f64(a, splat_f64(0x1p52)), near, x);
}

//@SECTION floor_f64
LANES f64 floor_f64(f64 x) {
    f64 near = round_f64(x);
    return near - (f64)(less_f64(x, near) & (i64)splat_f64(1));
}

//@SECTION ceil_f64
LANES f64 ceil_f64(f64 x) { return -floor_f64(-x); }

//@SECTION trunc_f64
LANES f64 trunc_f64(f64 x) { return with_sign_f64(floor_f64(abs_f64(x)), x); }

//@SECTION sqrt_f32
LANES f32 sqrt_f32(f32 x) { /* ulp: 0.5 in 0 .. 4 */
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__AVX__))
    __asm__("vsqrtps %1, %0" : "=v"(x) : "v"(x));
#elif defined(__SSE__) && VL == 4
    __asm__("sqrtps %1, %0" : "=x"(x) : "x"(x));
#elif defined(__aarch64__) && VL == 4
    __asm__("fsqrt %0.4s, %1.4s" : "=w"(x) : "w"(x));
#else
    for (int i = 0; i < VL; i++) x[i] = __builtin_sqrtf(x[i]);
#endif
    return x;
}

//@SECTION sqrt_f64
LANES f64 sqrt_f64(f64 x) { /* ulp: 0.5 in 0 .. 4 */
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__AVX__))
    pair64 y = {.f = x};
    __asm__("vsqrtpd %1, %0" : "=v"(y.f_half[0]) : "v"(y.f_half[0]));
    __asm__("vsqrtpd %1, %0" : "=v"(y.f_half[1]) : "v"(y.f_half[1]));
    return y.f;
#else
    for (int i = 0; i < VL; i++) x[i] = __builtin_sqrt(x[i]);
    return x;
#endif
}

//@SECTION rsqrt_f32
LANES f32 rsqrt_f32(f32 x) { /* ulp: 1.5 in 0 .. 4 */
    return 1.0f / sqrt_f32(x);
}

//@SECTION rsqrt_f64
LANES f64 rsqrt_f64(f64 x) { /* ulp: 1.5 in 0 .. 4 */
    return 1.0 / sqrt_f64(x);
}

//@SECTION --
// ---- conversions, named TO_FROM ------------------------------------------------------------

//@SECTION f32_f64
LANES f32 f32_f64(f64 x) { return __builtin_convertvector(x, f32); }

//@SECTION f64_f32
LANES f64 f64_f32(f32 x) { return __builtin_convertvector(x, f64); }

//@SECTION f32_i32
LANES f32 f32_i32(i32 x) { return __builtin_convertvector(x, f32); }

//@SECTION f32_i64
LANES f32 f32_i64(i64 x) { return __builtin_convertvector(x, f32); }

//@SECTION f64_i32
LANES f64 f64_i32(i32 x) { return __builtin_convertvector(x, f64); }

//@SECTION f64_i64
LANES f64 f64_i64(i64 x) { return __builtin_convertvector(x, f64); }

//@SECTION i64_i32
LANES i64 i64_i32(i32 x) { return __builtin_convertvector(x, i64); }

//@SECTION i32_i64
LANES i32 i32_i64(i64 x) { return __builtin_convertvector(x, i32); } /* wraps */

//@SECTION i32_f32
LANES i32 i32_f32(f32 x) { /* all float to integer: truncate, saturate, NaN to 0 */
    b1 high = x >= 0x1p31f, low = x < -0x1p31f, inside = (x == x) & ~(high | low);
    i32 whole = __builtin_convertvector((f32)(inside & (i32)x), i32);
    return whole | (high & INT32_MAX) | (low & INT32_MIN);
}

//@SECTION i64_f64
LANES i64 i64_f64(f64 x) {
    i64 low = less_f64(x, splat_f64(-0x1p63)), in = less_f64(x, splat_f64(0x1p63)) & ~low;
    i64 high = ~in & ~low & same_f64(x, x);
    i64 whole = __builtin_convertvector((f64)(in & (i64)x), i64);
    return whole | (high & INT64_MAX) | (low & INT64_MIN);
}

//@SECTION i64_f32
LANES i64 i64_f32(f32 x) { return i64_f64(f64_f32(x)); }

//@SECTION i32_f64
LANES i32 i32_f64(f64 x) {
    f64 low = splat_f64(INT32_MIN), high = splat_f64(INT32_MAX);
    f64 held = pick_f64(less_f64(x, low), low, pick_f64(less_f64(high, x), high, x));
    return __builtin_convertvector((f64)(same_f64(x, x) & (i64)held), i32);
}

//@SECTION i8wrap_i32
LANES i32 i8wrap_i32(i32 x) { return (i32)((u32)x << 24) >> 24; }

//@SECTION u8wrap_i32
LANES i32 u8wrap_i32(i32 x) { return x & 255; }

//@SECTION clamp_i32
LANES i32 clamp_i32(i32 x, int32_t low, int32_t high) {
    return min_i32(max_i32(x, splat_i32(low)), splat_i32(high));
}

//@SECTION within_f32
LANES i32 within_f32(f32 x, float low, float high) { /* the same between numbers of few bits */
    const f32 below = where_f32(x < high, x, splat_f32(high));
    const i32 whole = __builtin_convertvector(where_f32(below > low, below, splat_f32(low)), i32);
    return (x == x) & whole;
}

//@SECTION i8_f32
LANES i32 i8_f32(f32 x) { return within_f32(x, -128, 127); }

//@SECTION u8_f32
LANES i32 u8_f32(f32 x) { return within_f32(x, 0, 255); }

//@SECTION i8_f64
LANES i32 i8_f64(f64 x) { return clamp_i32(i32_f64(x), -128, 127); }

//@SECTION u8_f64
LANES i32 u8_f64(f64 x) { return clamp_i32(i32_f64(x), 0, 255); }

//@SECTION b1_f32
LANES b1 b1_f32(f32 x) { return x != 0; } /* NaN is true */

//@SECTION b1_f64
LANES b1 b1_f64(f64 x) { return b1_mask64(~same_f64(x, (f64){0})); }

//@SECTION b1_i32
LANES b1 b1_i32(i32 x) { return x != 0; }

//@SECTION b1_i64
LANES b1 b1_i64(i64 x) { return b1_mask64(~same_i64(x, (i64){0})); }

//@SECTION f32_b1
LANES f32 f32_b1(b1 c) { return (f32)(c & (i32)splat_f32(1)); }

//@SECTION f64_b1
LANES f64 f64_b1(b1 c) { return __builtin_convertvector(c & 1, f64); }

//@SECTION i32_b1
LANES i32 i32_b1(b1 c) { return c & 1; } /* gcc 12 compares -c to INT32_MIN wrongly */

//@SECTION i64_b1
LANES i64 i64_b1(b1 c) { return __builtin_convertvector(c & 1, i64); }
