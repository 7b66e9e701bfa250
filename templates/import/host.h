/* host.h: what text of imported headers uses in C, of the library and of CUDA. */
//@BEGIN
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

//@SECTION FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON
#include <float.h>

//@SECTION INT_MAX INT_MIN
#include <limits.h>

//@SECTION fx_rsqrtf
#define fx_rsqrtf(x) (1.0f / sqrtf(x))

//@SECTION fx_rsqrt
#define fx_rsqrt(x) (1.0 / sqrt(x))

//@SECTION fx_rcpf
#define fx_rcpf(x) (1.0f / (x))

//@SECTION fx_rcp
#define fx_rcp(x) (1.0 / (x))

//@SECTION fx_dividef
#define fx_dividef(x, y) ((x) / (y))

//@SECTION fx_exp10f
#define fx_exp10f(x) powf(10.0f, x)

//@SECTION fx_exp10
#define fx_exp10(x) pow(10.0, x)

//@SECTION fx_saturatef
#define fx_saturatef(x) fminf(fmaxf(x, 0.0f), 1.0f)

//@SECTION fx_saturate
#define fx_saturate(x) fmin(fmax(x, 0.0), 1.0)

//@SECTION fx_float_as_int
#ifndef fx_float_as_int
#define fx_float_as_int fx_float_as_int
static inline int fx_float_as_int(float x)
{
    union { float value; int bits; } both = {x};
    return both.bits;
}
#endif

//@SECTION fx_int_as_float
#ifndef fx_int_as_float
#define fx_int_as_float fx_int_as_float
static inline float fx_int_as_float(int x)
{
    union { int bits; float value; } both = {x};
    return both.value;
}
#endif
