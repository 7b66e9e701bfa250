/* Types and helper functions of this file. bf16, f16 and f8 are storage types: they are computed as
 * float, i8 and u8 as int. No include is needed, with nvcc or NVRTC. HOST_DEVICE functions give the
 * same bits on the host and on the device. */

#define DEVICE [[maybe_unused]] static __device__ __forceinline__
#define HOST_DEVICE [[maybe_unused]] static __host__ __device__ __forceinline__

typedef signed char i8;
typedef unsigned char u8;
typedef int i32;
typedef long long i64, idx;
struct bf16 { unsigned short bits; };
struct f16 { unsigned short bits; };
struct f8e4m3 { unsigned char bits; };
struct f8e5m2 { unsigned char bits; };
typedef unsigned char bool_t; /* 0 or 1 */

//@SECTION INFINITY
#ifndef INFINITY /* NVRTC has none */
#define INFINITY __int_as_float(0x7f800000)
#endif

//@SECTION float_bits
HOST_DEVICE unsigned float_bits(float x) {
    union { float value; unsigned bits; } both = {x};
    return both.bits;
}

//@SECTION bits_float
HOST_DEVICE float bits_float(unsigned x) {
    union { unsigned bits; float value; } both = {x};
    return both.value;
}

//@SECTION --
// ---- integer arithmetic: wraps; x / 0 and x % 0 are 0 --------------------------------------

//@SECTION add_wrap
HOST_DEVICE int add_wrap(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
HOST_DEVICE long long add_wrap(long long a, long long b) {
    return (long long)((unsigned long long)a + (unsigned long long)b);
}

//@SECTION sub_wrap
HOST_DEVICE int sub_wrap(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
HOST_DEVICE long long sub_wrap(long long a, long long b) {
    return (long long)((unsigned long long)a - (unsigned long long)b);
}

//@SECTION mul_wrap
HOST_DEVICE int mul_wrap(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
HOST_DEVICE long long mul_wrap(long long a, long long b) {
    return (long long)((unsigned long long)a * (unsigned long long)b);
}

//@SECTION neg_wrap
HOST_DEVICE int neg_wrap(int x) { return (int)(0u - (unsigned)x); }
HOST_DEVICE long long neg_wrap(long long x) { return (long long)(0ull - (unsigned long long)x); }

//@SECTION abs_wrap
HOST_DEVICE int abs_wrap(int x) { return x < 0 ? neg_wrap(x) : x; }
HOST_DEVICE long long abs_wrap(long long x) { return x < 0 ? neg_wrap(x) : x; }

//@SECTION div_trunc
HOST_DEVICE int div_trunc(int a, int b) { return b == 0 ? 0 : b == -1 ? neg_wrap(a) : a / b; }
HOST_DEVICE long long div_trunc(long long a, long long b) {
    return b == 0 ? 0 : b == -1 ? neg_wrap(a) : a / b;
}

//@SECTION mod_trunc
HOST_DEVICE int mod_trunc(int a, int b) { return b == 0 || b == -1 ? 0 : a % b; }
HOST_DEVICE long long mod_trunc(long long a, long long b) {
    return b == 0 || b == -1 ? 0 : a % b;
}
HOST_DEVICE float mod_trunc(float a, float b) { return fmodf(a, b); }
HOST_DEVICE double mod_trunc(double a, double b) { return fmod(a, b); }

//@SECTION pow_int
/* By squaring. A negative exponent means 1 / a**-b, truncated: 0 unless a is 1 or -1. */
HOST_DEVICE long long pow_int(long long a, long long b) {
    if (b < 0) return a == 1 || (a == -1 && !(b & 1)) ? 1 : a == -1 ? -1 : 0;
    unsigned long long power = 1, square = (unsigned long long)a;
    for (; b; b >>= 1, square *= square)
        if (b & 1) power *= square;
    return (long long)power;
}
HOST_DEVICE int pow_int(int a, int b) { return (int)pow_int((long long)a, (long long)b); }

//@SECTION --
// ---- sign, max and min: NaN in, NaN out ----------------------------------------------------

//@SECTION sign_of
HOST_DEVICE int sign_of(int x) { return (x > 0) - (x < 0); }
HOST_DEVICE long long sign_of(long long x) { return (x > 0) - (x < 0); }
HOST_DEVICE float sign_of(float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : x; }
HOST_DEVICE double sign_of(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

//@SECTION max_nan
HOST_DEVICE float max_nan(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float most;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(a), "f"(b));
    return most;
#else
    return a > b || a != a ? a : b;
#endif
}
HOST_DEVICE double max_nan(double a, double b) { return a > b || a != a ? a : b; }
HOST_DEVICE int max_nan(int a, int b) { return a > b ? a : b; }
HOST_DEVICE long long max_nan(long long a, long long b) { return a > b ? a : b; }

//@SECTION min_nan
HOST_DEVICE float min_nan(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float least;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
    return least;
#else
    return a < b || a != a ? a : b;
#endif
}
HOST_DEVICE double min_nan(double a, double b) { return a < b || a != a ? a : b; }
HOST_DEVICE int min_nan(int a, int b) { return a < b ? a : b; }
HOST_DEVICE long long min_nan(long long a, long long b) { return a < b ? a : b; }

//@SECTION --
// ---- to integers: truncate and saturate, NaN to 0; from integers: wrap ----------------------

//@SECTION i32_of
HOST_DEVICE int i32_of(float x) {
    if (x != x) return 0;
    return x >= 2147483648.0f ? 0x7fffffff : x < -2147483648.0f ? -0x7fffffff - 1 : (int)x;
}
HOST_DEVICE int i32_of(double x) {
    if (x != x) return 0;
    return x >= 2147483648.0 ? 0x7fffffff : x <= -2147483649.0 ? -0x7fffffff - 1 : (int)x;
}
HOST_DEVICE int i32_of(int x) { return x; }
HOST_DEVICE int i32_of(long long x) { return (int)x; }
HOST_DEVICE int i32_of(bool x) { return x; }

//@SECTION i64_of
HOST_DEVICE long long i64_of(double x) {
    if (x != x) return 0;
    return x >= 9223372036854775808.0    ? 0x7fffffffffffffffll
           : x < -9223372036854775808.0 ? -0x7fffffffffffffffll - 1
                                        : (long long)x;
}
HOST_DEVICE long long i64_of(float x) { return i64_of((double)x); }
HOST_DEVICE long long i64_of(int x) { return x; }
HOST_DEVICE long long i64_of(long long x) { return x; }
HOST_DEVICE long long i64_of(bool x) { return x; }

//@SECTION i8_of
HOST_DEVICE int i8_of(float x) { return x < 127 ? x > -128 ? (int)x : -128 : x >= 127 ? 127 : 0; }
HOST_DEVICE int i8_of(double x) { return x < 127 ? x > -128 ? (int)x : -128 : x >= 127 ? 127 : 0; }
HOST_DEVICE int i8_of(int x) { return (signed char)x; }
HOST_DEVICE int i8_of(long long x) { return (signed char)x; }
HOST_DEVICE int i8_of(bool x) { return x; }

//@SECTION u8_of
HOST_DEVICE int u8_of(float x) { return x < 255 ? x > 0 ? (int)x : 0 : x >= 255 ? 255 : 0; }
HOST_DEVICE int u8_of(double x) { return x < 255 ? x > 0 ? (int)x : 0 : x >= 255 ? 255 : 0; }
HOST_DEVICE int u8_of(int x) { return (unsigned char)x; }
HOST_DEVICE int u8_of(long long x) { return (unsigned char)x; }
HOST_DEVICE int u8_of(bool x) { return x; }

//@SECTION --
// ---- narrow floats: to nearest, ties to even -----------------------------------------------

//@SECTION odd_float
/* double to float rounded to odd: where bits are lost the last kept bit is 1, so that rounding
 * the result once more, to at most 22 bits, gives what rounding x at once would (Boldo &
 * Melquiond). */
HOST_DEVICE float odd_float(double x) {
    float nearest = (float)x;
    double back = nearest, away = x < 0 ? x - back : back - x;
    return bits_float((float_bits(nearest) - (away > 0)) | (back != x));
}

//@SECTION encode_narrow
/* The bits of x as a float of `keep` bits of fraction, of this exponent bias: everything above
 * `most` becomes `over`, NaN becomes `nan`. Small numbers are rounded by adding a power of two
 * whose last place is the smallest number there is. */
HOST_DEVICE unsigned encode_narrow(float x, int keep, int bias, unsigned most, unsigned over,
                                   unsigned nan) {
    unsigned bits = float_bits(x) & 0x7fffffffu, drop = 23 - keep, code;
    if (bits > 0x7f800000u) return nan;
    if (bits < (128u - bias) << 23) {
        unsigned one = (128u - bias + drop) << 23;
        code = float_bits(bits_float(bits) + bits_float(one)) - one;
    } else {
        code = ((bits + ((1u << (drop - 1)) - 1) + ((bits >> drop) & 1)) >> drop) -
               ((127u - bias) << keep);
    }
    return code > most ? over : code;
}

//@SECTION decode_narrow
/* The finite number of those bits, sign aside. */
HOST_DEVICE float decode_narrow(unsigned code, int keep, int bias) {
    float normal = bits_float((code << (23 - keep)) + ((127u - bias) << 23));
    float tiny = (float)(int)code * bits_float((128u - bias - keep) << 23);
    return code >> keep ? normal : tiny;
}

//@SECTION from_bf16
HOST_DEVICE float from_bf16(bf16 x) { return bits_float((unsigned)x.bits << 16); }

//@SECTION to_bf16
HOST_DEVICE bf16 to_bf16(float x) {
    bf16 result;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
#else
    unsigned bits = float_bits(x);
    result.bits = (unsigned short)(x != x ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
#endif
    return result;
}

//@SECTION to_bf16x2
/* Two at once, `low` at the lower address. */
HOST_DEVICE unsigned to_bf16x2(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
#else
    return to_bf16(low).bits | (unsigned)to_bf16(high).bits << 16;
#endif
}

//@SECTION from_f16
HOST_DEVICE float from_f16(f16 x) {
#ifdef __CUDA_ARCH__
    float result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
    return result;
#else
    unsigned code = x.bits & 0x7fffu, sign = (x.bits & 0x8000u) << 16;
    unsigned special = code >= 0x7c00u ? 0x7f800000u : 0;
    return bits_float(float_bits(decode_narrow(code, 10, 15)) | special | sign);
#endif
}

//@SECTION to_f16
HOST_DEVICE f16 to_f16(float x) {
    f16 result;
#ifdef __CUDA_ARCH__
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
#else
    unsigned code = encode_narrow(x, 10, 15, 0x7bff, 0x7c00, 0x7fff);
    result.bits = (unsigned short)(code | (float_bits(x) >> 31 << 15));
#endif
    return result;
}

//@SECTION to_f16x2
HOST_DEVICE unsigned to_f16x2(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
#else
    return to_f16(low).bits | (unsigned)to_f16(high).bits << 16;
#endif
}

//@SECTION from_f8e4m3
HOST_DEVICE float from_f8e4m3(f8e4m3 x) {
    unsigned code = x.bits & 0x7fu, sign = (x.bits & 0x80u) << 24;
    unsigned nan = code == 0x7fu ? 0x7fc00000u : 0;
    return bits_float(float_bits(decode_narrow(code, 3, 7)) | nan | sign);
}

//@SECTION to_f8e4m3
/* OCP FP8 "FN": no infinity; beyond 448 is NaN. */
HOST_DEVICE f8e4m3 to_f8e4m3(float x) {
    unsigned code = encode_narrow(x, 3, 7, 0x7e, 0x7f, 0x7f);
    f8e4m3 result = {(unsigned char)(code | (float_bits(x) >> 31 << 7))};
    return result;
}

//@SECTION from_f8e5m2
HOST_DEVICE float from_f8e5m2(f8e5m2 x) {
    unsigned code = x.bits & 0x7fu, sign = (x.bits & 0x80u) << 24;
    unsigned special = code >= 0x7cu ? 0x7f800000u : 0;
    return bits_float(float_bits(decode_narrow(code, 2, 15)) | special | sign);
}

//@SECTION to_f8e5m2
HOST_DEVICE f8e5m2 to_f8e5m2(float x) {
    unsigned code = encode_narrow(x, 2, 15, 0x7b, 0x7c, 0x7f);
    f8e5m2 result = {(unsigned char)(code | (float_bits(x) >> 31 << 7))};
    return result;
}

//@SECTION round_bf16
HOST_DEVICE float round_bf16(float x) { return from_bf16(to_bf16(x)); }

//@SECTION round_f16
HOST_DEVICE float round_f16(float x) { return from_f16(to_f16(x)); }

//@SECTION round_f8e4m3
HOST_DEVICE float round_f8e4m3(float x) { return from_f8e4m3(to_f8e4m3(x)); }

//@SECTION round_f8e5m2
HOST_DEVICE float round_f8e5m2(float x) { return from_f8e5m2(to_f8e5m2(x)); }

//@SECTION round_bf16_f64
HOST_DEVICE float round_bf16_f64(double x) { return round_bf16(odd_float(x)); }

//@SECTION round_f16_f64
HOST_DEVICE float round_f16_f64(double x) { return round_f16(odd_float(x)); }

//@SECTION round_f8e4m3_f64
HOST_DEVICE float round_f8e4m3_f64(double x) { return round_f8e4m3(odd_float(x)); }

//@SECTION round_f8e5m2_f64
HOST_DEVICE float round_f8e5m2_f64(double x) { return round_f8e5m2(odd_float(x)); }

//@SECTION --
// ---- memory: up to 16 bytes in one access --------------------------------------------------

//@SECTION Pack
template <class T, int N> struct alignas(sizeof(T) * N) Pack { T at[N]; };

//@SECTION Word
/* The register type that is loaded and stored as BYTES bytes in one access. */
template <int BYTES> struct Word;
template <> struct Word<1> { typedef unsigned char type; };
template <> struct Word<2> { typedef unsigned short type; };
template <> struct Word<4> { typedef unsigned type; };
template <> struct Word<8> { typedef uint2 type; };
template <> struct Word<16> { typedef uint4 type; };

//@SECTION load_pack
/* One vector load; p must be aligned to the size of the pack: load_pack<8>(x + 8 * i). */
template <int N, class T> DEVICE Pack<T, N> load_pack(const T *p) {
    union { typename Word<sizeof(T) * N>::type word; Pack<T, N> pack; } both;
    both.word = *(const typename Word<sizeof(T) * N>::type *)p;
    return both.pack;
}

//@SECTION store_pack
template <int N, class T> DEVICE void store_pack(T *p, const Pack<T, N> &pack) {
    union { typename Word<sizeof(T) * N>::type word; Pack<T, N> pack; } both;
    both.pack = pack;
    *(typename Word<sizeof(T) * N>::type *)p = both.word;
}

//@SECTION stream_pack
/* store_pack with the streaming cache hint: the data is not read again soon. */
template <int N, class T> DEVICE void stream_pack(T *p, const Pack<T, N> &pack) {
    union { typename Word<sizeof(T) * N>::type word; Pack<T, N> pack; } both;
    both.pack = pack;
    __stcs((typename Word<sizeof(T) * N>::type *)p, both.word);
}

//@SECTION is_aligned
DEVICE bool is_aligned(const void *p, unsigned bytes) { return (unsigned long long)p % bytes == 0; }

//@SECTION clamp_index
/* An index out of range becomes the nearest valid one. */
DEVICE int clamp_index(int at, idx extent) {
    return at < 0 ? 0 : at < extent ? at : (int)(extent - 1);
}
DEVICE long long clamp_index(long long at, idx extent) {
    return at < 0 ? 0 : at < extent ? at : extent - 1;
}

//@SECTION --
// ---- reductions ----------------------------------------------------------------------------

//@SECTION Sum
struct Sum {
    template <class T> DEVICE T identity(T) { return T(0); }
    DEVICE float of(float a, float b) { return a + b; }
    DEVICE double of(double a, double b) { return a + b; }
    DEVICE int of(int a, int b) { return add_wrap(a, b); }
    DEVICE long long of(long long a, long long b) { return add_wrap(a, b); }
};

//@SECTION Prod
struct Prod {
    template <class T> DEVICE T identity(T) { return T(1); }
    DEVICE float of(float a, float b) { return a * b; }
    DEVICE double of(double a, double b) { return a * b; }
    DEVICE int of(int a, int b) { return mul_wrap(a, b); }
    DEVICE long long of(long long a, long long b) { return mul_wrap(a, b); }
};

//@SECTION Max
struct Max {
    DEVICE float identity(float) { return -INFINITY; }
    DEVICE double identity(double) { return -INFINITY; }
    DEVICE int identity(int) { return -0x7fffffff - 1; }
    DEVICE long long identity(long long) { return -0x7fffffffffffffffll - 1; }
    template <class T> DEVICE T of(T a, T b) { return max_nan(a, b); }
};

//@SECTION Min
struct Min {
    DEVICE float identity(float) { return INFINITY; }
    DEVICE double identity(double) { return INFINITY; }
    DEVICE int identity(int) { return 0x7fffffff; }
    DEVICE long long identity(long long) { return 0x7fffffffffffffffll; }
    template <class T> DEVICE T of(T a, T b) { return min_nan(a, b); }
};

//@SECTION Any
struct Any {
    DEVICE int identity(int) { return 0; }
    DEVICE int of(int a, int b) { return a | b; }
};

//@SECTION All
struct All {
    DEVICE int identity(int) { return 1; }
    DEVICE int of(int a, int b) { return a & b; }
};

//@SECTION Best
/* A value and its index. */
template <class T> struct Best {
    T value;
    int at;
};

//@SECTION is_better
/* NaN wins over numbers, larger over smaller, and the smaller index among equals. */
template <class T> DEVICE bool is_better(T x, int at, const Best<T> &best) {
    bool nan = x != x, known = best.value != best.value;
    return nan != known ? nan : x > best.value || ((nan || x == best.value) && at < best.at);
}

//@SECTION ArgMax
struct ArgMax {
    template <class T> DEVICE Best<T> identity(const Best<T> &) {
        return {Max::identity(T()), 0x7fffffff};
    }
    template <class T> DEVICE Best<T> of(const Best<T> &a, const Best<T> &b) {
        return is_better(b.value, b.at, a) ? b : a;
    }
};

//@SECTION shuffle_xor
/* The x of lane (own lane ^ far). */
template <class T> DEVICE T shuffle_xor(const T &x, int far) {
    return __shfl_xor_sync(0xffffffffu, x, far);
}
template <class T> DEVICE Best<T> shuffle_xor(const Best<T> &x, int far) {
    return {shuffle_xor(x.value, far), shuffle_xor(x.at, far)};
}

//@SECTION warp_reduce
/* Reduces over aligned groups of WIDTH lanes; all lanes of the warp take part, and every lane gets
 * the result. */
template <class Op, int WIDTH = 32, class T> DEVICE T warp_reduce(T x) {
#pragma unroll
    for (int far = WIDTH / 2; far > 0; far /= 2)
        x = Op::of(x, shuffle_xor(x, far));
    return x;
}

//@SECTION block_reduce
/* Reduces over the blockDim.x threads of a row: one warp or the whole block. Every thread gets the
 * result. */
template <class Op, class T> DEVICE T block_reduce(T x) {
    __shared__ T part[32];
    int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    x = warp_reduce<Op>(x);
    if (warps == 1) return x;
    __syncthreads(); /* `part` may still be read by an earlier call */
    if (lane == 0) part[threadIdx.x / 32] = x;
    __syncthreads();
    return warp_reduce<Op>(lane < warps ? part[lane] : Op::identity(x));
}

//@SECTION column_reduce
/* Reduces over SPLIT threads that are LANES apart; every thread gets the result. */
template <class Op, int LANES, int SPLIT, class T> DEVICE T column_reduce(T x) {
    __shared__ T part[SPLIT][LANES];
    int lane = threadIdx.x % LANES;
    __syncthreads(); /* `part` may still be read by an earlier call */
    part[threadIdx.x / LANES][lane] = x;
    __syncthreads();
    x = part[0][lane];
#pragma unroll
    for (int i = 1; i < SPLIT; i++) x = Op::of(x, part[i][lane]);
    return x;
}

//@SECTION --
// ---- inclusive scans: x becomes carry + the sum of x up to this thread; carry becomes the total -

//@SECTION warp_scan
template <int WIDTH, class T> DEVICE T warp_scan(T x, T &carry) {
    int lane = threadIdx.x % WIDTH;
#pragma unroll
    for (int far = 1; far < WIDTH; far *= 2) {
        T before = __shfl_up_sync(0xffffffffu, x, far, WIDTH);
        if (lane >= far) x = Sum::of(before, x);
    }
    x = Sum::of(carry, x);
    carry = __shfl_sync(0xffffffffu, x, WIDTH - 1, WIDTH);
    return x;
}

//@SECTION block_scan
/* Scans over the blockDim.x threads of a row: one warp or the whole block. */
template <class T> DEVICE T block_scan(T x, T &carry) {
    __shared__ T part[32];
    int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    if (warps == 1) return warp_scan<32>(x, carry);
    T total = T(0), before = carry;
    x = warp_scan<32>(x, total);
    __syncthreads(); /* `part` may still be read by an earlier call */
    if (threadIdx.x % 32 == 0) part[warp] = total;
    __syncthreads();
    for (int i = 0; i < warps; i++) {
        if (i < warp) before = Sum::of(before, part[i]);
        carry = Sum::of(carry, part[i]);
    }
    return Sum::of(before, x);
}

//@SECTION --
// ---- online softmax: max and sum of exp(x - max) in one pass (Milakov & Gimelshein, 2018) ----

//@SECTION online_base
/* The value that exponents are relative to: the maximum, or 0 while everything is -Inf. */
DEVICE float online_base(float most) { return most == -INFINITY ? 0.0f : most; }

//@SECTION online_step
/* Adds the elements of x to the running maximum and sum; the sum is rescaled once. */
template <int N> DEVICE void online_step(float &most, float &sum, const Pack<float, N> &x) {
    float top = most;
#pragma unroll
    for (int i = 0; i < N; i++) top = max_nan(top, x.at[i]);
    const float base = online_base(top);
    sum *= exp(most - base);
#pragma unroll
    for (int i = 0; i < N; i++) sum += exp(x.at[i] - base);
    most = top;
}

//@SECTION online_scale
/* The factor that turns a sum relative to `own` into one relative to the maximum of all threads. */
DEVICE float online_scale(float sum, float own, float most) {
    return sum * exp(own - online_base(most));
}

//@SECTION --
// ---- tensor cores: the instructions of sm_80 and later, by their names ----------------------

//@SECTION shared_address
DEVICE unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

//@SECTION copy_async
/* Starts an asynchronous copy of 16 bytes to shared memory that bypasses L1; both addresses are
 * aligned. If !inside, zeros are written and nothing is read. This thread sees the bytes once it
 * has waited for the group that the copy was committed to; other threads after the next barrier. */
DEVICE void copy_async(void *to, const void *from, bool inside = true) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"(shared_address(to)), "l"(from), "r"(inside ? 16 : 0) : "memory");
}

//@SECTION copy_commit
/* Commits the copies that this thread has started since the last commit as a group. */
DEVICE void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

//@SECTION copy_wait
/* Waits until at most the last PENDING groups are in flight. */
template <int PENDING> DEVICE void copy_wait() {
    asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory");
}

//@SECTION swizzled
/* The byte offset of a 16-byte chunk in a tile whose rows have ROW_BYTES bytes: 64 or a multiple of
 * 128. Chunks are permuted by row, so that one column of eight rows is free of bank conflicts. */
template <int ROW_BYTES> DEVICE int swizzled(int row, int chunk) {
    return row * ROW_BYTES + ((chunk ^ (ROW_BYTES == 64 ? row >> 1 & 3 : row & 7)) << 4);
}

//@SECTION ldmatrix_x4
/* Loads four matrices of 8 rows of 16 bytes. Lane l gives the address of row l % 8 of matrix l / 8,
 * and receives from each matrix the 4 bytes at 4 * (l % 4) of row l / 4. */
DEVICE void ldmatrix_x4(unsigned &r0, unsigned &r1, unsigned &r2, unsigned &r3, const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(shared_address(row)) : "memory");
}

//@SECTION ldmatrix_x4_trans
/* The same, with matrices of 8 x 8 16-bit elements transposed: lane l receives rows 2 * (l % 4) and
 * 2 * (l % 4) + 1 of column l / 4. */
DEVICE void ldmatrix_x4_trans(unsigned &r0, unsigned &r1, unsigned &r2, unsigned &r3,
                              const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(shared_address(row)) : "memory");
}

//@SECTION ldmatrix_x2
/* Loads two matrices: lanes 0 to 15 give the addresses of their rows. */
DEVICE void ldmatrix_x2(unsigned &r0, unsigned &r1, const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r0), "=r"(r1) : "r"(shared_address(row)) : "memory");
}

//@SECTION ldmatrix_x2_trans
DEVICE void ldmatrix_x2_trans(unsigned &r0, unsigned &r1, const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r0), "=r"(r1) : "r"(shared_address(row)) : "memory");
}

//@SECTION --
/* d += a b of a warp: a has 16 rows, b 8 columns, and a row of a and a column of b are 32 bytes.
 * With g = lane / 4 and t = lane % 4, a thread holds
 *
 *   a[0], a[1]   of rows g and g + 8: bytes 4 t to 4 t + 3       a[2], a[3]   16 bytes on
 *   b[0]         of column g: bytes 4 t to 4 t + 3               b[1]         16 bytes on
 *   d[0], d[1]   of row g: columns 2 t and 2 t + 1               d[2], d[3]   of row g + 8
 */

//@SECTION mma_bf16
DEVICE void mma_bf16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_f16
DEVICE void mma_f16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_tf32
/* The last 13 bits of what a and b hold as float are ignored. */
DEVICE void mma_tf32(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_i8
/* Sums wrap. */
DEVICE void mma_i8(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_f8e4m3
/* sm_89 and later. */
DEVICE void mma_f8e4m3(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION mma_f8e5m2
/* sm_89 and later. */
DEVICE void mma_f8e5m2(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

//@SECTION renewed
/* x, of 32 bits; but the compiler does not know, and what is computed from it is not kept. */
template <class T> DEVICE T renewed(T x) {
    asm volatile("" : "+r"(x));
    return x;
}

//@SECTION to_tf32
/* To nearest, ties away from zero, as the bits of a float. */
DEVICE unsigned to_tf32(float x) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

//@SECTION round_tf32
template <int N> DEVICE void round_tf32(unsigned (&x)[N]) {
#pragma unroll
    for (int i = 0; i < N; i++) x[i] = to_tf32(bits_float(x[i]));
}

//@SECTION split_bf16
/* x and y as sums of bf16 numbers, the largest first; term[i][AT] has those of both. */
template <int AT, int TERMS, int WORDS>
DEVICE void split_bf16(unsigned (&term)[TERMS][WORDS], unsigned x, unsigned y) {
    float low = bits_float(x), high = bits_float(y);
#pragma unroll
    for (int i = 0; i < TERMS; i++) {
        const unsigned both = to_bf16x2(low, high);
        term[i][AT] = both;
        low -= bits_float(both << 16);
        high -= bits_float(both & 0xffff0000u);
    }
}

//@SECTION split_left
/* Fragments of 16 x 16 f32 numbers, as ldmatrix loads them, as fragments of bf16. Along k, numbers
 * come in another order: the same for both operands. */
template <int TERMS>
DEVICE void split_left(unsigned (&term)[TERMS][4], const unsigned (&x)[8]) {
    split_bf16<0>(term, x[0], x[2]);
    split_bf16<1>(term, x[1], x[3]);
    split_bf16<2>(term, x[4], x[6]);
    split_bf16<3>(term, x[5], x[7]);
}

//@SECTION split_right
template <int TERMS>
DEVICE void split_right(unsigned (&term)[TERMS][2], const unsigned (&x)[4]) {
    split_bf16<0>(term, x[0], x[1]);
    split_bf16<1>(term, x[2], x[3]);
}

//@SECTION copy_chunk
/* 16 bytes to shared memory, of which the first `count` elements are inside, and the others become
 * 0. WIDE: `from` is aligned, all or none are inside, and copy_async takes them. */
template <bool WIDE, class T> DEVICE void copy_chunk(void *to, const T *from, int count) {
    constexpr int N = 16 / sizeof(T);
    if constexpr (WIDE) {
        copy_async(to, from, count > 0);
    } else {
        Pack<T, N> chunk = {};
#pragma unroll
        for (int i = 0; i < N; i++)
            if (i < count) chunk.at[i] = from[i];
        store_pack((T *)to, chunk);
    }
}

//@SECTION load_sums
/* N neighbours in shared memory, which are 16-byte aligned if N is at least 4. */
template <int N, class T> DEVICE Pack<T, N> load_sums(const T *from) {
    constexpr int EACH = N < 4 ? N : 4;
    Pack<T, N> sums;
#pragma unroll
    for (int i = 0; i < N; i += EACH) {
        const Pack<T, EACH> part = load_pack<EACH>(from + i);
#pragma unroll
        for (int l = 0; l < EACH; l++) sums.at[i + l] = part.at[l];
    }
    return sums;
}

//@SECTION --
// ---- sm_90a: TMA, mbarriers, wgmma -----------------------------------------------------------

//@SECTION TensorMap
/* A TMA descriptor (CUtensorMap) of a tensor; tensor_map makes it on the host. */
struct alignas(64) TensorMap { unsigned char bytes[128]; };

//@SECTION Barrier
/* An mbarrier in shared memory. A phase completes when the number of arrivals given to barrier_init
 * and all expected bytes have arrived. */
struct Barrier { unsigned long long state; };

//@SECTION barrier_init
DEVICE void barrier_init(Barrier *barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

//@SECTION fence_barriers
/* Makes barrier_init visible to TMA and, after the next __syncthreads, to all threads. */
DEVICE void fence_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

//@SECTION barrier_arrive
DEVICE void barrier_arrive(Barrier *barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
                 :: "r"(shared_address(barrier)) : "memory");
}

//@SECTION barrier_expect
/* Arrives, and adds bytes that TMA will write to what the phase waits for. */
DEVICE void barrier_expect(Barrier *barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(bytes) : "memory");
}

//@SECTION barrier_wait
/* Waits until the phase of the given parity has completed. Phases have parity 0, 1, 0, ..; a wait
 * for parity 1 on a fresh barrier returns at once. */
DEVICE void barrier_wait(Barrier *barrier, unsigned parity) {
    unsigned done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    } while (!done);
}

//@SECTION Ring
/* The current stage of a pipeline, and the parity of its barriers' current phase. */
template <int SLOTS> struct Ring {
    int slot = 0;
    unsigned parity = 0;
    __device__ __forceinline__ void step() {
        if (++slot == SLOTS) slot = 0, parity ^= 1;
    }
};

//@SECTION copy_tensor
/* Starts a TMA load of the box at x, y, z (x is contiguous in memory) to shared memory. Elements
 * outside of the tensor are zero; the barrier counts the bytes of the whole box in any case. */
DEVICE void copy_tensor(void *to, const TensorMap *map, Barrier *barrier, int x, int y, int z) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(shared_address(to)), "l"(map), "r"(x), "r"(y), "r"(z),
                    "r"(shared_address(barrier)) : "memory");
}

//@SECTION fence_async
/* Makes this thread's stores to shared memory visible to wgmma and TMA after the next barrier. */
DEVICE void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

//@SECTION slot_descriptor
/* The matrix descriptor of a wgmma operand with the 128-byte swizzle; its tile is 1024-byte
 * aligned. K-major operands ignore `next`; for MN-major ones it is the distance in bytes to the
 * next 64 elements of the same k. */
DEVICE unsigned long long slot_descriptor(const void *at, int next) {
    const unsigned long long address = shared_address(at) >> 4 & 0x3fff, eight_rows = 1024 >> 4;
    return address | (unsigned long long)(next >> 4) << 16 | eight_rows << 32 | 1ull << 62;
}

//@SECTION wgmma_fence
/* Needed before the first wgmma and after any other access to its accumulator registers. */
DEVICE void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

//@SECTION wgmma_commit
/* Commits the wgmmas that were issued since the last commit as a group. */
DEVICE void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

//@SECTION wgmma_wait
/* Waits until at most the last PENDING groups are in flight. */
template <int PENDING> DEVICE void wgmma_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(PENDING) : "memory");
}

//@SECTION wgmma_done
/* Registers of sums that wgmma_wait has waited for: the compiler reads them no earlier. */
template <int N> DEVICE void wgmma_done(float (&sum)[N]) {
#pragma unroll
    for (int i = 0; i < N; i++) asm volatile("" : "+f"(sum[i]) :: "memory");
}

//@SECTION named_wait
/* Until all `threads` of a block that share the barrier of this number, 1 to 15, are here or have
 * said named_arrive. */
DEVICE void named_wait(int number, int threads) {
    asm volatile("barrier.cta.sync %0, %1;" :: "r"(number), "r"(threads) : "memory");
}

//@SECTION named_arrive
DEVICE void named_arrive(int number, int threads) {
    asm volatile("barrier.cta.arrive %0, %1;" :: "r"(number), "r"(threads) : "memory");
}

//@SECTION setmaxnreg_decrease
/* Releases registers: each thread of this warpgroup keeps COUNT. */
template <int COUNT> DEVICE void setmaxnreg_decrease() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(COUNT));
}

//@SECTION setmaxnreg_increase
/* Raises the registers of each thread of this warpgroup to COUNT; waits until they are free. */
template <int COUNT> DEVICE void setmaxnreg_increase() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(COUNT));
}

//@SECTION exp2_approx
/* 2 to the power of x, within 2 ulp; subnormal inputs and results are flushed to 0. */
DEVICE float exp2_approx(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

//@SECTION --
// ---- launches ------------------------------------------------------------------------------

//@SECTION ceil_div
HOST_DEVICE long long ceil_div(long long a, long long b) { return (a + b - 1) / b; }

//@SECTION tensor_map
#ifndef __CUDACC_RTC__
/* Encodes the TMA descriptor of a tensor of three axes, innermost first and contiguous; `stride` is
 * that of the two others in bytes, `type` a CUtensorMapDataType. Boxes have inner rows of 128 bytes
 * with the 128-byte swizzle. If an address or stride is no multiple of 16 bytes the descriptor
 * stays empty: the kernel then copies element by element. */
[[maybe_unused]] static cudaError_t tensor_map(TensorMap *map, int type, const void *at,
                                               const long long (&extent)[3],
                                               const long long (&stride)[2], int box_x, int box_y) {
    typedef int Encode(void *, int, unsigned, void *, const unsigned long long *,
                       const unsigned long long *, const unsigned *, const unsigned *, int, int,
                       int, int);
    enum { SINCE = 12000, PLAIN = 0, SWIZZLE_128 = 3, FETCH_256 = 3, ZEROS = 0 };
    static Encode *encode;
    if ((unsigned long long)at % 16 || stride[0] % 16 || stride[1] % 16) return cudaSuccess;
    if (!encode) {
        void *found = nullptr;
        cudaDriverEntryPointQueryResult result;
        const cudaError_t status = cudaGetDriverEntryPointByVersion(
            "cuTensorMapEncodeTiled", &found, SINCE, cudaEnableDefault, &result);
        if (status) return status;
        if (!found) return cudaErrorNotSupported;
        encode = (Encode *)found;
    }
    const unsigned long long size[] = {(unsigned long long)extent[0], (unsigned long long)extent[1],
                                       (unsigned long long)extent[2]};
    const unsigned long long step[] = {(unsigned long long)stride[0],
                                       (unsigned long long)stride[1]};
    const unsigned box[] = {(unsigned)box_x, (unsigned)box_y, 1}, each[] = {1, 1, 1};
    return (cudaError_t)encode(map, type, 3, (void *)at, size, step, box, each, PLAIN, SWIZZLE_128,
                               FETCH_256, ZEROS);
}
#endif
