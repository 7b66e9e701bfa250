/* functions.h: exp, log, trigonometric and error functions, pow. Sections as in lanes.h.
 *
 * `ulp: B in X .. Y` bounds the error in units of the last place, for all arguments. It was
 * measured over every float (two operands: random pairs) with `test_functions all exp_f32`;
 * tests/lanes/test_functions.c asserts it, mostly between X and Y. The polynomials are minimax fits
 * (Remez); each coefficient was rounded to f32 before the next were fitted. */
#pragma once
#include "arithmetic.h"
//@BEGIN
//@SECTION power2_f32
/* 2**n for whole n, -126 <= n <= 127; 0 for n = -127. */
LANES f32 power2_f32(f32 n) { return (f32)((u32)(n + (0x1.8p23f + 127)) << 23); }

//@SECTION scale_f32
/* x * 2**n for whole n, -254 <= n <= 254, rounded once: two factors, the first of them exact; that
 * for n = -254 is 0. */
LANES f32 scale_f32(f32 x, f32 n) {
#if defined(__AVX512F__) && VL == 16
    __asm__("vscalefps %1, %0, %0" : "+v"(x) : "v"(n));
    return x;
#else
    f32 half = (n * 0.5f + 0x1.8p23f) - 0x1.8p23f;
    return x * power2_f32(half) * power2_f32(n - half);
#endif
}

//@SECTION fx_exponent_f32 scale_above_f32
/* An exponential is 0 for exponents up to `low`, as the weights of masked scores are. Processors
 * take some hundred cycles for a result that is too small for a normal number: such lanes are left
 * out of the instruction, or their factor is 0 and not small. */
#if defined(__AVX512F__) && VL == 16
LANES f32 fx_exponent_f32(f32 x, float least, float most) {
    (void)least;
    return at_most_f32(x, splat_f32(most));
}
LANES f32 scale_above_f32(f32 x, f32 n, f32 exponent, float low) {
    __asm__("vcmpps $6, %3, %2, %%k1\n\tvscalefps %1, %0, %0%{%%k1%}%{z%}" /* not <=: NaN, too */
            : "+v"(x)
            : "v"(n), "v"(exponent), "v"(splat_f32(low))
            : "k1");
    return x;
}
#else
LANES f32 fx_exponent_f32(f32 x, float least, float most) { return clamp_f32(x, least, most); }
LANES f32 scale_above_f32(f32 x, f32 n, f32 exponent, float low) {
    (void)exponent, (void)low;
    return scale_f32(x, n);
}
#endif

//@SECTION mod_ln2_f32
/* Returns r with x = n ln 2 + r and |r| <= ln 2 / 2. Adding 1.5 * 2**23 rounds to an integer; ln 2
 * is split so that n times its first part is exact (Cody & Waite). */
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
LANES f32 exp_f32(f32 x) { /* ulp: 0.9 (without FMA 1.2) in -105 .. 90 */
    x = fx_exponent_f32(x, -176, 89); /* n is -254 there */
    f32 n, r = mod_ln2_f32(x, &n);
    return scale_above_f32(exp_near_f32(r), n, x, -104);
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
LANES f32 exp2_f32(f32 x) { /* ulp: 0.9 (without FMA 1.1) in -152 .. 130 */
    x = fx_exponent_f32(x, -254, 129);
    f32 n = (x + 0x1.8p23f) - 0x1.8p23f;
    return scale_above_f32(exp2_near_f32(x - n), n, x, -150);
}

//@SECTION expm1_f32
LANES f32 expm1_f32(f32 x) { /* ulp: 1.5 in -20 .. 90 */
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
/* Returns f with x = 2**n * (1 + f), in the range of log1p_near_f32, for finite x > 0. */
LANES f32 log_split_f32(f32 x, f32 *n) {
    b1 tiny = x < 0x1p-126f; /* subnormal: scaled to be normal */
    u32 bits = (u32)where_f32(tiny, x * 0x1p23f, x);
    i32 exponent = (i32)(bits - 0x3f3504f3) >> 23; /* above the bits of sqrt(1/2) */
    *n = __builtin_convertvector(exponent - (tiny & 23), f32);
    return (f32)(bits - ((u32)exponent << 23)) - 1.0f;
}

//@SECTION log_edges_f32
/* The logarithm of x outside the domain of log_split_f32: -inf at 0, NaN below, inf and NaN
 * kept. */
LANES f32 log_edges_f32(f32 x, f32 result) {
    result = where_f32(x < INFINITY, result, x);
    result = where_f32(x == 0.0f, splat_f32(-INFINITY), result);
    return (f32)((i32)result | (x < 0.0f)); /* all bits set: NaN */
}

//@SECTION log_f32
LANES f32 log_f32(f32 x) { /* ulp: 0.9 (without FMA 1.0) in 0 .. 4 */
    f32 n, f = log_split_f32(x, &n), tail = log1p_near_f32(f) + n * -0x1.bd0106p-13f;
    return log_edges_f32(x, (f + tail) + n * 0x1.63p-1f);
}

//@SECTION log2_f32
LANES f32 log2_f32(f32 x) { /* ulp: 1.4 (without FMA 1.5) in 0 .. 4 */
    f32 n, f = log_split_f32(x, &n);
    f32 tail = log1p_near_f32(f) * 0x1.715476p+0f + f * 0x1.c551dap-2f; /* log2(e) - 1 */
    return log_edges_f32(x, (f + tail) + n);
}

//@SECTION log1p_f32
LANES f32 log1p_f32(f32 x) { /* ulp: 1.5 in -1 .. 4 */
    i32 exponent = (i32)((u32)(1.0f + x) - 0x3f3504f3) >> 23;
    f32 n = __builtin_convertvector(exponent, f32);
    f32 down = (f32)((u32)(129 - exponent) << 23) * 0.25f; /* 2**-n, with n up to 128 */
    f32 f = x * down + (down - 1.0f);                      /* 1 + f = (1 + x) 2**-n */
    f32 tail = log1p_near_f32(f) + n * -0x1.bd0106p-13f, result = (f + tail) + n * 0x1.63p-1f;
    return where_f32(x == 0.0f, x, log_edges_f32(1.0f + x, result));
}

//@SECTION far_trig_f32
/* The lanes beyond 12000, by libm. Not inlined: loops that call it keep no vector in registers. */
static __attribute__((noinline, cold, unused)) f32 far_trig_f32(f32 a, f32 result, int quarter) {
    for (int i = 0; i < VL; i++)
        if (a[i] > 12000.0f) result[i] = quarter ? cosf(a[i]) : sinf(a[i]);
    return result;
}

//@SECTION trig_f32
/* sin |x| (quarter 0) or cos |x| (quarter 1). n pi/2 is subtracted in four parts; n times each of
 * the first three is exact (Cody & Waite). The rounding error of r is added to the sine. Beyond
 * 12000 this is not accurate, and libm computes the lane. */
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
    u32 turn = (u32)shifted + (uint32_t)quarter; /* quadrant in the two low bits */
    f32 result = where_f32((turn & 1) != 0, cosine, sine);
    result = (f32)((u32)result ^ (turn & 2) << 30);
    if (__builtin_expect(is_any(a > 12000.0f), 0)) result = far_trig_f32(a, result, quarter);
    return result;
}

//@SECTION sin_f32
LANES f32 sin_f32(f32 x) { /* ulp: 1.3 (without FMA 1.5) in -20000 .. 20000 */
    return (f32)((i32)trig_f32(x, 0) ^ ((i32)x & INT32_MIN));
}

//@SECTION cos_f32
LANES f32 cos_f32(f32 x) { /* ulp: 1.3 (without FMA 1.5) in -20000 .. 20000 */
    return trig_f32(x, 1);
}

//@SECTION tan_f32
LANES f32 tan_f32(f32 x) { /* ulp: 3.0 in -20000 .. 20000 */
    return sin_f32(x) / cos_f32(x);
}

//@SECTION atan_ratio_f32
/* The arc tangent of num / den, 0 <= num <= den, as a sum of two numbers: a polynomial up to
 * tan(pi/8), beyond that pi/4 + atan((num - den) / (num + den)). */
LANES f32 atan_ratio_f32(f32 num, f32 den, f32 *rest) {
    b1 far = num > den * 0.41421356f;
    f32 t = where_f32(far, num - den, num) / where_f32(far, num + den, den), s = t * t;
    f32 p = s * -0x1.f2acb6p-5f + 0x1.b21adep-4f;
    p = p * s + -0x1.23b924p-3f;
    p = p * s + 0x1.9991dep-3f;
    p = p * s + -0x1.55554ap-2f;
    p = t * s * p;
    *rest = where_f32(far, (p - 0x1.777a5cp-26f) + t, p);
    return where_f32(far, splat_f32(0x1.921fb6p-1f), t);
}

//@SECTION supplement_f32
/* high + low - (angle + rest), as a sum of two numbers. */
LANES f32 supplement_f32(float high, float low, f32 angle, f32 *rest) {
    f32 other = high - angle;
    *rest = ((high - other) - angle) + (low - *rest);
    return other;
}

//@SECTION atan_f32
LANES f32 atan_f32(f32 x) { /* ulp: 2.0 in -10 .. 10 */
    f32 a = abs_f32(x), one = splat_f32(1), rest;
    b1 steep = a > 1.0f;
    f32 angle = atan_ratio_f32(where_f32(steep, one, a), where_f32(steep, a, one), &rest);
    f32 other_rest = rest;
    f32 other = supplement_f32(0x1.921fb6p+0f, -0x1.777a5cp-25f, angle, &other_rest);
    return with_sign_f32(where_f32(steep, other + other_rest, angle + rest), x);
}

//@SECTION atan2_f32
/* As in C: atan2(0, 0) is 0, and atan2 of two infinities is that of two equal numbers. */
LANES f32 atan2_f32(f32 y, f32 x) { /* ulp: 2.0 */
    f32 a = abs_f32(y), b = abs_f32(x), rest;
    b1 steep = a > b, equal = (a == b) & ((a == 0.0f) | (a == INFINITY));
    f32 num = where_f32(steep, b, a), den = where_f32(steep, a, b);
    num = where_f32(equal, splat_f32(1) - 1.0f / (b + 1.0f), num); /* 0 for 0, 1 for Inf */
    den = where_f32(equal, splat_f32(1), den);
    f32 scale = where_f32(den > 0x1p100f, splat_f32(0x1p-30f), splat_f32(1)); /* for num + den */
    f32 angle = atan_ratio_f32(num * scale, den * scale, &rest), other_rest = rest;
    f32 other = supplement_f32(0x1.921fb6p+0f, -0x1.777a5cp-25f, angle, &other_rest);
    angle = where_f32(steep, other, angle);
    rest = where_f32(steep, other_rest, rest);
    other_rest = rest;
    other = supplement_f32(0x1.921fb6p+1f, -0x1.777a5cp-24f, angle, &other_rest);
    b1 left = (i32)x < 0; /* -0 too */
    f32 result = where_f32(left, other + other_rest, angle + rest);
    result = with_sign_f32(result, y);
    return where_f32((x == x) & (y == y), result, x + y);
}

//@SECTION asin_half_f32
/* asin(a) for 0 <= a <= 1/2, or half of acos(a) for 1/2 < a <= 1, as a sum of two numbers. */
LANES f32 asin_half_f32(f32 a, f32 *rest) {
    b1 large = a > 0.5f;
    f32 s = where_f32(large, 0.5f - 0.5f * a, a * a), t = where_f32(large, sqrt_f32(s), a);
    f32 p = s * 0x1.34bfccp-5f + 0x1.d528d8p-7f;
    p = p * s + 0x1.04d2dep-5f;
    p = p * s + 0x1.6ca754p-5f;
    p = p * s + 0x1.3338acp-4f;
    p = p * s + 0x1.55554cp-3f;
    *rest = t * s * p;
    return t;
}

//@SECTION asin_f32
LANES f32 asin_f32(f32 x) { /* ulp: 1.5 in -1 .. 1 */
    f32 a = abs_f32(x), rest, t = asin_half_f32(a, &rest), twice = rest + rest;
    f32 other = supplement_f32(0x1.921fb6p+0f, -0x1.777a5cp-25f, t + t, &twice);
    return with_sign_f32(where_f32(a > 0.5f, other + twice, t + rest), x);
}

//@SECTION acos_f32
LANES f32 acos_f32(f32 x) { /* ulp: 1.5 in -1 .. 1 */
    f32 a = abs_f32(x), rest, t = asin_half_f32(a, &rest), twice = rest + rest, half = t + t;
    b1 large = a > 0.5f, left = x < 0.0f;
    f32 angle = where_f32(left, -t, t), angle_rest = where_f32(left, -rest, rest);
    f32 middle = supplement_f32(0x1.921fb6p+0f, -0x1.777a5cp-25f, angle, &angle_rest);
    f32 right = half + twice;
    half = supplement_f32(0x1.921fb6p+1f, -0x1.777a5cp-24f, half, &twice);
    return where_f32(large, where_f32(left, half + twice, right), middle + angle_rest);
}

//@SECTION half_exp_f32
/* e**a / 2 for a >= 0. */
LANES f32 half_exp_f32(f32 a) {
    f32 n, r = mod_ln2_f32(clamp_f32(a, 0, 92), &n);
    return scale_f32(exp_near_f32(r), n - 1.0f);
}

//@SECTION sinh_f32
/* A polynomial up to 1. */
LANES f32 sinh_f32(f32 x) { /* ulp: 1.8 in -91 .. 91 */
    f32 a = abs_f32(x), half = half_exp_f32(a), s = a * a;
    f32 p = s * 0x1.756fd4p-19f + 0x1.a022bp-13f;
    p = p * s + 0x1.1110ep-7f;
    p = p * s + 0x1.555556p-3f;
    return with_sign_f32(where_f32(a < 1.0f, a * s * p + a, half - 0.25f / half), x);
}

//@SECTION cosh_f32
LANES f32 cosh_f32(f32 x) { /* ulp: 1.8 in -91 .. 91 */
    f32 half = half_exp_f32(abs_f32(x));
    return half + 0.25f / half;
}

//@SECTION log10_f32
LANES f32 log10_f32(f32 x) { /* ulp: 1.5 in 0 .. 4 */
    f32 n, f = log_split_f32(x, &n), near = log1p_near_f32(f) * 0x1.bcb7b2p-2f;
    f32 tail = (near + f * -0x1.0d213ap-4f) + n * 0x1.04d428p-12f; /* log10(e) - 1/2 */
    return log_edges_f32(x, (f * 0.5f + tail) + n * 0x1.34p-2f);
}

//@SECTION cbrt_f32
/* The first guess divides the exponent by 3; then two steps of Halley's iteration. */
LANES f32 cbrt_f32(f32 x) { /* ulp: 1.5 in -1000 .. 1000 */
    f32 a = abs_f32(x);
    b1 tiny = a < 0x1p-100f, huge = a > 0x1p100f;
    f32 up = where_f32(tiny, splat_f32(0x1p20f), splat_f32(1)); /* keeps cubes normal */
    f32 by = where_f32(huge, splat_f32(0x1p-20f), up), scaled = a * by * by * by;
    f32 third = __builtin_convertvector((i32)scaled, f32) * 0x1.555556p-2f;
    f32 y = (f32)(__builtin_convertvector(third, i32) + 0x2a5137a0);
    for (int i = 0; i < 2; i++) {
        f32 cube = y * y * y;
        y = y - y * ((cube - scaled) / (cube + (cube + scaled)));
    }
    return where_f32((a > 0.0f) & (a < INFINITY), with_sign_f32(y / by, x), x);
}

//@SECTION tanh_f32
/* A polynomial near 0; beyond, 1 - 2 / (e**2a + 1), which is 1 from 9.02 on. */
LANES f32 tanh_f32(f32 x) { /* ulp: 1.5 in -10 .. 10 */
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
#elif VL == 4 && defined(__aarch64__) /* by the bytes of the lanes */
    f32 x;
    const i32 bytes = (at & 15) * 0x04040404 + 0x03020100;
    __asm__("ld1 {v28.16b-v31.16b}, %1\n\ttbl %0.16b, {v28.16b-v31.16b}, %2.16b"
            : "=w"(x)
            : "Q"(*(const float(*)[16])table), "w"(bytes)
            : "v28", "v29", "v30", "v31");
    return x;
#else
    f32 x;
    for (int i = 0; i < VL; i++) x[i] = table[at[i] & 15];
    return x;
#endif
}

//@SECTION erf_f32
/* Piecewise polynomials: column k of the table is the one around k/4, fitted for |x| within 1/8 of
 * it by scripts/fit-tables; the last is 1. In column 0, whose constant is 0, t itself is added:
 * more accurate than multiplying by a rounded 2/sqrt(pi). Elsewhere t is less than the constant. */
LANES f32 erf_f32(f32 x) { /* ulp: 1.2 (without FMA 1.5) in -4.5 .. 4.5 */
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
    _Pragma("GCC unroll 4") for (int i = 4; i > 0; i--) p = p * t + lookup16_f32(c[i], k);
    return with_sign_f32(p * t + at_least_f32(t, lookup16_f32(c[0], k)), x);
}

//@SECTION pow_f32
/* 2**z with z = b log2|a| and its fraction in f64; then the special cases of C's pow. */
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

//@SECTION OF_LIBM OF_LIBM2
/* A function of libm for the lanes: by a register at a time where glibc has it (libmvec, which stays
 * within 4 ulp), else one after the other. */
#if defined(__x86_64__) && defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ >= 35
#if defined(__AVX512F__)
#define REGISTER_BYTES 64
#define OF_REGISTER(NAME, OPERANDS) _ZGVeN8##OPERANDS##_##NAME
#elif defined(__AVX2__)
#define REGISTER_BYTES 32
#define OF_REGISTER(NAME, OPERANDS) _ZGVdN4##OPERANDS##_##NAME
#else
#define REGISTER_BYTES 16
#define OF_REGISTER(NAME, OPERANDS) _ZGVbN2##OPERANDS##_##NAME
#endif
typedef double f64_register __attribute__((vector_size(REGISTER_BYTES)));
typedef union f64_registers {
    f64 all;
    f64_register part[sizeof(f64) / REGISTER_BYTES];
} f64_registers;
#define OF_LIBM(NAME)                                                                              \
    extern f64_register OF_REGISTER(NAME, v)(f64_register);                                        \
    f64_registers lanes = {x};                                                                     \
    for (size_t i = 0; i < sizeof(f64) / REGISTER_BYTES; i++)                                      \
        lanes.part[i] = OF_REGISTER(NAME, v)(lanes.part[i]);                                       \
    return lanes.all;
#define OF_LIBM2(NAME)                                                                             \
    extern f64_register OF_REGISTER(NAME, vv)(f64_register, f64_register);                         \
    f64_registers lanes = {a}, others = {b};                                                       \
    for (size_t i = 0; i < sizeof(f64) / REGISTER_BYTES; i++)                                      \
        lanes.part[i] = OF_REGISTER(NAME, vv)(lanes.part[i], others.part[i]);                      \
    return lanes.all;
#else
#define OF_LIBM(NAME)                                                                              \
    for (int i = 0; i < VL; i++) x[i] = NAME(x[i]);                                                \
    return x;
#define OF_LIBM2(NAME)                                                                             \
    for (int i = 0; i < VL; i++) a[i] = NAME(a[i], b[i]);                                          \
    return a;
#endif

//@SECTION exp_f64
LANES f64 exp_f64(f64 x) { /* ulp: 4.0, in -746 .. 711 */
    OF_LIBM(exp)
}

//@SECTION exp2_f64
LANES f64 exp2_f64(f64 x) { /* ulp: 4.0, in -1076 .. 1025 */
    OF_LIBM(exp2)
}

//@SECTION expm1_f64
LANES f64 expm1_f64(f64 x) { /* ulp: 4.0, in -40 .. 711 */
    OF_LIBM(expm1)
}

//@SECTION log_f64
LANES f64 log_f64(f64 x) { /* ulp: 4.0, in 0 .. 4 */
    OF_LIBM(log)
}

//@SECTION log2_f64
LANES f64 log2_f64(f64 x) { /* ulp: 4.0, in 0 .. 4 */
    OF_LIBM(log2)
}

//@SECTION log1p_f64
LANES f64 log1p_f64(f64 x) { /* ulp: 4.0, in -1 .. 4 */
    OF_LIBM(log1p)
}

//@SECTION sin_f64
LANES f64 sin_f64(f64 x) { /* ulp: 4.0, in -20000 .. 20000 */
    OF_LIBM(sin)
}

//@SECTION cos_f64
LANES f64 cos_f64(f64 x) { /* ulp: 4.0, in -20000 .. 20000 */
    OF_LIBM(cos)
}

//@SECTION tanh_f64
LANES f64 tanh_f64(f64 x) { /* ulp: 4.0, in -20 .. 20 */
    OF_LIBM(tanh)
}

//@SECTION erf_f64
LANES f64 erf_f64(f64 x) { /* ulp: 4.0, in -6 .. 6 */
    OF_LIBM(erf)
}

//@SECTION tan_f64
LANES f64 tan_f64(f64 x) { /* ulp: 4.0, in -20000 .. 20000 */
    OF_LIBM(tan)
}

//@SECTION asin_f64
LANES f64 asin_f64(f64 x) { /* ulp: 4.0, in -1 .. 1 */
    OF_LIBM(asin)
}

//@SECTION acos_f64
LANES f64 acos_f64(f64 x) { /* ulp: 4.0, in -1 .. 1 */
    OF_LIBM(acos)
}

//@SECTION atan_f64
LANES f64 atan_f64(f64 x) { /* ulp: 4.0, in -10 .. 10 */
    OF_LIBM(atan)
}

//@SECTION sinh_f64
LANES f64 sinh_f64(f64 x) { /* ulp: 4.0, in -711 .. 711 */
    OF_LIBM(sinh)
}

//@SECTION cosh_f64
LANES f64 cosh_f64(f64 x) { /* ulp: 4.0, in -711 .. 711 */
    OF_LIBM(cosh)
}

//@SECTION log10_f64
LANES f64 log10_f64(f64 x) { /* ulp: 4.0, in 0 .. 4 */
    OF_LIBM(log10)
}

//@SECTION cbrt_f64
LANES f64 cbrt_f64(f64 x) { /* ulp: 4.0, in -1000 .. 1000 */
    OF_LIBM(cbrt)
}

//@SECTION atan2_f64
LANES f64 atan2_f64(f64 a, f64 b) { /* ulp: 4.0 */
    OF_LIBM2(atan2)
}

//@SECTION pow_f64
LANES f64 pow_f64(f64 a, f64 b) { /* ulp: 4.0 */
    OF_LIBM2(pow)
}
