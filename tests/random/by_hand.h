/* What random programs call in place of functions of the language: the same, written by hand. */
#ifdef __CUDACC__
#define BY_HAND __device__ __forceinline__
#else
#define BY_HAND static inline
#endif

typedef float real;
static const real one = 1;
#define INVERSE(x) (one / (x))

BY_HAND real by_hand_sigmoid(real x) { return INVERSE(1 + expf(-x)); }
BY_HAND real by_hand_silu(real x) { return x * by_hand_sigmoid(x); }
BY_HAND float by_hand_tanh(float x) { return tanhf(x); }
BY_HAND float by_hand_sin(float x) { return sinf(x); }
BY_HAND float by_hand_relu(float x) { return x != x || x > 0 ? x : 0; }
