/* The functions of templates/cuda/functions.cuh, compiled for the CPU, against double: the bounds that
 * they state, with approximations that are as wrong as they may be. Every STEP-th float, or all:
 *   cuda_functions 1
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define __host__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __fmul_rn(a, b) ((a) * (b))
#define __dmul_rn(a, b) ((a) * (b))
/* "ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x) */
#define asm(...) result = approximate(#__VA_ARGS__, x)

static double off; /* ulp that approximations are off */

static float approximate(const char *text, float x) {
    const bool is_exp2 = strstr(text, "ex2.approx");
    const double exact = is_exp2 ? exp2(x) : 1.0 / x;
    return (float)(exact * (1 + (is_exp2 ? 2 : 1) * off * 0x1p-23));
}

#include "templates/cuda/functions.cuh"
#undef asm

static int failures;

static double ulps(float got, double want) {
    int exponent;
    frexp(want, &exponent);
    if (exponent < -125) exponent = -125;
    return fabs(got - want) / ldexp(1, exponent - 24);
}

static void measure(const char *name, float (*f)(float), double (*exact)(double), double bound,
                    uint32_t step) {
    double worst = 0;
    float at = 0;
    for (uint64_t bits = 0; bits < 0x7f800000u; bits += step) {
        const float x = bits_float((unsigned)bits), y = f(x);
        const double error = ulps(y, exact(x));
        if (f(-x) != -y || y > 1) failures++;
        if (error > worst) worst = error, at = x;
    }
    printf("%s: %.2f ulp at %a, approximations %+g\n", name, worst, at, off);
    failures += !(worst <= bound) || f(INFINITY) != 1 || f(-INFINITY) != -1 || f(NAN) == f(NAN) ||
                !signbit(f(-0.0f));
}

/* Of an angle: odd or even. Beyond 105615 the functions are those of the CUDA library. */
static void measure_angle(const char *name, float (*f)(float), double (*exact)(double), bool odd,
                          uint32_t step) {
    double worst = 0;
    float at = 0;
    for (uint64_t bits = 0; bits_float((unsigned)bits) <= 105615; bits += step) {
        const float x = bits_float((unsigned)bits), y = f(x);
        const double error = ulps(y, exact(x));
        failures += f(-x) != (odd ? -y : y) || !(fabsf(y) <= 1);
        if (!(error <= worst)) worst = error, at = x;
    }
    printf("%s: %.2f ulp at %a\n", name, worst, at);
    failures += !(worst <= 1.6) || f(INFINITY) == f(INFINITY) || f(NAN) == f(NAN) ||
                (odd && !signbit(f(-0.0f)));
}

/* Of all numbers that are 1 minus a random one. */
static void measure_log_of_part(void) {
    double worst = 0;
    for (int k = 1; k < 1 << 24; k++) {
        const float x = 1 - (float)k * 0x1p-24f;
        const double error = ulps(log_of_part(x), log(x));
        if (!(error <= worst)) worst = error;
    }
    printf("log of a part: %.2f ulp\n", worst);
    failures += !(worst <= 1.1) || log_of_part(1) != 0;
}

/* For h + h * f(x): the error is a number of 2**-24, wherever x lies. */
static void measure_beside_one(const char *name, float (*f)(float), double (*exact)(double),
                               double bound, uint32_t step) {
    double worst = 0;
    float at = 0;
    for (uint64_t bits = 0; bits < 0x7f800000u; bits += step)
        for (int sign = -1; sign <= 1; sign += 2) {
            const float x = (float)sign * bits_float((unsigned)bits), y = f(x);
            const double error = fabs(y - exact(x)) * 0x1p24;
            failures += !(fabsf(y) <= 1);
            if (!(error <= worst)) worst = error, at = x;
        }
    printf("%s beside 1: %.2f * 2**-24 at %a, approximations %+g\n", name, worst, at, off);
    failures += !(worst <= bound) || f(INFINITY) != 1 || f(-INFINITY) != -1 || f(NAN) == f(NAN);
}

/* Quotients by literals: rounded like the division, but for the smallest. */
static void divide_all(uint32_t step) {
    const float by[] = {30, 3, 7, -50, 0.1f, 1e-3f, 1.7e30f, -1e-30f, 49};
    long wrong = 0, count = 0;
    for (float c : by) {
        for (uint64_t bits = 0; bits < 0x7f800000u; bits += step, count++) {
            const float x = bits_float((unsigned)bits), exact = x / c, y = divide(x, c);
            const bool is_tiny = fabsf(exact) < 0x1p-100f && ulps(y, exact) <= 1;
            wrong += y != exact && !is_tiny;
        }
        const float far = c > 0 ? INFINITY : -INFINITY;
        failures += divide(INFINITY, c) != far || divide(-INFINITY, c) != -far ||
                    divide(NAN, c) == divide(NAN, c) || !signbit(divide(c < 0 ? 0.0f : -0.0f, c));
    }
    printf("divide: %ld of %ld quotients differ\n", wrong, count);
    failures += wrong * 1000000 > count;
}

/* Quotients by what a row shares, of any size; next to NaN and infinities they are those of `/`. */
static void divide_by_all(uint32_t step) {
    const float by[] = {30, 7, -50, 0.1f, 1.7e38f, -3e-38f, 1e-42f, 0x1p-149f, 3e33f, -2e-31f};
    const float ends[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 1, -0x1p127f};
    long wrong = 0, count = 0;
    for (float c : by)
        for (uint64_t bits = 0; bits < 0x7f800000u; bits += step, count++) {
            const float x = bits_float((unsigned)bits), exact = x / c, y = divide_by(x, c);
            const bool is_tiny = fabsf(exact) < 0x1p-100f && ulps(y, exact) <= 1;
            wrong += y != exact && !is_tiny;
        }
    for (float c : ends)
        for (float x : ends) {
            const float exact = x / c, y = divide_by(x, c);
            failures += exact == exact ? y != exact || signbit(y) != signbit(exact) : y == y;
        }
    printf("divide_by: %ld of %ld quotients differ\n", wrong, count);
    failures += wrong * 1000000 > count;
}

int main(int argc, char **argv) {
    const uint32_t step = argc > 1 ? (uint32_t)atoi(argv[1]) : 10007;
    for (off = -1; off <= 1; off += 1) {
        measure("tanh", tanh_of, tanh, 2.4, step);
        measure("erf", erf_of, erf, 2.3, step);
        measure_beside_one("tanh", tanh_beside_one, tanh, 2.5, step);
        measure_beside_one("erf", erf_beside_one, erf, 5, step);
    }
    measure_angle("sin", sin_of, sin, true, step);
    measure_angle("cos", cos_of, cos, false, step);
    measure_log_of_part();
    failures += cos_near(-2) != cos_of(2.0f) || sqrt_near(0.5f) != sqrtf(0.5f);
    divide_all(step);
    divide_by_all(step);
    if (failures) printf("%d failures\n", failures);
    return failures != 0;
}
