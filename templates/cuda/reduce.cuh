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

//@SECTION shuffle_xor
/* The x of lane (own lane ^ far). */
template <class T> DEVICE T shuffle_xor(const T &x, int far) {
    return __shfl_xor_sync(0xffffffffu, x, far);
}

//@SECTION Best
/* A value and its index. */
template <class T> struct Best {
    T value;
    int at;
};

template <class T> DEVICE Best<T> shuffle_xor(const Best<T> &x, int far) {
    return {shuffle_xor(x.value, far), shuffle_xor(x.at, far)};
}

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
    /* Of the elements of one thread, whose positions ascend. */
    template <class T, class X> DEVICE void step(Best<T> &best, X element, int at) {
        const T x = element;
        if (!(x <= best.value) && best.value == best.value) best = {x, at};
    }
    /* Of an element at any position. */
    template <class T, class X> DEVICE void add(Best<T> &best, X element, int at) {
        Best<T> one = identity(best);
        step(one, element, at);
        best = of(best, one);
    }
    /* Where no step found more than the identity, all elements are equal to it. */
    template <class T> DEVICE int position(const Best<T> &best) {
        return best.at == 0x7fffffff ? 0 : best.at;
    }
};

//@SECTION warp_reduce
/* Reduces over aligned groups of WIDTH lanes; all lanes of the warp take part, and every lane gets
 * the result. */
template <class Op, int WIDTH = 32, class T> DEVICE T warp_reduce(T x) {
#pragma unroll
    for (int far = WIDTH / 2; far > 0; far /= 2)
        x = Op::of(x, shuffle_xor(x, far));
    return x;
}

//@SECTION warp_reduce_each
/* Reduces each of N values over a warp: their shuffles take turns. */
template <class Op, int N, class T> DEVICE void warp_reduce_each(T (&x)[N]) {
#pragma unroll
    for (int far = 16; far > 0; far /= 2)
#pragma unroll
        for (int i = 0; i < N; i++) x[i] = Op::of(x[i], shuffle_xor(x[i], far));
}

//@SECTION block_reduce
/* Reduces each x over the blockDim.x threads of a row: one warp or the whole block. Every thread
 * gets the results. Calls that no barrier separates differ in CALL, and so in memory. */
template <class Op, int CALL, class T, class... Same>
DEVICE void block_reduce(T &x, Same &...more) {
    constexpr int count = 1 + sizeof...(more);
    __shared__ T part[count][32];
    const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    T all[count] = {x, more...};
    warp_reduce_each<Op>(all);
    if (warps > 1) {
#pragma unroll
        for (int i = 0; i < count; i++)
            if (lane == 0) part[i][threadIdx.x / 32] = all[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < count; i++) all[i] = lane < warps ? part[i][lane] : Op::identity(x);
        warp_reduce_each<Op>(all);
    }
    int i = 0;
    x = all[i++];
    ((more = all[i++]), ...);
}

//@SECTION group_reduce
/* Reduces over aligned groups of LANES of the THREADS threads of a row, or over all of these; every
 * lane gets the result. More than a warp are a whole block. All threads take part. Calls differ in
 * CALL, and so in memory. */
template <class Op, int CALL, int LANES, int THREADS, class T> DEVICE T group_reduce(T x) {
    constexpr int lanes = LANES < THREADS ? LANES : THREADS;
    if constexpr (lanes <= 32) {
        return warp_reduce<Op, lanes>(x);
    } else {
        constexpr int warps = lanes / 32;
        __shared__ T part[THREADS / 32];
        const int warp = threadIdx.x / 32, first = warp / warps * warps;
        x = warp_reduce<Op>(x);
        __syncthreads(); /* `part` may still be read for the group before */
        if (threadIdx.x % 32 == 0) part[warp] = x;
        __syncthreads();
        x = part[first];
#pragma unroll
        for (int i = 1; i < warps; i++) x = Op::of(x, part[first + i]);
        return x;
    }
}

//@SECTION group_column
/* The column at a position in groups of COLUMNS with padding to PADDED; beyond any row: there is
 * none. */
template <int COLUMNS, int PADDED> DEVICE int group_column(int at) {
    const int col = at % PADDED;
    return col < COLUMNS ? at / PADDED * COLUMNS + col : 0x7fffffff;
}

//@SECTION warp_best
/* The largest value of WIDTH lanes, and the first of its positions; every lane gets them. */
template <int WIDTH = 32, class T> DEVICE Best<T> warp_best(const Best<T> &x) {
    const T most = warp_reduce<Max, WIDTH>(x.value);
    const bool is_most = x.value == most || x.value != x.value;
    return {most, warp_reduce<Min, WIDTH>(is_most ? x.at : 0x7fffffff)};
}

//@SECTION block_best
/* The same over the blockDim.x threads of a row: one warp or the whole block. Calls that no barrier
 * separates differ in CALL, and so in memory. */
template <int CALL, class T> DEVICE void block_best(Best<T> &x) {
    __shared__ Best<T> part[32];
    const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    x = warp_best(x);
    if (warps == 1) return;
    if (lane == 0) part[threadIdx.x / 32] = x;
    __syncthreads();
    x = warp_best(lane < warps ? part[lane] : ArgMax::identity(x));
}

//@SECTION column_reduce
/* Reduces over SPLIT threads that are LANES apart; every thread gets the result. */
template <class Op, int LANES, int SPLIT, class T> DEVICE T column_reduce(T x) {
    __shared__ T part[SPLIT][LANES];
    const int lane = threadIdx.x % LANES, own = threadIdx.x / LANES;
    __syncthreads(); /* `part` may still be read by an earlier call */
    part[own][lane] = x;
#pragma unroll
    for (int rest = SPLIT; rest > 1; rest = (rest + 1) / 2) {
        const int half = (rest + 1) / 2;
        __syncthreads();
        if (own + half < rest) part[own][lane] = x = Op::of(x, part[own + half][lane]);
    }
    __syncthreads();
    return part[0][lane];
}

//@SECTION Each
/* Op of the elements of packs. */
template <class Op> struct Each {
    template <class T, int N> DEVICE Pack<T, N> of(const Pack<T, N> &a, const Pack<T, N> &b) {
        Pack<T, N> x;
#pragma unroll
        for (int i = 0; i < N; i++) x.at[i] = Op::of(a.at[i], b.at[i]);
        return x;
    }
};

//@SECTION --
// ---- inclusive scans: x becomes Op of carry and all up to each element, and carry the last ----

//@SECTION scan_lanes
/* An inclusive scan of the packs of WIDTH lanes; returns Op of all. */
template <class Op, int WIDTH, class T, int N> DEVICE T scan_lanes(Pack<T, N> &x) {
    const int lane = threadIdx.x % WIDTH;
#pragma unroll
    for (int l = 1; l < N; l++) x.at[l] = Op::of(x.at[l - 1], x.at[l]);
    T last = x.at[N - 1];
#pragma unroll
    for (int far = 1; far < WIDTH; far *= 2) {
        const T before = __shfl_up_sync(0xffffffffu, last, far, WIDTH);
        if (lane >= far) last = Op::of(before, last);
    }
    const T before = __shfl_up_sync(0xffffffffu, last, 1, WIDTH);
#pragma unroll
    for (int l = 0; l < N; l++)
        if (lane) x.at[l] = Op::of(before, x.at[l]);
    return __shfl_sync(0xffffffffu, last, WIDTH - 1, WIDTH);
}

//@SECTION scan_after
/* Op of what is before a pack, and each of its elements. */
template <class Op, class T, int N> DEVICE void scan_after(Pack<T, N> &x, T before) {
#pragma unroll
    for (int l = 0; l < N; l++) x.at[l] = Op::of(before, x.at[l]);
}

//@SECTION scan_items
/* An inclusive scan of each item, whose 32 elements are in the lanes of a warp. It goes through
 * shared memory, where `lanes` lanes take an item, `count` neighbours each. The last of item i goes
 * to part[i * pitch]. */
template <class Op, int WARPS, class T, int ITEMS>
DEVICE void scan_items(Pack<T, 1> (&x)[ITEMS], T *part, int pitch) {
    constexpr int rows = ITEMS > 16 ? 32 : ITEMS > 8 ? 16 : ITEMS > 4 ? 8 : ITEMS > 2 ? 4 : 2;
    constexpr int lanes = 32 / rows, count = 32 / lanes;
    __shared__ T tile[WARPS][ITEMS][33];
    const int thread = threadIdx.y * blockDim.x + threadIdx.x, lane = thread % 32;
    T (&own)[ITEMS][33] = tile[thread / 32];
#pragma unroll
    for (int item = 0; item < ITEMS; item++) own[item][lane] = x[item].at[0];
    __syncwarp();
    const int item = lane / lanes, first = lane % lanes * count;
    T run[count] = {};
    if (item < ITEMS) {
        run[0] = own[item][first];
#pragma unroll
        for (int i = 1; i < count; i++) run[i] = Op::of(run[i - 1], own[item][first + i]);
    }
    T all = run[count - 1];
#pragma unroll
    for (int far = 1; far < lanes; far *= 2) {
        const T before = __shfl_up_sync(0xffffffffu, all, far, lanes);
        if (lane % lanes >= far) all = Op::of(before, all);
    }
    const T before = __shfl_up_sync(0xffffffffu, all, 1, lanes);
    if (item < ITEMS) {
#pragma unroll
        for (int i = 0; i < count; i++)
            own[item][first + i] = first ? Op::of(before, run[i]) : run[i];
        if (lane % lanes == lanes - 1) part[item * pitch] = all;
    }
    __syncwarp();
#pragma unroll
    for (int item = 0; item < ITEMS; item++) x[item].at[0] = own[item][lane];
}

//@SECTION scan_parts
/* An exclusive scan of `count` parts at `part`, which starts at `carry`, by one warp; returns Op
 * of carry and all of them. */
template <class Op, class T> DEVICE T scan_parts(T *part, int count, T carry) {
    const int each = (count + 31) / 32, first = threadIdx.x % 32 * each;
    T own = Op::identity(carry);
    for (int i = first; i < first + each && i < count; i++) own = Op::of(own, part[i]);
    Pack<T, 1> all = {{own}};
    const T total = scan_lanes<Op, 32>(all);
    T before = __shfl_up_sync(0xffffffffu, all.at[0], 1);
    before = first ? Op::of(carry, before) : carry;
    for (int i = first; i < first + each && i < count; i++) {
        const T next = Op::of(before, part[i]);
        part[i] = before;
        before = next;
    }
    return Op::of(carry, total);
}

//@SECTION scan_single
/* Scans single elements of a row over `warps` warps; `row` is its number in the block. */
template <class Op, int WARPS, class T, int ITEMS>
DEVICE void scan_single(Pack<T, 1> (&x)[ITEMS], T &carry, int warps, int row) {
    __shared__ T part[WARPS * ITEMS], last[WARPS];
    const int warp = threadIdx.x / 32 % warps;
    T *const parts = part + row * warps * ITEMS;
    if (warps > 1) __syncthreads(); /* `part` may still be read by an earlier call */
    scan_items<Op, WARPS>(x, parts + warp, warps);
    if (warps > 1) __syncthreads();
    else __syncwarp();
    if (warp == 0) {
        const T total = scan_parts<Op>(parts, warps * ITEMS, carry);
        if (threadIdx.x % 32 == 0) last[row] = total;
    }
    if (warps > 1) __syncthreads();
    else __syncwarp();
#pragma unroll
    for (int item = 0; item < ITEMS; item++) scan_after<Op>(x[item], parts[item * warps + warp]);
    carry = last[row];
    if (warps == 1) __syncwarp();
}

//@SECTION warp_scan
/* Scans a row over WIDTH threads, each with one pack of every item. WARPS: the warps of a block
 * that has shared memory to exchange single elements; else 0. */
template <class Op, int WIDTH, int WARPS, class T, int N, int ITEMS>
DEVICE void warp_scan(Pack<T, N> (&x)[ITEMS], T &carry) {
    if constexpr (N == 1 && ITEMS > 2 && WIDTH == 32 && WARPS > 0) {
        scan_single<Op, WARPS>(x, carry, 1, threadIdx.x / 32);
        return;
    }
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        const T total = scan_lanes<Op, WIDTH>(x[item]);
        scan_after<Op>(x[item], carry);
        carry = Op::of(carry, total);
    }
}

//@SECTION block_scan
/* Scans a row over its blockDim.x threads, one warp or the whole block, each with one pack of every
 * item: x becomes Op of carry and all up to each element, and carry the last of these. WARPS: the
 * warps of a block that has shared memory to exchange single elements; else 0. */
template <class Op, int WARPS, class T, int N, int ITEMS>
DEVICE void block_scan(Pack<T, N> (&x)[ITEMS], T &carry) {
    if constexpr (N == 1 && ITEMS > 2 && WARPS > 0) {
        scan_single<Op, WARPS>(x, carry, blockDim.x / 32, threadIdx.y);
        return;
    }
    __shared__ T part[ITEMS][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    T total[ITEMS];
    if (warps > 1) __syncthreads(); /* `part` may still be read by an earlier call */
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        total[item] = scan_lanes<Op, 32>(x[item]);
        if (warps > 1 && lane == 0) part[item][warp] = total[item];
    }
    if (warps > 1) __syncthreads();
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        T before = carry;
        if (warps > 1) {
            Pack<T, 1> ends = {{lane < warps ? part[item][lane] : Op::identity(carry)}};
            total[item] = scan_lanes<Op, 32>(ends);
            const T of_warps = __shfl_sync(0xffffffffu, ends.at[0], warp ? warp - 1 : 0);
            if (warp) before = Op::of(carry, of_warps);
        }
        scan_after<Op>(x[item], before);
        carry = Op::of(carry, total[item]);
    }
}

//@SECTION column_scan
/* The same over SPLIT threads that are LANES apart, which have ITEMS neighbours of a column each.
 * Of few threads each combines what those before it have; for many a warp does. */
template <class Op, int LANES, int SPLIT, class T, int ITEMS>
DEVICE void column_scan(Pack<T, 1> (&x)[ITEMS], T &carry) {
    enum { FEW = 8 };
    const int lane = threadIdx.x % LANES, split = threadIdx.x / LANES, from = threadIdx.x % 32;
#pragma unroll
    for (int item = 1; item < ITEMS; item++) scan_after<Op>(x[item], x[item - 1].at[0]);
    T before = carry, all = x[ITEMS - 1].at[0];
    if (SPLIT > 1) {
        __shared__ T part[SPLIT][LANES + 1];
        __syncthreads(); /* `part` may still be read by an earlier call */
        part[split][lane] = all;
        __syncthreads();
        if (SPLIT <= FEW) {
            all = part[0][lane];
#pragma unroll
            for (int s = 1; s < SPLIT; s++) {
                if (s == split) before = Op::of(carry, all);
                all = Op::of(all, part[s][lane]);
            }
        } else {
            for (int column = threadIdx.x / 32; column < LANES; column += LANES * SPLIT / 32) {
                Pack<T, 1> ends = {{from < SPLIT ? part[from][column] : Op::identity(carry)}};
                scan_lanes<Op, 32>(ends);
                if (from < SPLIT) part[from][column] = ends.at[0];
            }
            __syncthreads();
            if (split) before = Op::of(carry, part[split - 1][lane]);
            all = part[SPLIT - 1][lane];
        }
    }
#pragma unroll
    for (int item = 0; item < ITEMS; item++) scan_after<Op>(x[item], before);
    carry = Op::of(carry, all);
}

//@SECTION --
// ---- online softmax: max and sum of exp(x - max) in one pass (Milakov & Gimelshein, 2018) ----

//@SECTION online_base
/* The value that exponents are relative to: the maximum, or 0 while everything is -Inf. */
DEVICE float online_base(float most) { return most == -INFINITY ? 0.0f : most; }

//@SECTION online_step
/* Adds the elements of x to the running maximum and sum; the sum is rescaled once. Terms are at
 * most 1, and the largest of the row is 1: rounded exponents hardly change the sum. */
template <int N> DEVICE void online_step(float &most, float &sum, const Pack<float, N> &x) {
    float top = most;
#pragma unroll
    for (int i = 0; i < N; i++) top = max_nan(top, x.at[i]);
    const float base = online_base(top);
    constexpr float log2_e = 1.44269504f;
    sum *= exp2_approx((most - base) * log2_e);
#pragma unroll
    for (int i = 0; i < N; i++) sum += exp2_approx((x.at[i] - base) * log2_e);
    most = top;
}

//@SECTION online_scale
/* A sum relative to `own`, as a sum relative to the maximum of all threads. */
DEVICE float online_scale(float sum, float own, float most) {
    return sum * exp(own - online_base(most));
}

//@SECTION OnlinePart
/* A maximum, and a sum of exponentials relative to it. */
struct OnlinePart {
    float most, sum;
};

//@SECTION online_lanes
/* Merges the parts of the lanes of a warp; every lane gets the result. */
DEVICE OnlinePart online_lanes(const OnlinePart &x) {
    const float most = warp_reduce<Max>(x.most);
    return {most, warp_reduce<Sum>(online_scale(x.sum, x.most, most))};
}

//@SECTION online_parts
/* Merges parts in shared memory; every lane of a warp gets the result. */
template <int COUNT> DEVICE OnlinePart online_parts(const OnlinePart *part, int count) {
    const int lane = threadIdx.x % 32;
    OnlinePart all = {-INFINITY, 0};
#pragma unroll
    for (int i = 0; i < COUNT; i += 32)
        if (i + lane < count) {
            const OnlinePart x = part[i + lane];
            const float most = max_nan(all.most, x.most);
            const float sum = online_scale(all.sum, all.most, most);
            all = {most, sum + online_scale(x.sum, x.most, most)};
        }
    return online_lanes(all);
}

//@SECTION block_online
/* Maxima and sums of the blockDim.x threads of a row, one warp or the whole block, become those of
 * the row, with one barrier. Calls that no other barrier separates differ in CALL, and so in
 * memory. */
template <int CALL> DEVICE void block_online(float &most, float &sum) {
    __shared__ OnlinePart part[32];
    OnlinePart all = online_lanes({most, sum});
    if (blockDim.x > 32) {
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = all;
        __syncthreads();
        all = online_parts<32>(part, blockDim.x / 32);
    }
    most = all.most;
    sum = all.sum;
}
