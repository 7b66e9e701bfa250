/* cuda.h: CUDA's names on the CPU. Included before the emitted text, which is compiled as C++ with
 * -fsanitize=thread but without its runtime: the calls go to ours. What is OPAQUE here is not
 * instrumented, so that messages speak of the emitted text. */
#ifndef FUSEC_SHIM_CUDA_H
#define FUSEC_SHIM_CUDA_H

#include <math.h>
#include <string.h>

#include "shim.h"
#include "tensor_map.h"

#define OPAQUE __attribute__((noinline, no_sanitize("thread", "undefined")))
#define HERE   __builtin_return_address(0)

#define __global__
#define __device__
#define __host__
#define __constant__ static const
/* Inlined, so that nothing is passed or returned in memory: such accesses are not instrumented. */
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __align__(N) __attribute__((aligned(N)))
/* Storage for the one block there is at a time: in the segment of thread-local variables, which
 * the runtime finds, poisons before each block, and watches. */
#define __shared__ thread_local

/* ---- vector types ---------------------------------------------------------------------------- */

#define VECTORS(NAME, TYPE)                                                                        \
    struct alignas(2 * sizeof(TYPE)) NAME##2 {                                                     \
        TYPE x, y;                                                                                 \
    };                                                                                             \
    struct NAME##3 {                                                                               \
        TYPE x, y, z;                                                                              \
    };                                                                                             \
    struct alignas(4 * sizeof(TYPE) < 16 ? 4 * sizeof(TYPE) : 16) NAME##4 {                        \
        TYPE x, y, z, w;                                                                           \
    };                                                                                             \
    static inline NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }                        \
    static inline NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; }             \
    static inline NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }
VECTORS(char, signed char)
VECTORS(uchar, unsigned char)
VECTORS(short, short)
VECTORS(ushort, unsigned short)
VECTORS(int, int)
VECTORS(uint, unsigned)
VECTORS(longlong, long long)
VECTORS(ulonglong, unsigned long long)
VECTORS(float, float)
VECTORS(double, double)
#undef VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned xs = 1, unsigned ys = 1, unsigned zs = 1) : x(xs), y(ys), z(zs) {}
};

/* Set by the runtime; constant as far as a thread can see. */
extern "C" const uint3 threadIdx, blockIdx;
extern "C" const dim3 blockDim, gridDim;
static const int warpSize = 32;

/* ---- launches -------------------------------------------------------------------------------- */

enum cudaError_t { cudaSuccess = 0, cudaErrorNotSupported = 801 };
typedef void *cudaStream_t;
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
static inline cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) {
    return cudaSuccess;
}

enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16 };
static inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) {
    *value = shim::multiprocessors;
    return cudaSuccess;
}

OPAQUE static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t) {
    shim::fill(to, value, size, HERE);
    return cudaSuccess;
}

/* Of the driver, by name: only what makes maps of tensors. */
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess = 0 };
enum { cudaEnableDefault = 0 };
OPAQUE static inline cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned, unsigned long long,
                                 cudaDriverEntryPointQueryResult *result) {
    *function = !strcmp(name, "cuTensorMapEncodeTiled")    ? (void *)shim_encode_map
                : !strcmp(name, "cuTensorMapEncodeIm2col") ? (void *)shim_encode_pixels
                                                           : nullptr;
    *result = cudaDriverEntryPointSuccess;
    return cudaSuccess;
}

namespace shim {

struct Extent : Size3 {
    Extent(long long n) : Size3{n, 1, 1} {}
    Extent(dim3 n) : Size3{n.x, n.y, n.z} {}
};

template <class... P> struct Launcher {
    void (*kernel)(P...);
    Config config;
    OPAQUE void operator()(P... arguments) const {
        auto call = [&]() OPAQUE { kernel(arguments...); };
        launch(
            config, [](void *c) OPAQUE { (*(decltype(call) *)c)(); }, &call);
    }
};

/* kernel<<<grid, block, shared, stream>>>(arguments) is rewritten to
 * shim::launcher(kernel, "kernel", bounds, grid, block, shared, stream)(arguments). */
template <class... P>
Launcher<P...> launcher(void (*kernel)(P...), const char *name, Bounds bounds, Extent grid,
                        Extent block, size_t shared = 0, cudaStream_t = nullptr) {
    return {kernel, {name, bounds, grid, block, shared}};
}

} // namespace shim

/* ---- barriers, shuffles, votes --------------------------------------------------------------- */

OPAQUE static inline void __syncthreads() { shim::block_barrier(HERE); }
static inline void __threadfence() {}
static inline void __threadfence_block() {}

OPAQUE static inline void __syncwarp(unsigned mask = 0xffffffffu) {
    shim::exchange(shim::Exchange::barrier, mask, nullptr, 0, 0, 32, HERE);
}

#define SHUFFLE(NAME, HOW, ARGUMENT)                                                               \
    template <class T> OPAQUE T NAME(unsigned mask, T x, ARGUMENT argument, int width = 32) {      \
        static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 4 or 8 bytes");             \
        shim::exchange(shim::Exchange::HOW, mask, &x, sizeof x, (int)argument, width, HERE);       \
        return x;                                                                                  \
    }
SHUFFLE(__shfl_sync, index, int)
SHUFFLE(__shfl_up_sync, up, unsigned)
SHUFFLE(__shfl_down_sync, down, unsigned)
SHUFFLE(__shfl_xor_sync, exclusive_or, int)
#undef SHUFFLE

OPAQUE static inline unsigned __ballot_sync(unsigned mask, int condition) {
    unsigned value = condition != 0;
    shim::exchange(shim::Exchange::ballot, mask, &value, sizeof value, 0, 32, HERE);
    return value;
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }

/* The lanes of the mask that have the same value. */
template <class T> OPAQUE unsigned __match_any_sync(unsigned mask, T value) {
    unsigned alike = 0;
    for (int lane = 0; lane < 32; lane++)
        if (mask >> lane & 1 && __shfl_sync(mask, value, lane) == value) alike |= 1u << lane;
    return alike;
}
#define __any_sync(MASK, CONDITION) (__ballot_sync(MASK, CONDITION) != 0)
#define __all_sync(MASK, CONDITION) (__ballot_sync(MASK, !(CONDITION)) == 0)

/* ---- atomics: return the old value ----------------------------------------------------------- */

#define ATOMIC(NAME, NEW)                                                                          \
    template <class T> OPAQUE T NAME(T *at, T x) {                                                 \
        shim::atomic(at, sizeof *at, HERE);                                                        \
        T old = *at;                                                                               \
        *at = NEW;                                                                                 \
        return old;                                                                                \
    }
ATOMIC(atomicAdd, old + x)
ATOMIC(atomicMax, old > x ? old : x)
ATOMIC(atomicMin, old < x ? old : x)
ATOMIC(atomicOr, old | x)
ATOMIC(atomicAnd, old &x)
ATOMIC(atomicExch, x)
#undef ATOMIC

template <class T> OPAQUE T atomicCAS(T *at, T expected, T x) {
    shim::atomic(at, sizeof *at, HERE);
    T old = *at;
    if (old == expected) *at = x;
    return old;
}

OPAQUE static inline void __trap() { shim::trap(HERE); }

/* ---- memory: hints mean nothing here --------------------------------------------------------- */

template <class T> __forceinline__ T __ldg(const T *p) { return *p; }
template <class T> __forceinline__ T __ldcs(const T *p) { return *p; }
template <class T> __forceinline__ T __ldcg(const T *p) { return *p; }
template <class T> __forceinline__ void __stcs(T *p, T x) { *p = x; }
template <class T> __forceinline__ void __stcg(T *p, T x) { *p = x; }

/* ---- inline PTX: ptx.cpp says which instructions ------------------------------------------- */

OPAQUE static inline size_t __cvta_generic_to_shared(const void *p) {
    return shim::shared_address(p);
}

/* asm("text" : "=f"(x) : "r"(y) : "memory") is rewritten to shim_ptx("text", "=f,r", x, y). */
template <class... T> OPAQUE void shim_ptx(const char *text, const char *constraints, T &&...x) {
    const shim::Operand operands[] = {{(void *)&x, sizeof x}..., {nullptr, 0}};
    shim::ptx(text, constraints, operands, HERE);
}

/* ---- asynchronous copies to shared memory: cp.async under the names of cuda_pipeline.h ------- */

OPAQUE static inline void __pipeline_memcpy_async(void *to, const void *from, size_t size) {
    shim::cp_async(to, from, size, size, HERE);
}
static inline void __pipeline_commit() { shim::commit_async(); }
OPAQUE static inline void __pipeline_wait_prior(size_t pending) {
    shim::wait_async((int)pending, HERE);
}

/* ---- numbers --------------------------------------------------------------------------------- */

template <class To, class From> OPAQUE To shim_bits(From x) {
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To result;
    memcpy(&result, &x, sizeof result);
    return result;
}
static inline float __int_as_float(int x) { return shim_bits<float>(x); }
static inline float __uint_as_float(unsigned x) { return shim_bits<float>(x); }
static inline int __float_as_int(float x) { return shim_bits<int>(x); }
static inline unsigned __float_as_uint(float x) { return shim_bits<unsigned>(x); }
#ifndef _GLIBCXX_CMATH /* C's <math.h> has these of double alone */
#define OF_FLOAT(NAME)                                                                             \
    static inline float NAME(float x) { return NAME##f(x); }
OF_FLOAT(exp)
OF_FLOAT(log)
OF_FLOAT(sqrt)
OF_FLOAT(fabs)
#undef OF_FLOAT
#endif
static inline float rsqrtf(float x) { return (float)(1 / sqrt((double)x)); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }

/* ---- fast functions, which imported headers may call: as exact as the others here ------------- */

#define __expf(x) expf(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __powf(x, y) powf(x, y)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline float __frcp_rn(float x) { return 1 / x; }
static inline float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

#endif
