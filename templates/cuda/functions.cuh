/* functions.cuh: divisions, hyperbolic tangent, error function: about as accurate as
 * those of CUDA, in fewer instructions and without branches. Sections as in types.cuh. */
#pragma once
#include "arithmetic.cuh"
//@BEGIN
//@SECTION --
// ---- functions: errors include 2 ulp of ex2.approx and 1 ulp of rcp.approx ------------------

//@SECTION exp2_approx
/* 2 to the power of x, within 2 ulp; subnormal inputs and results are flushed to 0. */
DEVICE float exp2_approx(float x) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

//@SECTION reciprocal_approx
/* 1 / x within 1 ulp; subnormal inputs and results are flushed to 0. */
DEVICE float reciprocal_approx(float x) {
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

//@SECTION always
/* x, computed by all lanes even if only some use it: a branch around it costs more. */
DEVICE float always(float x) {
#ifdef __CUDA_ARCH__
    asm volatile("" : "+f"(x));
#endif
    return x;
}

//@SECTION divide
/* x / c for a literal c, of 2**-100 to 2**100: x times the sum of two floats that is 1 / c to 46
 * bits. Both have the same sign, so infinities stay. The quotient is rounded once: only one that
 * lies within 2**-20 ulp of the middle between two floats may become the other of them, and
 * below 2**-100 it may be 1 ulp off. */
DEVICE float divide(float x, float c) {
    const float inverse = bits_float(float_bits(1.0f / c) - 1); /* towards 0 */
    const float rest = (float)(1.0 / c - inverse);
    return fmaf(x, inverse, x * rest);
}

//@SECTION divide_by
/* x / y for many x of one y, whose reciprocal is computed once: as `divide`, after both are scaled
 * to a y of 2**-100 to 2**100. By 0, infinity and NaN the quotient is that of the division. */
DEVICE float divide_by(float x, float y) {
    const float size = fabsf(y);
    const float scale = size > 0x1p100f ? 0x1p-64f : size < 0x1p-100f ? 0x1p64f : 1.0f;
    const float c = y * scale, nearest = 1.0f / c;
    const bool plain = size > 0.0f && size < INFINITY;
    const float inverse = plain ? bits_float(float_bits(nearest) - 1) : nearest; /* towards 0 */
    const float rest = plain ? fmaf(-c, inverse, 1.0f) * inverse : nearest;
    const float scaled = x * scale;
    return fmaf(scaled, inverse, scaled * rest);
}

//@SECTION divide_approx
/* x / y within 2 ulp, for every y, without the branch of the exact division. */
DEVICE float divide_approx(float x, float y) {
#ifdef __CUDA_ARCH__
    float result;
    asm("div.full.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
    return result;
#else
    return x / y;
#endif
}

//@SECTION far_trig
/* Beyond 105615, by CUDA's functions. Not inlined: their exact reduction is long. */
[[maybe_unused]] static __device__ __noinline__ float far_trig(float x, bool quarter) {
    return quarter ? cosf(x) : sinf(x);
}

//@SECTION trig_near
/* sin a, or cos a a quarter further, of a in 0 .. 105615. n pi/2 is subtracted in three parts, the
 * first of them exactly (Cody & Waite). */
DEVICE float trig_near(float a, bool quarter) {
    const float shifted = fmaf(a, 0x1.45f306p-1f, 0x1.8p23f), n = shifted - 0x1.8p23f;
    const float r2 = fmaf(n, -0x1.5110b4p-22f, fmaf(n, -0x1.921fbp+0f, a));
    const float r = fmaf(n, -0x1.846988p-48f, r2), s = r * r;
    float sine = fmaf(s, -0x1.9952fap-13f, 0x1.110776p-7f);
    sine = fmaf(sine, s, -0x1.555546p-3f);
    sine = fmaf(r * s, sine, r);
    float cosine = fmaf(s, 0x1.99e80cp-16f, -0x1.6c0c28p-10f);
    cosine = fmaf(cosine, s, 0x1.55554ap-5f);
    cosine = fmaf(cosine, s, -0.5f);
    cosine = fmaf(cosine, s, 1.0f);
    const unsigned turn = float_bits(shifted) + quarter; /* quadrant in the two low bits */
    return bits_float(float_bits(turn & 1 ? cosine : sine) ^ (turn & 2) << 30);
}

//@SECTION trig
/* The same of |x|, of any size. */
DEVICE float trig(float x, bool quarter) {
    const float a = fabsf(x);
    return a > 105615.0f ? far_trig(a, quarter) : trig_near(a, quarter);
}

//@SECTION sin_of
DEVICE float sin_of(float x) { /* ulp: 1.6 in -105615 .. 105615 */
    return bits_float(float_bits(trig(x, false)) ^ (float_bits(x) & 0x80000000u));
}
DEVICE double sin_of(double x) { return sin(x); }

//@SECTION cos_of
DEVICE float cos_of(float x) { return trig(x, true); } /* ulp: 1.6 in -105615 .. 105615 */
DEVICE double cos_of(double x) { return cos(x); }

//@SECTION cos_near
DEVICE float cos_near(float x) { return trig_near(fabsf(x), true); } /* -105615 .. 105615 */

//@SECTION log_of_part
/* log x of 1 - k 2**-24, from 2**-24 to 1: no special cases. A polynomial of x / 2**e, which is
 * between 2/3 and 4/3 (minimax, relative). */
DEVICE float log_of_part(float x) { /* ulp: 1.1 */
    const int e = (int)(float_bits(x) - 0x3f2aaaab) & -0x800000; /* times 2**23 */
    const float f = bits_float(float_bits(x) - (unsigned)e) - 1.0f, s = f * f;
    float p = fmaf(f, -0x1.09312ep-3f, 0x1.1ed14ap-3f);
    p = fmaf(p, f, -0x1.f25e3p-4f);
    p = fmaf(p, f, 0x1.1ebe66p-3f);
    p = fmaf(p, f, -0x1.55a75p-3f);
    p = fmaf(p, f, 0x1.99d1f2p-3f);
    p = fmaf(p, f, -0x1.fffe84p-3f);
    p = fmaf(p, f, 0x1.555502p-2f);
    p = fmaf(p, f, -0.5f);
    return fmaf((float)e, 0x1.62e43p-24f, fmaf(s, p, f));
}

//@SECTION sqrt_near
/* The square root of 0 or of 2**-100 .. 2**100, correctly rounded, without a branch. */
DEVICE float sqrt_near(float x) {
#ifdef __CUDA_ARCH__
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    const float root = x * inverse, rest = fmaf(-root, root, x);
    return x == 0.0f ? x : fmaf(rest, 0.5f * inverse, root);
#else
    return sqrtf(x);
#endif
}

//@SECTION tanh_of
/* A polynomial near 0 (minimax in x * x); beyond, 1 - 2 / (e**2a + 1), which is 1 from 9.02 on. */
DEVICE float tanh_of(float x) { /* ulp: 2.4 */
    const float a = fabsf(x), s = x * x;
    float p = fmaf(-0.00589796668f, s, 0.0207986254f);
    p = fmaf(p, s, -0.0537847169f);
    p = fmaf(p, s, 0.133319363f);
    p = fmaf(p, s, -0.333332986f);
    const float near = fmaf(s * a, p, a);
    const float inverse = reciprocal_approx(exp2_approx(a * 2.88539004f) + 1.0f);
    const float far = always(fmaf(-2.0f, inverse, 1.0f));
    return copysignf(a < 0.6f ? near : far, x);
}
DEVICE double tanh_of(double x) { return tanh(x); }

//@SECTION tanh_beside_one
/* tanh for h + h * tanh(x): for small x, too, the error is that of a number near 1. */
DEVICE float tanh_beside_one(float x) { /* error: 2.5 * 2**-24 */
    const float power = exp2_approx(fabsf(x) * 2.88539004f);
    return copysignf(fmaf(-2.0f, reciprocal_approx(power + 1.0f), 1.0f), x);
}

//@SECTION erf_of
/* A polynomial near 0 (minimax in x * x); beyond, 1 - 2**q(a), where the polynomial q is fitted to
 * log2(erfc(a)) for a < 4.2 and falls from there on: the result is 1 from 3.93 on. */
DEVICE float erf_of(float x) { /* ulp: 2.3 */
    const float a = fabsf(x), s = x * x;
    float p = fmaf(-0.000605246169f, s, 0.00500416011f);
    p = fmaf(p, s, -0.0267732851f);
    p = fmaf(p, s, 0.112819761f);
    p = fmaf(p, s, -0.376125067f);
    p = fmaf(p, s, 0.128379151f);
    const float near = fmaf(p, a, a);
    float q = fmaf(-0.00181979535f, a, 0.0225818772f);
    q = fmaf(q, a, -0.131750911f);
    q = fmaf(q, a, -0.938406467f);
    q = fmaf(q, a, -1.61639237f);
    q = fmaf(q, a, -0.00262895576f);
    const float far = always(1.0f - exp2_approx(q));
    return copysignf(a < 0.9f ? near : far, x);
}
DEVICE double erf_of(double x) { return erf(x); }

//@SECTION erf_beside_one
/* erf for h + h * erf(x): 1 - 2**q(a), with a q that is fitted to log2(erfc(a))
 * so that the error of the power is the same everywhere, and q(0) = 0. */
DEVICE float erf_beside_one(float x) { /* error: 5 * 2**-24 */
    const float a = fabsf(x);
    float q = fmaf(-4.53586072e-05f, a, 0.000445507729f);
    q = fmaf(q, a, -0.00148944196f);
    q = fmaf(q, a, -0.00077462889f);
    q = fmaf(q, a, 0.0282536801f);
    q = fmaf(q, a, -0.148481607f);
    q = fmaf(q, a, -0.918416381f);
    q = fmaf(q, a, -1.62790859f);
    return copysignf(1.0f - exp2_approx(q * a), x);
}
