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
typedef uint16_t bf16, f16;        /* storage: 16 bits */
typedef uint8_t f8e4m3, f8e5m2;    /* storage: 8 bits */
typedef uint8_t bool_t;            /* storage: 0 or 1 */
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
#define LANE_NUMBERS {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
#elif VL == 8
#define LANE_NUMBERS {0, 1, 2, 3, 4, 5, 6, 7}
#else
#define LANE_NUMBERS {0, 1, 2, 3}
#endif

//@SECTION lanes_i32
LANES i32 lanes_i32(int32_t start) { return (i32)((uint32_t)start + (u32)LANE_NUMBERS); }

//@SECTION lanes_i64
LANES i64 lanes_i64(int64_t start) { return (i64)((uint64_t)start + (u64)LANE_NUMBERS); }

//@SECTION --
// ---- choosing and comparing ----------------------------------------------------------------

//@SECTION where_f32
LANES f32 where_f32(b1 c, f32 a, f32 b) { return (f32)((c & (i32)a) | (~c & (i32)b)); }

//@SECTION where_f64
LANES f64 where_f64(b1 c, f64 a, f64 b) {
    i64 wide = __builtin_convertvector(c, i64);
    return (f64)((wide & (i64)a) | (~wide & (i64)b));
}

//@SECTION where_i32
LANES i32 where_i32(b1 c, i32 a, i32 b) { return (c & a) | (~c & b); }

//@SECTION where_i64
LANES i64 where_i64(b1 c, i64 a, i64 b) {
    i64 wide = __builtin_convertvector(c, i64);
    return (wide & a) | (~wide & b);
}

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
LANES b1 lt_f64(f64 a, f64 b) { return __builtin_convertvector(a < b, b1); }

//@SECTION le_f64
LANES b1 le_f64(f64 a, f64 b) { return __builtin_convertvector(a <= b, b1); }

//@SECTION eq_f64
LANES b1 eq_f64(f64 a, f64 b) { return __builtin_convertvector(a == b, b1); }

//@SECTION ne_f64
LANES b1 ne_f64(f64 a, f64 b) { return __builtin_convertvector(a != b, b1); }

//@SECTION lt_i32
LANES b1 lt_i32(i32 a, i32 b) { return a < b; }

//@SECTION le_i32
LANES b1 le_i32(i32 a, i32 b) { return a <= b; }

//@SECTION eq_i32
LANES b1 eq_i32(i32 a, i32 b) { return a == b; }

//@SECTION ne_i32
LANES b1 ne_i32(i32 a, i32 b) { return a != b; }

//@SECTION lt_i64
LANES b1 lt_i64(i64 a, i64 b) { return __builtin_convertvector(a < b, b1); }

//@SECTION le_i64
LANES b1 le_i64(i64 a, i64 b) { return __builtin_convertvector(a <= b, b1); }

//@SECTION eq_i64
LANES b1 eq_i64(i64 a, i64 b) { return __builtin_convertvector(a == b, b1); }

//@SECTION ne_i64
LANES b1 ne_i64(i64 a, i64 b) { return __builtin_convertvector(a != b, b1); }

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
LANES b1 isnan_f64(f64 x) { return __builtin_convertvector(x != x, b1); }

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
LANES i32 div_i32(i32 a, i32 b) {
    i32 safe = where_i32((b == 0) | (b == -1), splat_i32(1), b); /* INT_MIN / -1 would trap */
    return ~(b == 0) & where_i32(b == -1, neg_i32(a), a / safe);
}

//@SECTION mod_i32
LANES i32 mod_i32(i32 a, i32 b) {
    return ~(b == 0) & sub_i32(a, mul_i32(div_i32(a, b), b));
}

//@SECTION div_i64
LANES i64 div_i64(i64 a, i64 b) {
    i64 trap = (b == 0) | (b == -1); /* INT64_MIN / -1 would trap too */
    i64 quotient = a / ((trap & 1) | (~trap & b));
    return ~(b == 0) & (((b == -1) & neg_i64(a)) | (~(b == -1) & quotient));
}

//@SECTION mod_i64
LANES i64 mod_i64(i64 a, i64 b) {
    return ~(b == 0) & sub_i64(a, mul_i64(div_i64(a, b), b));
}

//@SECTION abs_i32
LANES i32 abs_i32(i32 x) { return where_i32(x < 0, neg_i32(x), x); }

//@SECTION abs_i64
LANES i64 abs_i64(i64 x) { return ((x < 0) & neg_i64(x)) | (~(x < 0) & x); }

//@SECTION sign_i32
LANES i32 sign_i32(i32 x) { return (x < 0) - (x > 0); }

//@SECTION sign_i64
LANES i64 sign_i64(i64 x) { return (x < 0) - (x > 0); }

//@SECTION max_i32
LANES i32 max_i32(i32 a, i32 b) { return where_i32(a > b, a, b); }

//@SECTION min_i32
LANES i32 min_i32(i32 a, i32 b) { return where_i32(a < b, a, b); }

//@SECTION max_i64
LANES i64 max_i64(i64 a, i64 b) { return ((a > b) & a) | (~(a > b) & b); }

//@SECTION min_i64
LANES i64 min_i64(i64 a, i64 b) { return ((a < b) & a) | (~(a < b) & b); }

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

//@SECTION sign_of_f32
LANES f32 sign_of_f32(f32 magnitude, f32 x) { /* magnitude >= 0, with the sign bit of x */
    return (f32)((i32)magnitude | ((i32)x & INT32_MIN));
}

//@SECTION sign_of_f64
LANES f64 sign_of_f64(f64 magnitude, f64 x) {
    return (f64)((i64)magnitude | ((i64)x & INT64_MIN));
}

//@SECTION sign_f32
LANES f32 sign_f32(f32 x) { /* NaN and zeros stay what they are */
    return where_f32(abs_f32(x) > 0.0f, sign_of_f32(splat_f32(1), x), x);
}

//@SECTION sign_f64
LANES f64 sign_f64(f64 x) {
    i64 nonzero = abs_f64(x) > 0.0;
    return (f64)((nonzero & (i64)sign_of_f64(splat_f64(1), x)) | (~nonzero & (i64)x));
}

//@SECTION max_f32
LANES f32 max_f32(f32 a, f32 b) { return where_f32((a > b) | (a != a), a, b); } /* NaN wins */

//@SECTION min_f32
LANES f32 min_f32(f32 a, f32 b) { return where_f32((a < b) | (a != a), a, b); }

//@SECTION max_f64
LANES f64 max_f64(f64 a, f64 b) {
    i64 left = (a > b) | (a != a);
    return (f64)((left & (i64)a) | (~left & (i64)b));
}

//@SECTION min_f64
LANES f64 min_f64(f64 a, f64 b) {
    i64 left = (a < b) | (a != a);
    return (f64)((left & (i64)a) | (~left & (i64)b));
}

//@SECTION round_f32
LANES f32 round_f32(f32 x) { /* to the nearest integer, ties to even */
    f32 a = abs_f32(x);
    return where_f32(a < 0x1p23f, sign_of_f32((a + 0x1p23f) - 0x1p23f, x), x);
}

//@SECTION floor_f32
LANES f32 floor_f32(f32 x) {
    f32 near = round_f32(x);
    return near - (f32)((near > x) & (i32)splat_f32(1));
}

//@SECTION ceil_f32
LANES f32 ceil_f32(f32 x) { return -floor_f32(-x); }

//@SECTION trunc_f32
LANES f32 trunc_f32(f32 x) { return sign_of_f32(floor_f32(abs_f32(x)), x); }

//@SECTION round_f64
LANES f64 round_f64(f64 x) {
    f64 a = abs_f64(x), near = sign_of_f64((a + 0x1p52) - 0x1p52, x);
    i64 small = a < 0x1p52;
    return (f64)((small & (i64)near) | (~small & (i64)x));
}

//@SECTION floor_f64
LANES f64 floor_f64(f64 x) {
    f64 near = round_f64(x);
    return near - (f64)((near > x) & (i64)splat_f64(1));
}

//@SECTION ceil_f64
LANES f64 ceil_f64(f64 x) { return -floor_f64(-x); }

//@SECTION trunc_f64
LANES f64 trunc_f64(f64 x) { return sign_of_f64(floor_f64(abs_f64(x)), x); }

//@SECTION sqrt_f32
LANES f32 sqrt_f32(f32 x) {
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
LANES f64 sqrt_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = sqrt(x[i]);
    return x;
}

//@SECTION rsqrt_f32
LANES f32 rsqrt_f32(f32 x) { return 1.0f / sqrt_f32(x); }

//@SECTION rsqrt_f64
LANES f64 rsqrt_f64(f64 x) { return 1.0 / sqrt_f64(x); }

//@SECTION --
// ---- exp, log, trigonometric and error functions -------------------------------------------

//@SECTION exp_f32
LANES f32 exp_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = expf(x[i]);
    return x;
}

//@SECTION exp2_f32
LANES f32 exp2_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = exp2f(x[i]);
    return x;
}

//@SECTION expm1_f32
LANES f32 expm1_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = expm1f(x[i]);
    return x;
}

//@SECTION log_f32
LANES f32 log_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = logf(x[i]);
    return x;
}

//@SECTION log2_f32
LANES f32 log2_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = log2f(x[i]);
    return x;
}

//@SECTION log1p_f32
LANES f32 log1p_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = log1pf(x[i]);
    return x;
}

//@SECTION sin_f32
LANES f32 sin_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = sinf(x[i]);
    return x;
}

//@SECTION cos_f32
LANES f32 cos_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = cosf(x[i]);
    return x;
}

//@SECTION tanh_f32
LANES f32 tanh_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = tanhf(x[i]);
    return x;
}

//@SECTION erf_f32
LANES f32 erf_f32(f32 x) {
    for (int i = 0; i < VL; i++) x[i] = erff(x[i]);
    return x;
}

//@SECTION pow_f32
LANES f32 pow_f32(f32 a, f32 b) {
    for (int i = 0; i < VL; i++) a[i] = powf(a[i], b[i]);
    return a;
}

//@SECTION exp_f64
LANES f64 exp_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = exp(x[i]);
    return x;
}

//@SECTION exp2_f64
LANES f64 exp2_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = exp2(x[i]);
    return x;
}

//@SECTION expm1_f64
LANES f64 expm1_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = expm1(x[i]);
    return x;
}

//@SECTION log_f64
LANES f64 log_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = log(x[i]);
    return x;
}

//@SECTION log2_f64
LANES f64 log2_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = log2(x[i]);
    return x;
}

//@SECTION log1p_f64
LANES f64 log1p_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = log1p(x[i]);
    return x;
}

//@SECTION sin_f64
LANES f64 sin_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = sin(x[i]);
    return x;
}

//@SECTION cos_f64
LANES f64 cos_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = cos(x[i]);
    return x;
}

//@SECTION tanh_f64
LANES f64 tanh_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = tanh(x[i]);
    return x;
}

//@SECTION erf_f64
LANES f64 erf_f64(f64 x) {
    for (int i = 0; i < VL; i++) x[i] = erf(x[i]);
    return x;
}

//@SECTION pow_f64
LANES f64 pow_f64(f64 a, f64 b) {
    for (int i = 0; i < VL; i++) a[i] = pow(a[i], b[i]);
    return a;
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
    i64 high = x >= 0x1p63, low = x < -0x1p63, inside = (x == x) & ~(high | low);
    i64 whole = __builtin_convertvector((f64)(inside & (i64)x), i64);
    return whole | (high & INT64_MAX) | (low & INT64_MIN);
}

//@SECTION i64_f32
LANES i64 i64_f32(f32 x) { return i64_f64(f64_f32(x)); }

//@SECTION i32_f64
LANES i32 i32_f64(f64 x) {
    i64 wide = i64_f64(x), high = wide > INT32_MAX, low = wide < INT32_MIN;
    return i32_i64((~(high | low) & wide) | (high & INT32_MAX) | (low & INT32_MIN));
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
LANES b1 b1_f64(f64 x) { return __builtin_convertvector(x != 0, b1); }

//@SECTION b1_i32
LANES b1 b1_i32(i32 x) { return x != 0; }

//@SECTION b1_i64
LANES b1 b1_i64(i64 x) { return __builtin_convertvector(x != 0, b1); }

//@SECTION f32_b1
LANES f32 f32_b1(b1 c) { return (f32)(c & (i32)splat_f32(1)); }

//@SECTION f64_b1
LANES f64 f64_b1(b1 c) { return __builtin_convertvector(-c, f64); }

//@SECTION i32_b1
LANES i32 i32_b1(b1 c) { return -c; }

//@SECTION i64_b1
LANES i64 i64_b1(b1 c) { return __builtin_convertvector(-c, i64); }

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
    return where_f32(x == x, sign_of_f32(kept, x), x);
}

//@SECTION encode_narrow
/* The bits, sign aside, of a number that round_narrow gave; `bias` is of the exponent. */
LANES u32 encode_narrow(f32 rounded, int drop, int bias, float least) {
    f32 a = abs_f32(rounded);
    u32 tiny = (u32)__builtin_convertvector(
        (f32)((a < least) & (i32)a) * ((float)(1 << (23 - drop)) / least), i32);
    u32 normal = ((u32)a >> drop) - ((127u - (uint32_t)bias) << (23 - drop));
    return (u32)where_i32(a < least, (i32)tiny, (i32)normal);
}

//@SECTION decode_narrow
/* The finite number of those bits; keep = 23 - drop bits of fraction. */
LANES f32 decode_narrow(u32 bits, int keep, int bias, float least) {
    f32 tiny = __builtin_convertvector((i32)bits, f32) * (least / (float)(1 << keep));
    f32 normal = (f32)((bits << (23 - keep)) + ((127u - (uint32_t)bias) << 23));
    return where_f32((bits >> keep) == 0, tiny, normal);
}

//@SECTION round_bf16
LANES f32 round_bf16(f32 x) {
    u32 bits = (u32)x, half = 0x7fff + ((bits >> 16) & 1);
    return where_f32(x == x, (f32)((bits + half) & 0xffff0000), x);
}

//@SECTION round_f16
LANES f32 round_f16(f32 x) { return round_narrow(x, 13, 0x1p-14f, 65504, INFINITY); }

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
    i32 away = i32_i64(abs_f64(back) > abs_f64(x)), lost = i32_i64(back != x);
    return (f32)(((i32)near + away) | (lost & 1));
}

//@SECTION round_bf16_f64
LANES f32 round_bf16_f64(f64 x) { return round_bf16(odd_f32(x)); }

//@SECTION round_f16_f64
LANES f32 round_f16_f64(f64 x) { return round_f16(odd_f32(x)); }

//@SECTION round_f8e4m3_f64
LANES f32 round_f8e4m3_f64(f64 x) { return round_f8e4m3(odd_f32(x)); }

//@SECTION round_f8e5m2_f64
LANES f32 round_f8e5m2_f64(f64 x) { return round_f8e5m2(odd_f32(x)); }

//@SECTION decode_bf16
LANES f32 decode_bf16(u16 h) { return (f32)(__builtin_convertvector(h, u32) << 16); }

//@SECTION encode_bf16
LANES u16 encode_bf16(f32 x) {
    return __builtin_convertvector((u32)where_f32(x == x, round_bf16(x), splat_f32(NAN)) >> 16, u16);
}

//@SECTION decode_f16
LANES f32 decode_f16(u16 h) {
    u32 bits = __builtin_convertvector(h, u32), a = bits & 0x7fff;
    f32 finite = decode_narrow(a, 10, 15, 0x1p-14f);
    i32 special = (i32)(a >= 0x7c00) & 0x7f800000; /* infinity, or NaN as its fraction has it */
    return (f32)((i32)finite | special | (i32)((bits & 0x8000) << 16));
}

//@SECTION encode_f16
LANES u16 encode_f16(f32 x) {
    f32 r = round_f16(x);
    u32 a = encode_narrow(r, 13, 15, 0x1p-14f), sign = (u32)r >> 31 << 15;
    a = (u32)where_i32(abs_f32(r) <= 65504.0f, (i32)a, where_i32(r == r, splat_i32(0x7c00), splat_i32(0x7e00)));
    return __builtin_convertvector(a | sign, u16);
}

//@SECTION decode_f8e4m3
LANES f32 decode_f8e4m3(u8 q) {
    u32 bits = __builtin_convertvector(q, u32), a = bits & 0x7f;
    i32 nan = (i32)(a == 0x7f) & 0x7fc00000;
    return (f32)((i32)decode_narrow(a, 3, 7, 0x1p-6f) | nan | (i32)((bits & 0x80) << 24));
}

//@SECTION encode_f8e4m3
LANES u8 encode_f8e4m3(f32 x) {
    f32 r = round_f8e4m3(x);
    u32 a = encode_narrow(r, 20, 7, 0x1p-6f), sign = (u32)r >> 31 << 7;
    a = (u32)where_i32(r == r, (i32)a, splat_i32(0x7f));
    return __builtin_convertvector(a | sign, u8);
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
    u32 a = encode_narrow(r, 21, 15, 0x1p-14f), sign = (u32)r >> 31 << 7;
    a = (u32)where_i32(abs_f32(r) <= 57344.0f, (i32)a, where_i32(r == r, splat_i32(0x7c), splat_i32(0x7e)));
    return __builtin_convertvector(a | sign, u8);
}

//@SECTION --
// ---- loads: m lanes, the rest 0, nothing read beyond ---------------------------------------

//@SECTION ld_8
LANES u8 ld_8(const void *p, idx m) {
    u8 v = {0};
    memcpy(&v, p, m >= VL ? sizeof v : (size_t)m);
    return v;
}

//@SECTION ld_16
LANES u16 ld_16(const void *p, idx m) {
    u16 v = {0};
    memcpy(&v, p, m >= VL ? sizeof v : (size_t)m * 2);
    return v;
}

//@SECTION ld_32
LANES u32 ld_32(const void *p, idx m) {
    u32 v = {0};
    memcpy(&v, p, m >= VL ? sizeof v : (size_t)m * 4);
    return v;
}

//@SECTION ld_64
LANES u64 ld_64(const void *p, idx m) {
    u64 v = {0};
    memcpy(&v, p, m >= VL ? sizeof v : (size_t)m * 8);
    return v;
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
LANES b1 ld_bool(const bool_t *p, idx m) {
    return __builtin_convertvector(ld_8(p, m), i32) != 0;
}

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
LANES void st_8(void *p, u8 v, idx m) { memcpy(p, &v, m >= VL ? sizeof v : (size_t)m); }

//@SECTION st_16
LANES void st_16(void *p, u16 v, idx m) { memcpy(p, &v, m >= VL ? sizeof v : (size_t)m * 2); }

//@SECTION st_32
LANES void st_32(void *p, u32 v, idx m) { memcpy(p, &v, m >= VL ? sizeof v : (size_t)m * 4); }

//@SECTION st_64
LANES void st_64(void *p, u64 v, idx m) { memcpy(p, &v, m >= VL ? sizeof v : (size_t)m * 8); }

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

//@SECTION stream_f32
LANES void stream_f32(float *p, f32 v, idx m) { st_f32(p, v, m); }

//@SECTION stream_f64
LANES void stream_f64(double *p, f64 v, idx m) { st_f64(p, v, m); }

//@SECTION stream_i32
LANES void stream_i32(int32_t *p, i32 v, idx m) { st_i32(p, v, m); }

//@SECTION stream_i64
LANES void stream_i64(int64_t *p, i64 v, idx m) { st_i64(p, v, m); }

//@SECTION stream_bf16
LANES void stream_bf16(bf16 *p, f32 v, idx m) { st_bf16(p, v, m); }

//@SECTION stream_f16
LANES void stream_f16(f16 *p, f32 v, idx m) { st_f16(p, v, m); }

//@SECTION stream_fence
LANES void stream_fence(void) {}

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
