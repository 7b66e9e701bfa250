/* Activations written by hand, for C and CUDA alike. */
#pragma once
#include <math.h>

#ifdef __CUDACC__
#define ACTIVATION __device__ __forceinline__
#else
#define ACTIVATION static inline
#endif

#define SQUARE(x) ((x) * (x))

/** A smooth relu without an exponential: (x + sqrt(x^2 + b)) / 2. */
ACTIVATION float squareplus(float x, float b) { return 0.5f * (x + sqrtf(SQUARE(x) + b)); }

/** Periodic, as vocoders use it: x + sin(a x)^2 / a. */
ACTIVATION float snake(float x, float a) { return x + SQUARE(sinf(a * x)) / a; }

/** Caps a score smoothly between -cap and cap. */
ACTIVATION float softcap(float score, float cap) { return cap * tanhf(score / cap); }
