/* reduce.cuh: reductions and scans over the threads of a row, online softmax. Sections as in
 * types.cuh. */
#pragma once
#include "memory.cuh"
//@BEGIN
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
