/* Speed of the C prelude's f32 functions on one core, data in L1: Gelem/s, ns per vector.
 *   cc -O3 -march=native -mprefer-vector-width=512 -ffp-contract=fast -Wno-psabi -I . \
 *      bench/vector_math.c -o vector_math -lm && ./vector_math */
#define _POSIX_C_SOURCE 200809L
#include "templates/c/functions.h"
#include "templates/c/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 2048, ROUNDS = 200, TRIES = 25 }; /* 8 KB in, 8 KB out */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static f32 copy_f32(f32 x) { return x; }
static f32 sigmoid_f32(f32 x) { return 1.0f / (1.0f + exp_f32(-x)); }
static f32 gelu_f32(f32 x) { return 0.5f * x * (1.0f + erf_f32(x * 0x1.6a09e6p-1f)); }
static f32 cube_f32(f32 x) { return pow_f32(x, splat_f32(2.7f)); }

/* function, range of its arguments */
#define EACH(X)                                                                                    \
    X(copy_f32, -10, 10)                                                                           \
    X(exp_f32, -10, 10)                                                                            \
    X(exp2_f32, -10, 10)                                                                           \
    X(expm1_f32, -10, 10)                                                                          \
    X(log_f32, 0, 10)                                                                              \
    X(log2_f32, 0, 10)                                                                             \
    X(log1p_f32, 0, 10)                                                                            \
    X(sin_f32, -10, 10)                                                                            \
    X(cos_f32, -10, 10)                                                                            \
    X(tanh_f32, -10, 10)                                                                           \
    X(erf_f32, -4, 4)                                                                              \
    X(sqrt_f32, 0, 10)                                                                             \
    X(rsqrt_f32, 0, 10)                                                                            \
    X(round_f32, -10, 10)                                                                          \
    X(floor_f32, -10, 10)                                                                          \
    X(round_bf16, -10, 10)                                                                         \
    X(round_f16, -10, 10)                                                                          \
    X(round_f8e4m3, -10, 10)                                                                       \
    X(cube_f32, 0, 10)                                                                             \
    X(sigmoid_f32, -10, 10)                                                                        \
    X(gelu_f32, -4, 4)

#define RUN(F, LO, HI)                                                                             \
    static __attribute__((noinline)) void run_##F(float *y, const float *x) {                      \
        for (int i = 0; i < COUNT; i += VL) st_f32(y + i, F(ld_f32(x + i, VL)), VL);               \
    }
EACH(RUN)

static void measure(const char *name, void (*run)(float *, const float *), float lo, float hi) {
    static float x[COUNT], y[COUNT];
    for (int i = 0; i < COUNT; i++) x[i] = lo + (hi - lo) * ((float)rand() / (float)RAND_MAX);
    double best = 1e9;
    for (int try = 0; try < TRIES; try++) {
        double start = seconds();
        for (int round = 0; round < ROUNDS; round++) run(y, x);
        double taken = seconds() - start;
        if (taken < best) best = taken;
    }
    double each = best / ((double)ROUNDS * COUNT);
    printf("%-14s %8.2f %12.2f\n", name, 1e-9 / each, 1e9 * each * VL);
}

int main(void) {
    printf("VL %-11d Gelem/s    ns/vector\n", VL);
#define MEASURE(F, LO, HI) measure(#F, run_##F, LO, HI);
    EACH(MEASURE)
    return 0;
}
