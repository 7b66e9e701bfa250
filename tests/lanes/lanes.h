/* What the tests of templates/c share: random values, and whether this processor has the lanes. */
#ifndef TESTS_LANES_LANES_H
#define TESTS_LANES_LANES_H

#include "templates/c/lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wunused-function" /* none needs all of these */

static uint64_t random_state = 1;

static uint64_t random_bits(void) { /* SplitMix64 (Steele, Lea, Flood) */
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static double random_in(double lo, double hi) {
    return lo + (hi - lo) * (double)(random_bits() >> 11) * 0x1p-53;
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* One number, NaN and the sign of zero included. */
static bool same(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static bool has_lanes(void) {
#ifdef __GNUC__
    if (VL == 16) return __builtin_cpu_supports("avx512f");
    if (VL == 8) return __builtin_cpu_supports("avx2");
#endif
    return true;
}

#endif
