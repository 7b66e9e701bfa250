/* Functions of every element type, with names that the emitted text has for other things. */
#pragma once
#include <float.h>
#include <math.h>
#include <stdint.h>
#include "imported_more.h"

#ifdef __CUDACC__
#define FN __device__ __forceinline__
#else
#define FN static inline
#endif

typedef float real;
struct pair {
    real lanes, row;
};
enum { ONE = 1, TWO };

static const float table[3] = {0.25f, 0.5f, 0.75f};
#define VL 3
#define HALF(x) ((x) * 0.5f) /* as a macro, \
                                over two lines */

FN struct pair both(real x) {
    struct pair p = {x, -x};
    return p;
}
/** Of two numbers, the one // further from 0. */
FN float lanes(float x, float y) {
    const struct pair p = both(x);
    return fabsf(x) < fabsf(y) ? y : p.lanes + (p.row + x);
}
FN float load_pack(float x) { return table[x > 0 ? ONE : TWO] * HALF(x) + VL; }
FN double exp_f64(double x, float y) { return exp(-x * x) * y; }
FN int row(int a, int64_t b) { return a * 2 + (int)(b % 7); }
FN int64_t wide(int a, int64_t b) { return (int64_t)a * 4294967296 + b; }
FN bool both_small(float x, bool b) { return b && x < M_PI / 4; }
FN uint8_t byte(uint8_t a, int8_t b) { return (uint8_t)(a + b); }
FN float rsqrt_f32(float x) { return rsqrtf(x * x + FLT_MIN) + __expf(-x); }
FN float spread(float a, float b, float c, float d, float e) { return cubic(a, b) + c * d - e; }

/* Looks at the bits, so it is not computed in double. */
FN float next_above(float x) {
    union { float value; int32_t bits; } both_ways = {x};
    both_ways.bits += x < 0 ? -1 : 1;
    return both_ways.value;
}
