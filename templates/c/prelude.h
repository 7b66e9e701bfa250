/* What emitted C is written in: vectors of VL lanes, and the functions on them.
 * Uniform values are splats. bf16, f16 and f8 are computed as f32 lanes, i8 and u8 as i32 lanes,
 * bool as b1: lanes of 0 or -1. `m` counts valid lanes, 1..VL; at VL the whole vector is meant. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* every function here is inlined */

#ifndef VL
#if defined(__AVX512F__)
#define VL 16
#elif defined(__AVX__)
#define VL 8
#else
#define VL 4
#endif
#endif

#define LANES static inline __attribute__((always_inline, unused))

typedef ptrdiff_t idx;
typedef uint16_t bf16, f16;     /* storage: 16 bits */
typedef uint8_t f8e4m3, f8e5m2; /* storage: 8 bits */
typedef uint8_t bool_t;         /* storage: 0 or 1 */
typedef float f32 __attribute__((vector_size(VL * 4)));
typedef double f64 __attribute__((vector_size(VL * 8)));
typedef int32_t i32 __attribute__((vector_size(VL * 4)));
typedef int64_t i64 __attribute__((vector_size(VL * 8)));
typedef i32 b1;

//@SECTION u32
typedef uint32_t u32 __attribute__((vector_size(VL * 4)));

//@SECTION u64
typedef uint64_t u64 __attribute__((vector_size(VL * 8)));

//@SECTION u16
typedef uint16_t u16 __attribute__((vector_size(VL * 2)));

//@SECTION u8
typedef uint8_t u8 __attribute__((vector_size(VL)));

//@SECTION splat_f32
LANES f32 splat_f32(float x) { return x - (f32){0}; } /* x - 0 is x, for -0 too */

//@SECTION splat_f64
LANES f64 splat_f64(double x) { return x - (f64){0}; }

//@SECTION splat_i32
LANES i32 splat_i32(int32_t x) { return x - (i32){0}; }

//@SECTION splat_i64
LANES i64 splat_i64(int64_t x) { return x - (i64){0}; }

//@SECTION splat_b1
LANES b1 splat_b1(int32_t x) { return x - (b1){0}; } /* of 0 or -1 */

//@SECTION LANE_NUMBERS
#if VL == 16
#define LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#elif VL == 8
#define LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7
#else
#define LANE_NUMBERS 0, 1, 2, 3
#endif

//@SECTION lanes_i32
LANES i32 lanes_i32(int32_t start) { return (i32)((uint32_t)start + (u32){LANE_NUMBERS}); }

//@SECTION lanes_i64
LANES i64 lanes_i64(int64_t start) { return (i64)((uint64_t)start + (u64){LANE_NUMBERS}); }

//@SECTION --
// ---- choosing and comparing ----------------------------------------------------------------

//@SECTION where_f32
LANES f32 where_f32(b1 c, f32 a, f32 b) { return (f32)((c & (i32)a) | (~c & (i32)b)); }

//@SECTION pair64
/* 64-bit lanes fill two registers; gcc compares them well only one register at a time. */
typedef double f64_half __attribute__((vector_size(VL * 4)));
typedef int64_t i64_half __attribute__((vector_size(VL * 4)));
typedef union pair64 {
    f64 f;
    i64 i;
    f64_half f_half[2];
    i64_half i_half[2];
} pair64;

//@SECTION less_f64
LANES i64 less_f64(f64 a, f64 b) {
    pair64 x = {.f = a}, y = {.f = b};
    for (int k = 0; k < 2; k++) x.i_half[k] = x.f_half[k] < y.f_half[k];
    return x.i;
}

//@SECTION same_f64
LANES i64 same_f64(f64 a, f64 b) {
    pair64 x = {.f = a}, y = {.f = b};
    for (int k = 0; k < 2; k++) x.i_half[k] = x.f_half[k] == y.f_half[k];
    return x.i;
}

//@SECTION less_i64
LANES i64 less_i64(i64 a, i64 b) {
    pair64 x = {.i = a}, y = {.i = b};
    for (int k = 0; k < 2; k++) x.i_half[k] = x.i_half[k] < y.i_half[k];
    return x.i;
}

//@SECTION same_i64
LANES i64 same_i64(i64 a, i64 b) {
    pair64 x = {.i = a}, y = {.i = b};
    for (int k = 0; k < 2; k++) x.i_half[k] = x.i_half[k] == y.i_half[k];
    return x.i;
}

//@SECTION pick_f64
LANES f64 pick_f64(i64 c, f64 a, f64 b) { return (f64)((c & (i64)a) | (~c & (i64)b)); }

//@SECTION pick_i64
LANES i64 pick_i64(i64 c, i64 a, i64 b) { return (c & a) | (~c & b); }

//@SECTION b1_mask64
LANES b1 b1_mask64(i64 mask) { return __builtin_convertvector(mask, b1); }

//@SECTION where_f64
LANES f64 where_f64(b1 c, f64 a, f64 b) { return pick_f64(__builtin_convertvector(c, i64), a, b); }

//@SECTION where_i32
LANES i32 where_i32(b1 c, i32 a, i32 b) { return (c & a) | (~c & b); }

//@SECTION where_i64
LANES i64 where_i64(b1 c, i64 a, i64 b) { return pick_i64(__builtin_convertvector(c, i64), a, b); }

//@SECTION where_b1
LANES b1 where_b1(b1 c, b1 a, b1 b) { return (c & a) | (~c & b); }

//@SECTION lt_f32
LANES b1 lt_f32(f32 a, f32 b) { return a < b; }

//@SECTION le_f32
LANES b1 le_f32(f32 a, f32 b) { return a <= b; }

//@SECTION eq_f32
LANES b1 eq_f32(f32 a, f32 b) { return a == b; }

//@SECTION ne_f32
LANES b1 ne_f32(f32 a, f32 b) { return a != b; }

//@SECTION lt_f64
LANES b1 lt_f64(f64 a, f64 b) { return b1_mask64(less_f64(a, b)); }

//@SECTION le_f64
LANES b1 le_f64(f64 a, f64 b) { return b1_mask64(less_f64(a, b) | same_f64(a, b)); }

//@SECTION eq_f64
LANES b1 eq_f64(f64 a, f64 b) { return b1_mask64(same_f64(a, b)); }

//@SECTION ne_f64
LANES b1 ne_f64(f64 a, f64 b) { return b1_mask64(~same_f64(a, b)); }

//@SECTION lt_i32
LANES b1 lt_i32(i32 a, i32 b) { return a < b; }

//@SECTION le_i32
LANES b1 le_i32(i32 a, i32 b) { return a <= b; }

//@SECTION eq_i32
LANES b1 eq_i32(i32 a, i32 b) { return a == b; }

//@SECTION ne_i32
LANES b1 ne_i32(i32 a, i32 b) { return a != b; }

//@SECTION lt_i64
LANES b1 lt_i64(i64 a, i64 b) { return b1_mask64(less_i64(a, b)); }

//@SECTION le_i64
LANES b1 le_i64(i64 a, i64 b) { return b1_mask64(~less_i64(b, a)); }

//@SECTION eq_i64
LANES b1 eq_i64(i64 a, i64 b) { return b1_mask64(same_i64(a, b)); }

//@SECTION ne_i64
LANES b1 ne_i64(i64 a, i64 b) { return b1_mask64(~same_i64(a, b)); }

//@SECTION not_b1
LANES b1 not_b1(b1 a) { return ~a; }

//@SECTION and_b1
LANES b1 and_b1(b1 a, b1 b) { return a & b; }

//@SECTION or_b1
LANES b1 or_b1(b1 a, b1 b) { return a | b; }

//@SECTION eq_b1
LANES b1 eq_b1(b1 a, b1 b) { return ~(a ^ b); }

//@SECTION ne_b1
LANES b1 ne_b1(b1 a, b1 b) { return a ^ b; }

//@SECTION lt_b1
LANES b1 lt_b1(b1 a, b1 b) { return ~a & b; } /* false < true */

//@SECTION le_b1
LANES b1 le_b1(b1 a, b1 b) { return ~a | b; }

//@SECTION isnan_f32
LANES b1 isnan_f32(f32 x) { return x != x; }

//@SECTION isnan_f64
LANES b1 isnan_f64(f64 x) { return b1_mask64(~same_f64(x, x)); }

//@SECTION --
// ---- across lanes --------------------------------------------------------------------------

//@SECTION ROTATE
#if VL == 16
#define ROTATE(V, N)                                                                               \
    __builtin_shufflevector(V, V, (N), (N) + 1, (N) + 2, (N) + 3, (N) + 4, (N) + 5, (N) + 6,       \
                            (N) + 7, (N) + 8, (N) + 9, (N) + 10, (N) + 11, (N) + 12, (N) + 13,     \
                            (N) + 14, (N) + 15)
#elif VL == 8
#define ROTATE(V, N)                                                                               \
    __builtin_shufflevector(V, V, (N), (N) + 1, (N) + 2, (N) + 3, (N) + 4, (N) + 5, (N) + 6,       \
                            (N) + 7)
#else
#define ROTATE(V, N) __builtin_shufflevector(V, V, (N), (N) + 1, (N) + 2, (N) + 3)
#endif

//@SECTION FOLD
/* Every lane becomes F over all lanes: lane i meets lane i + N for N = VL/2 .. 1, so that all
 * lanes add up the same tree. */
#if VL == 16
#define FOLD(F, V)                                                                                 \
    V = F(V, ROTATE(V, 8));                                                                        \
    V = F(V, ROTATE(V, 4));                                                                        \
    V = F(V, ROTATE(V, 2));                                                                        \
    V = F(V, ROTATE(V, 1))
#elif VL == 8
#define FOLD(F, V)                                                                                 \
    V = F(V, ROTATE(V, 4));                                                                        \
    V = F(V, ROTATE(V, 2));                                                                        \
    V = F(V, ROTATE(V, 1))
#else
#define FOLD(F, V)                                                                                 \
    V = F(V, ROTATE(V, 2));                                                                        \
    V = F(V, ROTATE(V, 1))
#endif

//@SECTION any_lanes_b1
LANES b1 any_lanes_b1(b1 x) {
    FOLD(or_b1, x);
    return x;
}

//@SECTION all_lanes_b1
LANES b1 all_lanes_b1(b1 x) {
    FOLD(and_b1, x);
    return x;
}

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
/* By f64, whose quotient of 32-bit integers truncates to theirs. */
LANES i32 div_i32(i32 a, i32 b) {
    b1 special = (b == 0) | (b == -1); /* INT32_MIN / -1 would not fit */
    f64 safe = __builtin_convertvector(where_i32(special, splat_i32(1), b), f64);
    i32 quotient = __builtin_convertvector(__builtin_convertvector(a, f64) / safe, i32);
    return where_i32(special, (b == -1) & neg_i32(a), quotient);
}

//@SECTION mod_i32
LANES i32 mod_i32(i32 a, i32 b) { return ~(b == 0) & sub_i32(a, mul_i32(div_i32(a, b), b)); }

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

//@SECTION abs_i32
LANES i32 abs_i32(i32 x) { return where_i32(x < 0, neg_i32(x), x); }

//@SECTION abs_i64
LANES i64 abs_i64(i64 x) { return pick_i64(less_i64(x, (i64){0}), neg_i64(x), x); }

//@SECTION sign_i32
LANES i32 sign_i32(i32 x) { return (x < 0) - (x > 0); }

//@SECTION sign_i64
LANES i64 sign_i64(i64 x) { return less_i64(x, (i64){0}) - less_i64((i64){0}, x); }

//@SECTION max_i32
LANES i32 max_i32(i32 a, i32 b) { return where_i32(a > b, a, b); }

//@SECTION min_i32
LANES i32 min_i32(i32 a, i32 b) { return where_i32(a < b, a, b); }

//@SECTION max_i64
LANES i64 max_i64(i64 a, i64 b) { return pick_i64(less_i64(b, a), a, b); }

//@SECTION min_i64
LANES i64 min_i64(i64 a, i64 b) { return pick_i64(less_i64(a, b), a, b); }

//@SECTION pow_i32
/* By squaring. A negative exponent means 1 / a**-b, truncated: 0 unless a is 1 or -1. */
LANES i32 pow_i32(i32 a, i32 b) {
    b1 inverse = b < 0, unit = (a == 1) | (a == -1);
    i32 left = where_i32(inverse, b & 1, b), power = splat_i32(1), square = a;
    while (any_lanes_b1(left != 0)[0]) {
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

//@SECTION div_f32
LANES f32 div_f32(f32 a, f32 b) { return a / b; }

//@SECTION div_f64
LANES f64 div_f64(f64 a, f64 b) { return a / b; }

//@SECTION mod_f32
LANES f32 mod_f32(f32 a, f32 b) { /* the sign is a's */
    for (int i = 0; i < VL; i++) a[i] = fmodf(a[i], b[i]);
    return a;
}

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

//@SECTION with_sign_f64
LANES f64 with_sign_f64(f64 magnitude, f64 x) {
    return (f64)((i64)magnitude | ((i64)x & INT64_MIN));
}

//@SECTION sign_f32
LANES f32 sign_f32(f32 x) { /* NaN and zeros stay what they are */
    return where_f32(abs_f32(x) > 0.0f, with_sign_f32(splat_f32(1), x), x);
}

//@SECTION sign_f64
LANES f64 sign_f64(f64 x) {
    return pick_f64(less_f64((f64){0}, abs_f64(x)), with_sign_f64(splat_f64(1), x), x);
}

//@SECTION max_f32
/* NaN wins. The instruction gives its second operand, a here, when either is NaN: only b's own NaN
 * is missing then, and looking for it does not wait for a, which is what a loop carries. */
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
#else
    return where_f32((a > b) | (a != a), a, b);
#endif
}

//@SECTION min_f32
LANES f32 min_f32(f32 a, f32 b) { /* as max_f32 */
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
#else
    return where_f32((a < b) | (a != a), a, b);
#endif
}

//@SECTION max_f64
LANES f64 max_f64(f64 a, f64 b) { return pick_f64(less_f64(b, a) | ~same_f64(a, a), a, b); }

//@SECTION min_f64
LANES f64 min_f64(f64 a, f64 b) { return pick_f64(less_f64(a, b) | ~same_f64(a, a), a, b); }

//@SECTION at_most_f32
LANES f32 at_most_f32(f32 x, f32 high) { /* NaN stays: min gives its second operand for one */
#if defined(__AVX__) && VL >= 8
    __asm__("vminps %1, %2, %0" : "=v"(x) : "v"(x), "v"(high));
    return x;
#else
    return where_f32(x > high, high, x);
#endif
}

//@SECTION at_least_f32
LANES f32 at_least_f32(f32 x, f32 low) { /* as at_most_f32 */
#if defined(__AVX__) && VL >= 8
    __asm__("vmaxps %1, %2, %0" : "=v"(x) : "v"(x), "v"(low));
    return x;
#else
    return where_f32(x < low, low, x);
#endif
}

//@SECTION clamp_f32
LANES f32 clamp_f32(f32 x, float low, float high) { /* NaN stays */
    return at_least_f32(at_most_f32(x, splat_f32(high)), splat_f32(low));
}

//@SECTION round_f32
LANES f32 round_f32(f32 x) { /* to the nearest integer, ties to even */
    f32 a = abs_f32(x);
    return where_f32(a < 0x1p23f, with_sign_f32((a + 0x1p23f) - 0x1p23f, x), x);
}

//@SECTION floor_f32
LANES f32 floor_f32(f32 x) {
    f32 near = round_f32(x);
    return near - (f32)((near > x) & (i32)splat_f32(1));
}

//@SECTION ceil_f32
LANES f32 ceil_f32(f32 x) { return -floor_f32(-x); }

//@SECTION trunc_f32
LANES f32 trunc_f32(f32 x) { return with_sign_f32(floor_f32(abs_f32(x)), x); }

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
LANES f32 sqrt_f32(f32 x) { /* ulp: 0.5 */
#if defined(__AVX__) && VL >= 8
    __asm__("vsqrtps %1, %0" : "=v"(x) : "v"(x));
#elif defined(__SSE__) && VL == 4
    __asm__("sqrtps %1, %0" : "=x"(x) : "x"(x));
#else
    for (int i = 0; i < VL; i++) x[i] = sqrtf(x[i]);
#endif
    return x;
}

//@SECTION sqrt_f64
LANES f64 sqrt_f64(f64 x) { /* ulp: 0.5 */
#if defined(__AVX__) && VL >= 8
    pair64 y = {.f = x};
    __asm__("vsqrtpd %1, %0" : "=v"(y.f_half[0]) : "v"(y.f_half[0]));
    __asm__("vsqrtpd %1, %0" : "=v"(y.f_half[1]) : "v"(y.f_half[1]));
    return y.f;
#else
    for (int i = 0; i < VL; i++) x[i] = sqrt(x[i]);
    return x;
#endif
}

//@SECTION rsqrt_f32
LANES f32 rsqrt_f32(f32 x) { /* ulp: 1.5 */
    return 1.0f / sqrt_f32(x);
}

//@SECTION rsqrt_f64
LANES f64 rsqrt_f64(f64 x) { /* ulp: 1.5 */
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
LANES i32 i32_f32(f32 x) { /* truncates and saturates, NaN to 0; so do the others */
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

//@SECTION i8_f32
LANES i32 i8_f32(f32 x) { return clamp_i32(i32_f32(x), -128, 127); }

//@SECTION u8_f32
LANES i32 u8_f32(f32 x) { return clamp_i32(i32_f32(x), 0, 255); }

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
LANES f64 f64_b1(b1 c) { return __builtin_convertvector(-c, f64); }

//@SECTION i32_b1
LANES i32 i32_b1(b1 c) { return -c; }

//@SECTION i64_b1
LANES i64 i64_b1(b1 c) { return __builtin_convertvector(-c, i64); }

//@SECTION --
// ---- exp, log, trigonometric and error functions -------------------------------------------
// `ulp:` bounds the error in units of the last place: found over every float (pow: over random
// pairs) by `test_math all exp_f32`, held by tests/unit/test_math.c. The polynomials are minimax
// fits (Remez); each coefficient was rounded to f32 before the next were fitted.

//@SECTION power2_f32
/* 2**n for whole n, -126 <= n <= 127. */
LANES f32 power2_f32(f32 n) { return (f32)((u32)(n + (0x1.8p23f + 127)) << 23); }

//@SECTION scale_f32
/* x * 2**n for whole n, -252 <= n <= 254, rounded once: two factors, the first of them exact. */
LANES f32 scale_f32(f32 x, f32 n) {
#if defined(__AVX512F__) && VL == 16
    __asm__("vscalefps %1, %0, %0" : "+v"(x) : "v"(n));
    return x;
#else
    f32 half = (n * 0.5f + 0x1.8p23f) - 0x1.8p23f;
    return x * power2_f32(half) * power2_f32(n - half);
#endif
}

//@SECTION mod_ln2_f32
/* x = n ln 2 + r with |r| <= ln 2 / 2: gives r. Adding 1.5 * 2**23 rounds to an integer; ln 2 is
 * split so that n times its first part is exact (Cody & Waite). */
LANES f32 mod_ln2_f32(f32 x, f32 *n) {
    f32 whole = (x * 0x1.715476p+0f + 0x1.8p23f) - 0x1.8p23f;
    *n = whole;
    return (x - whole * 0x1.63p-1f) - whole * -0x1.bd0106p-13f;
}

//@SECTION expm1_near_f32
/* e**r - 1 for |r| <= ln 2 / 2. */
LANES f32 expm1_near_f32(f32 r) {
    f32 p = r * 0x1.9c5f04p-13f + 0x1.6d4c66p-10f;
    p = p * r + 0x1.1113acp-7f;
    p = p * r + 0x1.5554eap-5f;
    p = p * r + 0x1.555554p-3f;
    p = p * r + 0.5f;
    return r * r * p + r;
}

//@SECTION exp_near_f32
/* e**r for |r| <= ln 2 / 2. */
LANES f32 exp_near_f32(f32 r) {
    f32 p = r * 0x1.6ac142p-10f + 0x1.123da6p-7f;
    p = p * r + 0x1.555858p-5f;
    p = p * r + 0x1.55548cp-3f;
    p = p * r + 0x1.fffffcp-2f;
    p = p * r + 1.0f;
    return p * r + 1.0f;
}

//@SECTION exp_f32
LANES f32 exp_f32(f32 x) { /* ulp: 0.9 (without FMA 1.2) */
    f32 n, r = mod_ln2_f32(clamp_f32(x, -104, 89), &n);
    return scale_f32(exp_near_f32(r), n);
}

//@SECTION exp2_near_f32
/* 2**r for |r| <= 1/2. */
LANES f32 exp2_near_f32(f32 r) {
    f32 p = r * 0x1.4bbb4cp-13f + 0x1.5fc084p-10f;
    p = p * r + 0x1.3b21c8p-7f;
    p = p * r + 0x1.c6ada6p-5f;
    p = p * r + 0x1.ebfbe6p-3f;
    p = p * r + 0x1.62e432p-1f;
    return p * r + 1.0f;
}

//@SECTION exp2_f32
LANES f32 exp2_f32(f32 x) { /* ulp: 0.9 (without FMA 1.1) */
    x = clamp_f32(x, -151, 129);
    f32 n = (x + 0x1.8p23f) - 0x1.8p23f;
    return scale_f32(exp2_near_f32(x - n), n);
}

//@SECTION expm1_f32
LANES f32 expm1_f32(f32 x) { /* ulp: 1.5 */
    f32 n, near = expm1_near_f32(mod_ln2_f32(clamp_f32(x, -18, 89), &n));
    f32 half = (f32)((u32)(n + (0x1.8p23f + 126)) << 23); /* 2**(n - 1): n may be 128 */
    f32 result = (half * near + (half - 0.5f)) * 2.0f;
    return (f32)((i32)result | ((i32)x & INT32_MIN)); /* the sign of -0 */
}

//@SECTION log1p_near_f32
/* log(1 + f) - f for sqrt(1/2) <= 1 + f <= sqrt(2). */
LANES f32 log1p_near_f32(f32 f) {
    f32 p = f * -0x1.38fec8p-4f + 0x1.05732p-3f;
    p = p * f + -0x1.0d8152p-3f;
    p = p * f + 0x1.22d5dep-3f;
    p = p * f + -0x1.547226p-3f;
    p = p * f + 0x1.99a036p-3f;
    p = p * f + -0x1.000228p-2f;
    p = p * f + 0x1.555554p-2f;
    f32 square = f * f;
    return f * square * p - 0.5f * square;
}

//@SECTION log_split_f32
/* x = 2**n * (1 + f): gives f, in the range of log1p_near_f32, for finite x > 0. */
LANES f32 log_split_f32(f32 x, f32 *n) {
    b1 tiny = x < 0x1p-126f; /* made normal */
    u32 bits = (u32)where_f32(tiny, x * 0x1p23f, x);
    i32 exponent = (i32)(bits - 0x3f3504f3) >> 23; /* above the bits of sqrt(1/2) */
    *n = __builtin_convertvector(exponent - (tiny & 23), f32);
    return (f32)(bits - ((u32)exponent << 23)) - 1.0f;
}

//@SECTION log_edges_f32
/* The logarithm of x where log_split_f32 does not reach: -inf at 0, NaN below, inf and NaN kept. */
LANES f32 log_edges_f32(f32 x, f32 result) {
    result = where_f32(x < INFINITY, result, x);
    result = where_f32(x == 0.0f, splat_f32(-INFINITY), result);
    return (f32)((i32)result | (x < 0.0f)); /* all bits set are a NaN */
}

//@SECTION log_f32
LANES f32 log_f32(f32 x) { /* ulp: 0.9 (without FMA 1.0) */
    f32 n, f = log_split_f32(x, &n), tail = log1p_near_f32(f) + n * -0x1.bd0106p-13f;
    return log_edges_f32(x, (f + tail) + n * 0x1.63p-1f);
}

//@SECTION log2_f32
LANES f32 log2_f32(f32 x) { /* ulp: 1.4 (without FMA 1.5) */
    f32 n, f = log_split_f32(x, &n);
    f32 tail = log1p_near_f32(f) * 0x1.715476p+0f + f * 0x1.c551dap-2f; /* log2(e) - 1 */
    return log_edges_f32(x, (f + tail) + n);
}

//@SECTION log1p_f32
LANES f32 log1p_f32(f32 x) { /* ulp: 1.5 */
    i32 exponent = (i32)((u32)(1.0f + x) - 0x3f3504f3) >> 23;
    f32 n = __builtin_convertvector(exponent, f32);
    f32 down = (f32)((u32)(129 - exponent) << 23) * 0.25f; /* 2**-n, with n up to 128 */
    f32 f = x * down + (down - 1.0f);                      /* 1 + f = (1 + x) 2**-n */
    f32 tail = log1p_near_f32(f) + n * -0x1.bd0106p-13f, result = (f + tail) + n * 0x1.63p-1f;
    return where_f32(x == 0.0f, x, log_edges_f32(1.0f + x, result));
}

//@SECTION trig_f32
/* sin of |x| (quarter 0) or cos of it (quarter 1). n pi/2 is subtracted in four parts, n times
 * each of the first three being exact (Cody & Waite); what rounding r loses is added to the sine.
 * Beyond 12000 that fails, and libm does the lane. */
LANES f32 trig_f32(f32 x, int quarter) {
    f32 a = abs_f32(x), shifted = a * 0x1.45f306p-1f + 0x1.8p23f, n = shifted - 0x1.8p23f;
    f32 r2 = (a - n * 0x1.92p+0f) - n * 0x1.fb4p-12f, r3 = r2 - n * 0x1.444p-24f;
    f32 lost = ((r2 - r3) - n * 0x1.444p-24f) - n * 0x1.68c234p-39f;
    f32 r = r3 + lost, rest = (r3 - r) + lost, s = r * r;
    f32 sine = s * -0x1.9952fap-13f + 0x1.110776p-7f;
    sine = sine * s + -0x1.555546p-3f;
    sine = (r * s * sine + rest) + r;
    f32 cosine = s * 0x1.99e80cp-16f + -0x1.6c0c28p-10f;
    cosine = cosine * s + 0x1.55554ap-5f;
    cosine = cosine * s - 0.5f;
    cosine = cosine * s + 1.0f;
    u32 turn = (u32)shifted + (uint32_t)quarter; /* its two low bits count */
    f32 result = where_f32((turn & 1) != 0, cosine, sine);
    result = (f32)((u32)result ^ (turn & 2) << 30);
    b1 far = a > 12000.0f;
    if (any_lanes_b1(far)[0]) {
        f32 slow = a;
        for (int i = 0; i < VL; i++)
            if (far[i]) slow[i] = quarter ? cosf(a[i]) : sinf(a[i]);
        result = where_f32(far, slow, result);
    }
    return result;
}

//@SECTION sin_f32
LANES f32 sin_f32(f32 x) { /* ulp: 1.3 (without FMA 1.5) */
    return (f32)((i32)trig_f32(x, 0) ^ ((i32)x & INT32_MIN));
}

//@SECTION cos_f32
LANES f32 cos_f32(f32 x) { /* ulp: 1.3 (without FMA 1.5) */
    return trig_f32(x, 1);
}

//@SECTION tanh_f32
/* A polynomial near 0, then 1 - 2 / (e**2a + 1), which is 1 from 9.02 on. */
LANES f32 tanh_f32(f32 x) { /* ulp: 1.5 */
    f32 a = clamp_f32(abs_f32(x), 0, 10), s = a * a;
    f32 small = s * -0x1.828776p-8f + 0x1.54c3c2p-6f;
    small = small * s + -0x1.b89abap-5f;
    small = small * s + 0x1.1109bep-3f;
    small = small * s + -0x1.55553ep-2f;
    small = s * a * small + a;
    f32 n, near = exp_near_f32(mod_ln2_f32(a + a, &n));
    f32 large = 1.0f - 2.0f / (power2_f32(n) * near + 1.0f);
    return with_sign_f32(where_f32(a < 0.6f, small, large), x);
}

//@SECTION lookup16_f32
/* table[at % 16] of each lane. */
LANES f32 lookup16_f32(const float table[16], i32 at) {
#if VL == 16 && defined(__AVX512F__)
    f32 x;
    memcpy(&x, table, sizeof x);
    __asm__("vpermps %1, %2, %0" : "=v"(x) : "v"(x), "v"(at));
    return x;
#elif VL == 8 && defined(__AVX2__)
    f32 low, high, x;
    memcpy(&low, table, sizeof low);
    memcpy(&high, table + 8, sizeof high);
    __asm__("vpermps %1, %2, %0" : "=x"(low) : "x"(low), "x"(at));
    __asm__("vpermps %1, %2, %0" : "=x"(high) : "x"(high), "x"(at));
    __asm__("vblendvps %1, %2, %3, %0" : "=x"(x) : "x"(at << 28), "x"(high), "x"(low)); /* bit 3 */
    return x;
#else
    f32 x;
    for (int i = 0; i < VL; i++) x[i] = table[at[i] & 15];
    return x;
#endif
}

//@SECTION erf_f32
/* One polynomial about each quarter: column k of the table is that about k/4, fitted for |x| within
 * 1/8 of it by scripts/fit-tables; the last one ends in 1. About 0, t itself is added, which is
 * more exact than a rounded 2/sqrt(pi) would be: t is the larger one there, and the smaller
 * elsewhere. */
LANES f32 erf_f32(f32 x) { /* ulp: 1.2 (without FMA 1.5) */
    static const float c[6][16] = {
        {0, 0x1.1af54ep-2f, 0x1.0a7ef6p-1f, 0x1.6c1c98p-1f, 0x1.af767ap-1f, 0x1.d8865ep-1f,
         0x1.eea556p-1f, 0x1.f92d08p-1f, 0x1.fd9ae2p-1f, 0x1.ff4048p-1f, 0x1.ffcaa8p-1f,
         0x1.fff2dp-1f, 0x1.fffd1ap-1f, 0x1.ffff7p-1f, 0x1.ffffe8p-1f, 0x1.fffffcp-1f},
        {0x1.06eba8p-3f, 0x1.0f5d18p+0f, 0x1.c1efccp-1f, 0x1.492e44p-1f, 0x1.a911fp-2f,
         0x1.e4653p-3f, 0x1.e72372p-4f, 0x1.b0553p-5f, 0x1.529bap-6f, 0x1.d4143cp-8f,
         0x1.1d8316p-9f, 0x1.3360cep-11f, 0x1.2408eap-13f, 0x1.e9b5eap-16f, 0x1.6a5972p-18f,
         0x1.1ac74ep-20f},
        {0x1.4e2a36p-22f, -0x1.0f5be6p-2f, -0x1.c1ef0ap-2f, -0x1.edc70cp-2f, -0x1.a91048p-2f,
         -0x1.2ec176p-2f, -0x1.6d603p-3f, -0x1.7a53a8p-4f, -0x1.52b364p-5f, -0x1.0771c6p-6f,
         -0x1.63e9cap-8f, -0x1.a7d5c2p-10f, -0x1.a9b8fep-12f, -0x1.a5dcfap-14f, -0x1.15d658p-15f,
         0x1.7d5696p-18f},
        {-0x1.812b86p-2f, -0x1.3c9e56p-2f, -0x1.2bfde8p-3f, 0x1.b6aa6ep-6f, 0x1.1b624ap-3f,
         0x1.571c0ap-3f, 0x1.1c2a1cp-3f, 0x1.71494cp-4f, 0x1.8b0ae6p-5f, 0x1.63ef4cp-6f,
         0x1.119d74p-7f, 0x1.69cc4ap-9f, 0x1.9db0fap-11f, 0x1.9a991ap-13f, 0x1.62bd62p-15f,
         0x1.0b5956p-17f},
        {0x1.33bd56p-12f, 0x1.023d1p-3f, 0x1.74ff6ep-3f, 0x1.3492d6p-3f, 0x1.1a0402p-4f,
         -0x1.5a7b2ap-8f, -0x1.654a5p-5f, -0x1.845acap-5f, -0x1.142d8ap-5f, -0x1.2fd13cp-6f,
         -0x1.3b2e48p-7f, -0x1.886afep-9f, -0x1.d9cb48p-10f, 0x1.38b5ccp-14f, 0x1.b86298p-11f,
         -0x1.1d7f1cp-11f},
        {0x1.c675cp-4f, 0x1.4c569cp-4f, 0x1.10fecap-7f, -0x1.aaa53p-5f, -0x1.1adfc4p-4f,
         -0x1.810c02p-5f, -0x1.e96f9ap-7f, 0x1.aa353p-8f, 0x1.ab0b1ap-7f, 0x1.5ce7p-7f,
         0x1.918ffp-8f, 0x1.6b3aap-9f, 0x1.0cd244p-10f, 0x1.4d2f08p-12f, 0x1.5e2fc2p-14f,
         0x1.3a8888p-16f},
    };
    f32 a = at_most_f32(abs_f32(x), splat_f32(3.875f - 0x1p-22f));
    f32 shifted = a + 0x1.8p21f, t = a - (shifted - 0x1.8p21f); /* rounds to quarters */
    i32 k = (i32)shifted;                                       /* in its low bits */
    f32 p = lookup16_f32(c[5], k);
    for (int i = 4; i > 0; i--) p = p * t + lookup16_f32(c[i], k);
    return with_sign_f32(p * t + at_least_f32(t, lookup16_f32(c[0], k)), x);
}

//@SECTION pow_f32
/* 2**z with z = b log2|a| in f64 down to its fraction; then the cases of C's pow. */
LANES f32 pow_f32(f32 a, f32 b) { /* ulp: 1.0 (without FMA 1.3) */
    f32 size = abs_f32(a), n, f = log_split_f32(size, &n);
    f64 m = f64_f32(f), u = m / (m + 2.0), s = u * u; /* log(1 + f) = 2 atanh(f / (f + 2)) */
    f64 p = s * 0x1.5ce912070b557p-2 + 0x1.a58d7e5a59ea8p-2;
    p = p * s + 0x1.277780000ae4bp-1;
    p = p * s + 0x1.ec709d12aaaccp-1;
    p = p * s + 0x1.71547652bee2ap+1;
    f64 z = (p * u + f64_f32(n)) * f64_f32(b);
    b1 ordinary = (size > 0.0f) & (size < INFINITY);
    f32 near = where_f32(ordinary, f32_f64(z), log_edges_f32(size, size) * b);
    f32 steps = (clamp_f32(near, -200, 200) + 0x1.8p23f) - 0x1.8p23f;
    f32 power = scale_f32(exp2_near_f32(f32_f64(z - f64_f32(steps))), steps);
    power = where_f32(near > 129.0f, splat_f32(INFINITY), power);
    power = where_f32(near < -151.0f, splat_f32(0), power);
    power = where_f32(near == near, power, near);

    b1 whole = round_f32(b) == b, odd = whole & (round_f32(b * 0.5f) != b * 0.5f);
    power = (f32)((i32)power | (odd & (i32)a & INT32_MIN));
    power = where_f32((a < 0.0f) & (a > -INFINITY) & ~whole, splat_f32(NAN), power);
    b1 one = (b == 0.0f) | (a == 1.0f) | ((a == -1.0f) & (abs_f32(b) == INFINITY));
    return where_f32(one, splat_f32(1), power);
}

//@SECTION exp_f64
LANES f64 exp_f64(f64 x) { /* ulp: 1.0, libm's */
    for (int i = 0; i < VL; i++) x[i] = exp(x[i]);
    return x;
}

//@SECTION exp2_f64
LANES f64 exp2_f64(f64 x) { /* ulp: 1.0, libm's */
    for (int i = 0; i < VL; i++) x[i] = exp2(x[i]);
    return x;
}

//@SECTION expm1_f64
LANES f64 expm1_f64(f64 x) { /* ulp: 1.0, libm's */
    for (int i = 0; i < VL; i++) x[i] = expm1(x[i]);
    return x;
}

//@SECTION log_f64
LANES f64 log_f64(f64 x) { /* ulp: 1.0, libm's */
    for (int i = 0; i < VL; i++) x[i] = log(x[i]);
    return x;
}

//@SECTION log2_f64
LANES f64 log2_f64(f64 x) { /* ulp: 1.0, libm's */
    for (int i = 0; i < VL; i++) x[i] = log2(x[i]);
    return x;
}

//@SECTION log1p_f64
LANES f64 log1p_f64(f64 x) { /* ulp: 1.0, libm's */
    for (int i = 0; i < VL; i++) x[i] = log1p(x[i]);
    return x;
}

//@SECTION sin_f64
LANES f64 sin_f64(f64 x) { /* ulp: 1.0, libm's */
    for (int i = 0; i < VL; i++) x[i] = sin(x[i]);
    return x;
}

//@SECTION cos_f64
LANES f64 cos_f64(f64 x) { /* ulp: 1.0, libm's */
    for (int i = 0; i < VL; i++) x[i] = cos(x[i]);
    return x;
}

//@SECTION tanh_f64
LANES f64 tanh_f64(f64 x) { /* ulp: 2.5, libm's */
    for (int i = 0; i < VL; i++) x[i] = tanh(x[i]);
    return x;
}

//@SECTION erf_f64
LANES f64 erf_f64(f64 x) { /* ulp: 2.5, libm's */
    for (int i = 0; i < VL; i++) x[i] = erf(x[i]);
    return x;
}

//@SECTION pow_f64
LANES f64 pow_f64(f64 a, f64 b) { /* ulp: 1.0, libm's */
    for (int i = 0; i < VL; i++) a[i] = pow(a[i], b[i]);
    return a;
}

//@SECTION --
// ---- rounding to narrow floats: to nearest, ties to even -----------------------------------

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
/* The bits, sign aside, of a number that round_narrow gave; `bias` is of the exponent. */
LANES u32 encode_narrow(f32 rounded, int drop, int bias, float least) {
    f32 a = abs_f32(rounded), steps = a * ((float)(1 << (23 - drop)) / least);
    i32 tiny = __builtin_convertvector((f32)((a < least) & (i32)steps), i32);
    u32 normal = ((u32)a >> drop) - ((127u - (uint32_t)bias) << (23 - drop));
    return (u32)where_i32(a < least, tiny, (i32)normal);
}

//@SECTION decode_narrow
/* The finite number of those bits; keep = 23 - drop bits of fraction. */
LANES f32 decode_narrow(u32 bits, int keep, int bias, float least) {
    f32 tiny = __builtin_convertvector((i32)bits, f32) * (least / (float)(1 << keep));
    f32 normal = (f32)((bits << (23 - keep)) + ((127u - (uint32_t)bias) << 23));
    return where_f32((bits >> keep) == 0, tiny, normal);
}

//@SECTION nearest_bf16
/* The high halves are x rounded: 0x7fff is added, and 1 more where the last kept bit is 1, so that
 * ties go to even. NaN, whose bits could overflow, is only made quiet. */
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
LANES f32 round_f8e4m3(f32 x) { /* no infinity: beyond 448 is NaN */
    return round_narrow(x, 20, 0x1p-6f, 448, NAN);
}

//@SECTION round_f8e5m2
LANES f32 round_f8e5m2(f32 x) { return round_narrow(x, 21, 0x1p-14f, 57344, INFINITY); }

//@SECTION odd_f32
/* f64 to f32 rounded to odd: where bits are lost the last kept bit is 1, so that rounding the
 * result once more, to at most 22 bits, gives what rounding x at once would (Boldo & Melquiond). */
LANES f32 odd_f32(f64 x) {
    f32 near = f32_f64(x);
    f64 back = f64_f32(near);
    b1 away = b1_mask64(less_f64(abs_f64(x), abs_f64(back))), lost = b1_mask64(~same_f64(back, x));
    return (f32)(((i32)near + away) | (lost & 1));
}

//@SECTION round_bf16_f64
LANES f32 round_bf16_f64(f64 x) { return round_bf16(odd_f32(x)); }

//@SECTION round_f8e4m3_f64
LANES f32 round_f8e4m3_f64(f64 x) { return round_f8e4m3(odd_f32(x)); }

//@SECTION round_f8e5m2_f64
LANES f32 round_f8e5m2_f64(f64 x) { return round_f8e5m2(odd_f32(x)); }

//@SECTION decode_bf16
LANES f32 decode_bf16(u16 h) {
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    f32 x; /* 16-bit lanes: the odd ones of x are those of h, the even ones one that the move
              cleared */
    __asm__("vmovdqa32 %t1, %t0\n\tvpermw %0, %2, %0"
            : "=&v"(x)
            : "v"(h), "v"(lanes_i32(0) << 16 | 31));
    return x;
#else
    return (f32)(__builtin_convertvector(h, u32) << 16);
#endif
}

//@SECTION encode_bf16
LANES u16 encode_bf16(f32 x) {
    u32 rounded = nearest_bf16(x);
#if VL == 16 && defined(__AVX512BW__) /* the odd 16-bit lanes; the conversion takes two steps */
    u16 h;
    __asm__("vpermw %1, %2, %g0" : "=v"(h) : "v"(rounded), "v"(lanes_i32(0) * 0x40004 + 0x30001));
    return h;
#else
    return __builtin_convertvector(rounded >> 16, u16);
#endif
}

//@SECTION decode_f16
LANES f32 decode_f16(u16 h) {
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__F16C__))
    f32 x;
    __asm__("vcvtph2ps %1, %0" : "=v"(x) : "v"(h));
    return x;
#else
    u32 bits = __builtin_convertvector(h, u32), a = bits & 0x7fff;
    i32 special = (i32)(a >= 0x7c00) & 0x7f800000; /* infinity, or NaN as its fraction has it */
    return (f32)((i32)decode_narrow(a, 10, 15, 0x1p-14f) | special | (i32)((bits & 0x8000) << 16));
#endif
}

//@SECTION encode_f16
LANES u16 encode_f16(f32 x) {
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__F16C__))
    u16 h;
    __asm__("vcvtps2ph $0, %1, %0" : "=v"(h) : "v"(x));
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
    u32 bits = __builtin_convertvector(q, u32), a = bits & 0x7f;
    i32 nan = (i32)(a == 0x7f) & 0x7fc00000;
    return (f32)((i32)decode_narrow(a, 3, 7, 0x1p-6f) | nan | (i32)((bits & 0x80) << 24));
}

//@SECTION encode_f8e4m3
LANES u8 encode_f8e4m3(f32 x) {
    f32 r = round_f8e4m3(x);
    i32 code = where_i32(r == r, (i32)encode_narrow(r, 20, 7, 0x1p-6f), splat_i32(0x7f));
    return __builtin_convertvector((u32)code | (u32)r >> 31 << 7, u8);
}

//@SECTION decode_f8e5m2
LANES f32 decode_f8e5m2(u8 q) {
    u32 bits = __builtin_convertvector(q, u32), a = bits & 0x7f;
    i32 special = (i32)(a >= 0x7c) & 0x7f800000;
    return (f32)((i32)decode_narrow(a, 2, 15, 0x1p-14f) | special | (i32)((bits & 0x80) << 24));
}

//@SECTION encode_f8e5m2
LANES u8 encode_f8e5m2(f32 x) {
    f32 r = round_f8e5m2(x);
    i32 edge = where_i32(r == r, splat_i32(0x7c), splat_i32(0x7e));
    i32 code = (i32)encode_narrow(r, 21, 15, 0x1p-14f);
    code = where_i32(abs_f32(r) <= 57344.0f, code, edge);
    return __builtin_convertvector((u32)code | (u32)r >> 31 << 7, u8);
}

//@SECTION --
// ---- loads: m lanes, the rest 0, nothing read beyond ---------------------------------------

//@SECTION ld_8
LANES u8 ld_8(const void *p, idx m) {
    if (m >= VL) {
        u8 all;
        memcpy(&all, p, sizeof all);
        return all;
    }
    u8 some = {0};
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    typedef char lanes __attribute__((vector_size(16)));
    some = (u8)__builtin_ia32_loaddquqi128_mask(p, (lanes)some, (uint16_t)((1u << m) - 1));
#else
    memcpy(&some, p, (size_t)m);
#endif
    return some;
}

//@SECTION ld_16
LANES u16 ld_16(const void *p, idx m) {
    if (m >= VL) {
        u16 all;
        memcpy(&all, p, sizeof all);
        return all;
    }
    u16 some = {0};
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    typedef int16_t lanes __attribute__((vector_size(32)));
    some = (u16)__builtin_ia32_loaddquhi256_mask(p, (lanes)some, (uint16_t)((1u << m) - 1));
#else
    memcpy(&some, p, (size_t)m * 2);
#endif
    return some;
}

//@SECTION ld_32
LANES u32 ld_32(const void *p, idx m) {
    if (m >= VL) {
        u32 all;
        memcpy(&all, p, sizeof all);
        return all;
    }
    u32 some = {0};
#if VL == 16 && defined(__AVX512F__)
    some = (u32)__builtin_ia32_loaddqusi512_mask(p, (i32)some, (uint16_t)((1u << m) - 1));
#elif VL == 8 && defined(__AVX2__)
    some = (u32)__builtin_ia32_maskloadd256(p, lanes_i32(0) < (int32_t)m);
#else
    memcpy(&some, p, (size_t)m * 4);
#endif
    return some;
}

//@SECTION ld_64
LANES u64 ld_64(const void *p, idx m) {
    if (m >= VL) {
        u64 all;
        memcpy(&all, p, sizeof all);
        return all;
    }
    u64 some = {0};
    memcpy(&some, p, (size_t)m * 8);
    return some;
}

//@SECTION ld_f32
LANES f32 ld_f32(const float *p, idx m) { return (f32)ld_32(p, m); }

//@SECTION ld_f64
LANES f64 ld_f64(const double *p, idx m) { return (f64)ld_64(p, m); }

//@SECTION ld_i32
LANES i32 ld_i32(const int32_t *p, idx m) { return (i32)ld_32(p, m); }

//@SECTION ld_i64
LANES i64 ld_i64(const int64_t *p, idx m) { return (i64)ld_64(p, m); }

//@SECTION ld_bf16
LANES f32 ld_bf16(const bf16 *p, idx m) { return decode_bf16(ld_16(p, m)); }

//@SECTION ld_f16
LANES f32 ld_f16(const f16 *p, idx m) { return decode_f16(ld_16(p, m)); }

//@SECTION ld_f8e4m3
LANES f32 ld_f8e4m3(const f8e4m3 *p, idx m) { return decode_f8e4m3(ld_8(p, m)); }

//@SECTION ld_f8e5m2
LANES f32 ld_f8e5m2(const f8e5m2 *p, idx m) { return decode_f8e5m2(ld_8(p, m)); }

//@SECTION ld_u8
LANES i32 ld_u8(const uint8_t *p, idx m) { return __builtin_convertvector(ld_8(p, m), i32); }

//@SECTION ld_i8
LANES i32 ld_i8(const int8_t *p, idx m) {
    return i8wrap_i32(__builtin_convertvector(ld_8(p, m), i32));
}

//@SECTION ld_bool
LANES b1 ld_bool(const bool_t *p, idx m) { return __builtin_convertvector(ld_8(p, m), i32) != 0; }

//@SECTION get_f32
LANES float get_f32(const float *p) { return *p; }

//@SECTION get_f64
LANES double get_f64(const double *p) { return *p; }

//@SECTION get_i32
LANES int32_t get_i32(const int32_t *p) { return *p; }

//@SECTION get_i64
LANES int64_t get_i64(const int64_t *p) { return *p; }

//@SECTION get_bf16
LANES float get_bf16(const bf16 *p) { return ld_bf16(p, 1)[0]; }

//@SECTION get_f16
LANES float get_f16(const f16 *p) { return ld_f16(p, 1)[0]; }

//@SECTION get_f8e4m3
LANES float get_f8e4m3(const f8e4m3 *p) { return ld_f8e4m3(p, 1)[0]; }

//@SECTION get_f8e5m2
LANES float get_f8e5m2(const f8e5m2 *p) { return ld_f8e5m2(p, 1)[0]; }

//@SECTION get_i8
LANES int32_t get_i8(const int8_t *p) { return *p; }

//@SECTION get_u8
LANES int32_t get_u8(const uint8_t *p) { return *p; }

//@SECTION get_bool
LANES int32_t get_bool(const bool_t *p) { return -(*p != 0); }

//@SECTION lds_f32
LANES f32 lds_f32(const float *p) { return splat_f32(*p); }

//@SECTION lds_f64
LANES f64 lds_f64(const double *p) { return splat_f64(*p); }

//@SECTION lds_i32
LANES i32 lds_i32(const int32_t *p) { return splat_i32(*p); }

//@SECTION lds_i64
LANES i64 lds_i64(const int64_t *p) { return splat_i64(*p); }

//@SECTION lds_bf16
LANES f32 lds_bf16(const bf16 *p) { return splat_f32(get_bf16(p)); }

//@SECTION lds_f16
LANES f32 lds_f16(const f16 *p) { return splat_f32(get_f16(p)); }

//@SECTION lds_f8e4m3
LANES f32 lds_f8e4m3(const f8e4m3 *p) { return splat_f32(get_f8e4m3(p)); }

//@SECTION lds_f8e5m2
LANES f32 lds_f8e5m2(const f8e5m2 *p) { return splat_f32(get_f8e5m2(p)); }

//@SECTION lds_i8
LANES i32 lds_i8(const int8_t *p) { return splat_i32(*p); }

//@SECTION lds_u8
LANES i32 lds_u8(const uint8_t *p) { return splat_i32(*p); }

//@SECTION lds_bool
LANES b1 lds_bool(const bool_t *p) { return splat_b1(get_bool(p)); }

//@SECTION --
// ---- stores: m lanes ------------------------------------------------------------------------

//@SECTION st_8
LANES void st_8(void *p, u8 v, idx m) {
    if (m >= VL) {
        memcpy(p, &v, sizeof v);
        return;
    }
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    typedef char lanes __attribute__((vector_size(16)));
    __builtin_ia32_storedquqi128_mask(p, (lanes)v, (uint16_t)((1u << m) - 1));
#else
    memcpy(p, &v, (size_t)m);
#endif
}

//@SECTION st_16
LANES void st_16(void *p, u16 v, idx m) {
    if (m >= VL) {
        memcpy(p, &v, sizeof v);
        return;
    }
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    typedef int16_t lanes __attribute__((vector_size(32)));
    __builtin_ia32_storedquhi256_mask(p, (lanes)v, (uint16_t)((1u << m) - 1));
#else
    memcpy(p, &v, (size_t)m * 2);
#endif
}

//@SECTION st_32
LANES void st_32(void *p, u32 v, idx m) {
    if (m >= VL) {
        memcpy(p, &v, sizeof v);
        return;
    }
#if VL == 16 && defined(__AVX512F__)
    __builtin_ia32_storedqusi512_mask(p, (i32)v, (uint16_t)((1u << m) - 1));
#elif VL == 8 && defined(__AVX2__)
    __builtin_ia32_maskstored256(p, lanes_i32(0) < (int32_t)m, (i32)v);
#else
    memcpy(p, &v, (size_t)m * 4);
#endif
}

//@SECTION st_64
LANES void st_64(void *p, u64 v, idx m) {
    if (m >= VL) {
        memcpy(p, &v, sizeof v);
        return;
    }
    memcpy(p, &v, (size_t)m * 8);
}

//@SECTION st_f32
LANES void st_f32(float *p, f32 v, idx m) { st_32(p, (u32)v, m); }

//@SECTION st_f64
LANES void st_f64(double *p, f64 v, idx m) { st_64(p, (u64)v, m); }

//@SECTION st_i32
LANES void st_i32(int32_t *p, i32 v, idx m) { st_32(p, (u32)v, m); }

//@SECTION st_i64
LANES void st_i64(int64_t *p, i64 v, idx m) { st_64(p, (u64)v, m); }

//@SECTION st_bf16
LANES void st_bf16(bf16 *p, f32 v, idx m) { st_16(p, encode_bf16(v), m); }

//@SECTION st_f16
LANES void st_f16(f16 *p, f32 v, idx m) { st_16(p, encode_f16(v), m); }

//@SECTION st_f8e4m3
LANES void st_f8e4m3(f8e4m3 *p, f32 v, idx m) { st_8(p, encode_f8e4m3(v), m); }

//@SECTION st_f8e5m2
LANES void st_f8e5m2(f8e5m2 *p, f32 v, idx m) { st_8(p, encode_f8e5m2(v), m); }

//@SECTION st_u8
LANES void st_u8(uint8_t *p, i32 v, idx m) { st_8(p, __builtin_convertvector((u32)v, u8), m); }

//@SECTION st_i8
LANES void st_i8(int8_t *p, i32 v, idx m) { st_8(p, __builtin_convertvector((u32)v, u8), m); }

//@SECTION st_bool
LANES void st_bool(bool_t *p, b1 v, idx m) { st_8(p, __builtin_convertvector((u32)-v, u8), m); }

//@SECTION put_f32
LANES void put_f32(float *p, f32 v) { *p = v[0]; }

//@SECTION put_f64
LANES void put_f64(double *p, f64 v) { *p = v[0]; }

//@SECTION put_i32
LANES void put_i32(int32_t *p, i32 v) { *p = v[0]; }

//@SECTION put_i64
LANES void put_i64(int64_t *p, i64 v) { *p = v[0]; }

//@SECTION put_bf16
LANES void put_bf16(bf16 *p, f32 v) { *p = encode_bf16(v)[0]; }

//@SECTION put_f16
LANES void put_f16(f16 *p, f32 v) { *p = encode_f16(v)[0]; }

//@SECTION put_f8e4m3
LANES void put_f8e4m3(f8e4m3 *p, f32 v) { *p = encode_f8e4m3(v)[0]; }

//@SECTION put_f8e5m2
LANES void put_f8e5m2(f8e5m2 *p, f32 v) { *p = encode_f8e5m2(v)[0]; }

//@SECTION put_i8
LANES void put_i8(int8_t *p, i32 v) { *p = (int8_t)v[0]; }

//@SECTION put_u8
LANES void put_u8(uint8_t *p, i32 v) { *p = (uint8_t)v[0]; }

//@SECTION put_bool
LANES void put_bool(bool_t *p, b1 v) { *p = v[0] != 0; }

//@SECTION --
// ---- stores past the caches, of whole aligned vectors; others are plain stores ---------------

//@SECTION STREAM
#if defined(__AVX__)
#define STREAM(P, V)                                                                               \
    __asm__("vmovntdq %1, %0" : "=m"(*(__typeof__(V) __attribute__((may_alias)) *)(P)) : "v"(V))
#elif defined(__SSE2__)
#define STREAM(P, V)                                                                               \
    __asm__("movntdq %1, %0" : "=m"(*(__typeof__(V) __attribute__((may_alias)) *)(P)) : "x"(V))
#endif

//@SECTION stream_16
LANES void stream_16(void *p, u16 v, idx m) {
#if defined(STREAM) && VL >= 8
    if (m >= VL && (uintptr_t)p % sizeof v == 0) {
        STREAM(p, v);
        return;
    }
#endif
    st_16(p, v, m);
}

//@SECTION stream_32
LANES void stream_32(void *p, u32 v, idx m) {
#ifdef STREAM
    if (m >= VL && (uintptr_t)p % sizeof v == 0) {
        STREAM(p, v);
        return;
    }
#endif
    st_32(p, v, m);
}

//@SECTION stream_64
LANES void stream_64(void *p, u64 v, idx m) {
#ifdef STREAM
    if (m >= VL && (uintptr_t)p % sizeof v == 0) {
        pair64 x = {.i = (i64)v};
        STREAM(p, x.i_half[0]);
        STREAM((char *)p + sizeof v / 2, x.i_half[1]);
        return;
    }
#endif
    st_64(p, v, m);
}

//@SECTION stream_f32
LANES void stream_f32(float *p, f32 v, idx m) { stream_32(p, (u32)v, m); }

//@SECTION stream_f64
LANES void stream_f64(double *p, f64 v, idx m) { stream_64(p, (u64)v, m); }

//@SECTION stream_i32
LANES void stream_i32(int32_t *p, i32 v, idx m) { stream_32(p, (u32)v, m); }

//@SECTION stream_i64
LANES void stream_i64(int64_t *p, i64 v, idx m) { stream_64(p, (u64)v, m); }

//@SECTION stream_bf16
LANES void stream_bf16(bf16 *p, f32 v, idx m) { stream_16(p, encode_bf16(v), m); }

//@SECTION stream_f16
LANES void stream_f16(f16 *p, f32 v, idx m) { stream_16(p, encode_f16(v), m); }

//@SECTION stream_fence
LANES void stream_fence(void) { /* before other threads read what was streamed */
#ifdef __SSE__
    __asm__ volatile("sfence" ::: "memory");
#endif
}

//@SECTION --
// ---- reductions over the lanes, the result in every lane -----------------------------------

//@SECTION add_f32
LANES f32 add_f32(f32 a, f32 b) { return a + b; }

//@SECTION mul_f32
LANES f32 mul_f32(f32 a, f32 b) { return a * b; }

//@SECTION add_f64
LANES f64 add_f64(f64 a, f64 b) { return a + b; }

//@SECTION mul_f64
LANES f64 mul_f64(f64 a, f64 b) { return a * b; }

//@SECTION sum_lanes_f32
LANES f32 sum_lanes_f32(f32 x) {
    FOLD(add_f32, x);
    return x;
}

//@SECTION prod_lanes_f32
LANES f32 prod_lanes_f32(f32 x) {
    FOLD(mul_f32, x);
    return x;
}

//@SECTION max_lanes_f32
LANES f32 max_lanes_f32(f32 x) {
    FOLD(max_f32, x);
    return x;
}

//@SECTION min_lanes_f32
LANES f32 min_lanes_f32(f32 x) {
    FOLD(min_f32, x);
    return x;
}

//@SECTION sum_lanes_f64
LANES f64 sum_lanes_f64(f64 x) {
    FOLD(add_f64, x);
    return x;
}

//@SECTION prod_lanes_f64
LANES f64 prod_lanes_f64(f64 x) {
    FOLD(mul_f64, x);
    return x;
}

//@SECTION max_lanes_f64
LANES f64 max_lanes_f64(f64 x) {
    FOLD(max_f64, x);
    return x;
}

//@SECTION min_lanes_f64
LANES f64 min_lanes_f64(f64 x) {
    FOLD(min_f64, x);
    return x;
}

//@SECTION sum_lanes_i32
LANES i32 sum_lanes_i32(i32 x) {
    FOLD(add_i32, x);
    return x;
}

//@SECTION prod_lanes_i32
LANES i32 prod_lanes_i32(i32 x) {
    FOLD(mul_i32, x);
    return x;
}

//@SECTION max_lanes_i32
LANES i32 max_lanes_i32(i32 x) {
    FOLD(max_i32, x);
    return x;
}

//@SECTION min_lanes_i32
LANES i32 min_lanes_i32(i32 x) {
    FOLD(min_i32, x);
    return x;
}

//@SECTION sum_lanes_i64
LANES i64 sum_lanes_i64(i64 x) {
    FOLD(add_i64, x);
    return x;
}

//@SECTION prod_lanes_i64
LANES i64 prod_lanes_i64(i64 x) {
    FOLD(mul_i64, x);
    return x;
}

//@SECTION max_lanes_i64
LANES i64 max_lanes_i64(i64 x) {
    FOLD(max_i64, x);
    return x;
}

//@SECTION min_lanes_i64
LANES i64 min_lanes_i64(i64 x) {
    FOLD(min_i64, x);
    return x;
}

//@SECTION --
// ---- lanes m and beyond replaced -----------------------------------------------------------

//@SECTION keep_f32
LANES f32 keep_f32(f32 v, idx m, float identity) {
    return m >= VL ? v : where_f32(lanes_i32(0) < (int32_t)m, v, splat_f32(identity));
}

//@SECTION keep_f64
LANES f64 keep_f64(f64 v, idx m, double identity) {
    return m >= VL ? v : where_f64(lanes_i32(0) < (int32_t)m, v, splat_f64(identity));
}

//@SECTION keep_i32
LANES i32 keep_i32(i32 v, idx m, int32_t identity) {
    return m >= VL ? v : where_i32(lanes_i32(0) < (int32_t)m, v, splat_i32(identity));
}

//@SECTION keep_i64
LANES i64 keep_i64(i64 v, idx m, int64_t identity) {
    return m >= VL ? v : where_i64(lanes_i32(0) < (int32_t)m, v, splat_i64(identity));
}

//@SECTION keep_b1
LANES b1 keep_b1(b1 v, idx m, int32_t identity) {
    return m >= VL ? v : where_b1(lanes_i32(0) < (int32_t)m, v, splat_b1(identity));
}
