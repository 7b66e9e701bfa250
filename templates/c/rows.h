/* rows.h: helpers of emitted loops, on top of lanes.h: loop macros, scans,
 * argmax, online softmax, stores that stream large outputs, threads. Sections as in lanes.h. */
#pragma once
#include "functions.h"
#include "memory.h"
#include "reduce.h"
//@BEGIN
//@SECTION --
/* ---- loops --------------------------------------------------------------------------------- */

//@SECTION PADDED
#define PADDED(n) (((n) + VL - 1) / VL * VL) /* n elements, rounded up to whole vectors */

//@SECTION FX_ROUND
#define FX_ROUND(n, to) (((n) + (to) - 1) / (to) * (to)) /* rounds up to a multiple */

//@SECTION WHOLE
#define WHOLE(n, of) ((n) / (of) * (of)) /* rounds down to a multiple */

//@SECTION EACH_LANE
/* What has no operation on vectors; gcc makes one of it where it can. */
#ifdef __clang__
#define EACH_LANE(l) for (int l = 0; l < VL; l++)
#else
#define EACH_LANE(l) _Pragma("omp simd") for (int l = 0; l < VL; l++)
#endif

//@SECTION EACH_VECTOR
/* for i = 0, VL, 2 VL .. below n, with m valid lanes. Compilers split it into a loop of whole
 * vectors, in which m is VL and nothing is masked, and a loop for the tail. */
#define EACH_VECTOR(i, m, n)                                                                       \
    _Pragma("GCC unroll 2") for (int rest = 0; rest < 2; rest++)                                   \
        for (idx i = rest ? WHOLE(n, VL) : 0,                                                      \
                 m __attribute__((unused)) = rest ? (n) - i : VL;                                  \
             i < (rest ? (n) : WHOLE(n, VL)); i += VL)

//@SECTION EACH_VECTOR_FROM
/* The same for i = from, from + VL .. */
#define EACH_VECTOR_FROM(i, m, from, n)                                                            \
    _Pragma("GCC unroll 2") for (int rest = 0; rest < 2; rest++)                                   \
        for (idx i = rest ? (from) + WHOLE((n) - (from), VL) : (from),                             \
                 m __attribute__((unused)) = rest ? (n) - i : VL;                                  \
             i < (rest ? (n) : (from) + WHOLE((n) - (from), VL)); i += VL)

//@SECTION EACH_FOUR_VECTORS
/* The same with four vectors u = 0 .. 3 in each iteration, for sums with four independent
 * accumulators. The tail goes to accumulator 0. Unrolled, with -O2 too: they are in registers. */
#define EACH_FOUR_VECTORS(i, u, m, n)                                                              \
    _Pragma("GCC unroll 2") for (int rest = 0; rest < 2; rest++)                                   \
        for (idx four = rest ? WHOLE(n, 4 * VL) : 0, at_once = rest ? 1 : 4;                       \
             four < (rest ? (n) : WHOLE(n, 4 * VL)); four += at_once * VL)                         \
            _Pragma("GCC unroll 4") for (                                                          \
                idx u = 0, i = four,                                                               \
                    m __attribute__((unused)) = rest && (n) - i < VL ? (n) - i : VL;               \
                u < at_once; u++, i += VL)

//@SECTION EACH_FOUR_VECTORS_FROM
/* The same for i = from, from + VL .. */
#define EACH_FOUR_VECTORS_FROM(i, u, m, from, n)                                                   \
    _Pragma("GCC unroll 2") for (int rest = 0; rest < 2; rest++)                                   \
        for (idx four = rest ? (from) + WHOLE((n) - (from), 4 * VL) : (from),                      \
                 at_once = rest ? 1 : 4;                                                           \
             four < (rest ? (n) : (from) + WHOLE((n) - (from), 4 * VL)); four += at_once * VL)     \
            _Pragma("GCC unroll 4") for (                                                          \
                idx u = 0, i = four,                                                               \
                    m __attribute__((unused)) = rest && (n) - i < VL ? (n) - i : VL;               \
                u < at_once; u++, i += VL)

//@SECTION EACH_FOUR_ROWS
/* Each vector i of the rows j, with four rows u = 0 .. 3 side by side: memory serves several
 * streams faster than one. The rows that are left go to accumulator 0, one by one. */
#define EACH_FOUR_ROWS(j, i, u, m, rows, n)                                                        \
    _Pragma("GCC unroll 2") for (int single = 0; single < 2; single++)                             \
        for (idx first = single ? WHOLE(rows, 4) : 0, at_once = single ? 1 : 4;                    \
             first < (single ? (rows) : WHOLE(rows, 4)); first += at_once)                         \
            EACH_VECTOR(i, m, n)                                                                   \
                _Pragma("GCC unroll 4") for (idx u = 0, j = first; u < at_once; u++, j++)

//@SECTION EACH_ROW_BLOCK
/* first = 0, size, 2 size .. below `whole`, for `count` = size rows each; then one by one to the
 * end. */
#define EACH_ROW_BLOCK(first, count, size, whole, rows)                                            \
    _Pragma("GCC unroll 2") for (int single = 0; single < 2; single++)                             \
        for (idx first = single ? (whole) : 0, count = single ? 1 : (size);                        \
             first < (single ? (rows) : (whole)); first += count)

//@SECTION LINE_VECTORS EACH_LINE EACH_PART
/* The same a cache line at a time: LINE_VECTORS vectors of elements of so many bytes, four at most;
 * then one by one. Within it, the vectors u = 0 .. of the line. */
#define LINE_VECTORS(size) (64 / (size) <= VL ? 1 : 64 / (size) >= 4 * VL ? 4 : 64 / (size) / VL)
#define EACH_LINE(i, vectors, m, size, n)                                                          \
    _Pragma("GCC unroll 2") for (int rest = 0; rest < 2; rest++)                                   \
        for (idx vectors = rest ? 1 : LINE_VECTORS(size),                                          \
                 whole_lines = WHOLE(n, LINE_VECTORS(size) * VL), i = rest ? whole_lines : 0,      \
                 m __attribute__((unused)) = rest ? fx_least(VL, (n) - i) : VL;                    \
             i < (rest ? (n) : whole_lines);                                                       \
             i += vectors * VL, m = rest ? fx_least(VL, (n) - i) : VL)
#define EACH_PART(u, vectors) _Pragma("GCC unroll 4") for (idx u = 0; u < vectors; u++)

//@SECTION ld_turn_bf16 in_order_f32
/* A line in turns: of each two of its vectors, the even elements and then the odd ones, which takes
 * an instruction for each vector; in_order_f32() has them in the order of memory. AVX2 widens a
 * vector in memory in order: its lines are in order. */
#if VL == 8 && defined(__AVX2__)
LANES f32 ld_turn_bf16(const bf16 *line, idx u, idx vectors, idx m) {
    (void)vectors;
    return ld_bf16(line + u * VL, m);
}
LANES void in_order_f32(f32 *line, idx vectors) { (void)line, (void)vectors; }
#else
LANES f32 ld_turn_bf16(const bf16 *line, idx u, idx vectors, idx m) {
    u32 both;
    if (vectors == 1) return ld_bf16(line, m);
    memcpy(&both, line + u / 2 * 2 * VL, sizeof both);
    return (f32)(u % 2 ? both & 0xffff0000u : both << 16);
}
LANES void in_order_f32(f32 *line, idx vectors) {
    for (idx u = 0; u + 1 < vectors; u += 2) {
        const f32 even = line[u], odd = line[u + 1];
        line[u] = __builtin_shufflevector(even, odd, LANES_LOW);
        line[u + 1] = __builtin_shufflevector(even, odd, LANES_HIGH);
    }
}
#endif

//@SECTION EACH_IN_FLIGHT
/* The vectors u = 0 .. count - 1 from `first` on, as far as they are below n. */
#define EACH_IN_FLIGHT(i, u, m, first, count, n)                                                   \
    for (idx u = 0, i = (first), m __attribute__((unused)) = fx_least(VL, (n) - i);                \
         u < (count) && i < (n); u++, i += VL, m = fx_least(VL, (n) - i))

//@SECTION EACH_OF_ROWS
/* Each of `count` rows side by side, whose statements the compiler interleaves: it unrolls this. */
#define EACH_OF_ROWS(u, count) _Pragma("GCC unroll 8") for (int u = 0; u < count; u++)

//@SECTION FOLD4
#define FOLD4(f, a) f(f(a[0], a[1]), f(a[2], a[3]))

//@SECTION fx_threads fx_thread
#ifdef _OPENMP
#include <omp.h>
static inline idx fx_threads(void) { return omp_get_max_threads(); }
LANES idx fx_thread(void) { return omp_get_thread_num(); }
#else
static inline idx fx_threads(void) { return 1; }
LANES idx fx_thread(void) { return 0; }
#endif

//@SECTION fx_align
static inline int64_t fx_align(int64_t bytes) { return (bytes + 63) / 64 * 64; }

//@SECTION fx_most
static inline int64_t fx_most(int64_t a, int64_t b) { return a > b ? a : b; }

//@SECTION fx_least
LANES idx fx_least(idx a, idx b) { return a < b ? a : b; }

//@SECTION SHARED_FUNCTION
/* A function that kernels share. Not inlined: it takes long to compile. */
#define SHARED_FUNCTION static __attribute__((noinline, unused))

//@SECTION COPY_ROW
/* Copies a row, with FETCH before each register at q + i; if `stream`, lines go around caches. */
#ifdef STREAM
#define COPY_LINES(FETCH)                                                                          \
    if (stream) {                                                                                  \
        i = fx_least((idx)(-(uintptr_t)to % 64), bytes);                                           \
        if (i) memcpy(p, q, (size_t)i);                                                            \
        for (; i + size <= bytes; i += size) {                                                     \
            FETCH;                                                                                 \
            STREAM(p + i, ld_32(q + i, VL));                                                       \
        }                                                                                          \
    }
#else
#define COPY_LINES(FETCH) (void)stream;
#endif
#define COPY_ROW(FETCH)                                                                            \
    const idx size = sizeof(u32);                                                                  \
    char *const p = to;                                                                            \
    const char *const q = from;                                                                    \
    idx i = 0;                                                                                     \
    COPY_LINES(FETCH)                                                                              \
    for (; i + size <= bytes; i += size) {                                                         \
        FETCH;                                                                                     \
        st_32(p + i, ld_32(q + i, VL), VL);                                                        \
    }                                                                                              \
    if (i < bytes) memcpy(p + i, q + i, (size_t)(bytes - i));

//@SECTION copy_row
LANES void copy_row(void *to, const void *from, idx bytes, bool stream)
{
    COPY_ROW((void)0)
}

//@SECTION copy_row_beside
/* The same, and the row at `ahead` is prefetched. */
LANES void copy_row_beside(void *to, const void *from, const void *ahead, idx bytes, bool stream)
{
    COPY_ROW(__builtin_prefetch((const char *)ahead + i))
}

//@SECTION fx_strip
/* Columns of a strip, in whole lines: at most `most`, and as many strips of each of the rows as
 * keep all threads busy. */
static inline idx fx_strip(idx cols, idx rows, idx most)
{
    const idx least = (fx_threads() + rows - 1) / rows;
    idx strips = least;
    while (strips * most < cols) strips += least;
    return FX_ROUND((cols + strips - 1) / strips, 64);
}

//@SECTION --
/* ---- scans: v[l] becomes carry, v[0] .. v[l] combined; carry becomes the last of them ------ */

//@SECTION SCAN_LANES
/* By two lanes, by four, .., so that the carry waits for one operation. */
#define SCAN_LANES(OF, SPLAT, NONE)                                                                \
    v = OF(v, LANES_FROM(SPLAT(NONE), v, VL - 1));                                                 \
    v = OF(v, LANES_FROM(SPLAT(NONE), v, VL - 2));                                                 \
    if (VL > 4) v = OF(v, LANES_FROM(SPLAT(NONE), v, VL > 4 ? VL - 4 : 0));                        \
    if (VL > 8) v = OF(v, LANES_FROM(SPLAT(NONE), v, VL > 8 ? VL - 8 : 0));                        \
    v = OF(*carry, v);                                                                             \
    *carry = SPLAT(v[VL - 1]);                                                                     \
    return v;

//@SECTION SCAN_64
/* The same of 64-bit lanes, the member FIELD of a pair64: of each half, and then of both. */
#define SCAN_64(FIELD, OF, SPLAT, NONE)                                                            \
    const pair64 none = {.FIELD = SPLAT(NONE)};                                                    \
    pair64 x = {.FIELD = v}, low = none;                                                           \
    x.FIELD = OF(x.FIELD, HALVES_FROM(none, x, VL / 2 - 1).FIELD);                                 \
    if (VL > 4) x.FIELD = OF(x.FIELD, HALVES_FROM(none, x, VL > 4 ? VL / 2 - 2 : 0).FIELD);        \
    if (VL > 8) x.FIELD = OF(x.FIELD, HALVES_FROM(none, x, VL > 8 ? VL / 2 - 4 : 0).FIELD);        \
    low.i_half[1] = x.i_half[0][VL / 2 - 1] - (i64_half){0};                                       \
    v = OF(*carry, OF(x.FIELD, low.FIELD));                                                        \
    *carry = SPLAT(v[VL - 1]);                                                                     \
    return v;

//@SECTION scan_add_f32
LANES f32 scan_add_f32(f32 v, f32 *carry) { SCAN_LANES(add_f32, splat_f32, 0) }

//@SECTION scan_add_f64
LANES f64 scan_add_f64(f64 v, f64 *carry) { SCAN_64(f, add_f64, splat_f64, 0) }

//@SECTION scan_add_i32
LANES i32 scan_add_i32(i32 v, i32 *carry) { SCAN_LANES(add_i32, splat_i32, 0) }

//@SECTION scan_add_i64
LANES i64 scan_add_i64(i64 v, i64 *carry) { SCAN_64(i, add_i64, splat_i64, 0) }

//@SECTION scan_mul_f32
LANES f32 scan_mul_f32(f32 v, f32 *carry) { SCAN_LANES(mul_f32, splat_f32, 1) }

//@SECTION scan_mul_f64
LANES f64 scan_mul_f64(f64 v, f64 *carry) { SCAN_64(f, mul_f64, splat_f64, 1) }

//@SECTION scan_mul_i32
LANES i32 scan_mul_i32(i32 v, i32 *carry) { SCAN_LANES(mul_i32, splat_i32, 1) }

//@SECTION scan_mul_i64
LANES i64 scan_mul_i64(i64 v, i64 *carry) { SCAN_64(i, mul_i64, splat_i64, 1) }

//@SECTION scan_max_f32
LANES f32 scan_max_f32(f32 v, f32 *carry) { SCAN_LANES(max_f32, splat_f32, -INFINITY) }

//@SECTION scan_max_f64
LANES f64 scan_max_f64(f64 v, f64 *carry) { SCAN_64(f, max_f64, splat_f64, -INFINITY) }

//@SECTION scan_max_i32
LANES i32 scan_max_i32(i32 v, i32 *carry) { SCAN_LANES(max_i32, splat_i32, INT32_MIN) }

//@SECTION scan_max_i64
LANES i64 scan_max_i64(i64 v, i64 *carry) { SCAN_64(i, max_i64, splat_i64, INT64_MIN) }

//@SECTION scan_min_f32
LANES f32 scan_min_f32(f32 v, f32 *carry) { SCAN_LANES(min_f32, splat_f32, INFINITY) }

//@SECTION scan_min_f64
LANES f64 scan_min_f64(f64 v, f64 *carry) { SCAN_64(f, min_f64, splat_f64, INFINITY) }

//@SECTION scan_min_i32
LANES i32 scan_min_i32(i32 v, i32 *carry) { SCAN_LANES(min_i32, splat_i32, INT32_MAX) }

//@SECTION scan_min_i64
LANES i64 scan_min_i64(i64 v, i64 *carry) { SCAN_64(i, min_i64, splat_i64, INT64_MAX) }

//@SECTION --
/* ---- argmax: the first NaN wins, then the first of equals; of least elements alone: 0 ------ */

//@SECTION ARGMAX_STEP ARGMAX_LANES
#define ARGMAX_STEP(BETTER, WHERE)                                                                 \
    b1 valid = lt_i32(lanes_i32(0), splat_i32((int32_t)m));                                        \
    b1 take = valid & BETTER;                                                                      \
    *best = WHERE(take, v, *best);                                                                 \
    *at = where_i32(take, position, *at);
#define ARGMAX_LANES(IS_MOST)                                                                      \
    return min_lanes_i32(where_i32(IS_MOST, at, splat_i32(INT32_MAX)));

//@SECTION argmax_step_f32
LANES void argmax_step_f32(f32 *best, i32 *at, f32 v, i32 position, idx m)
{
#if defined(__AVX512F__) && VL == 16
    v = keep_f32(v, m, -INFINITY);
    __asm__("vcmpps $7, %0, %0, %%k1\n\t" /* best is no NaN, and v is not <= best */
            "vcmpps $6, %0, %2, %%k1%{%%k1%}\n\t"
            "vmovaps %2, %0%{%%k1%}\n\tvmovdqa32 %3, %1%{%%k1%}"
            : "+&v"(*best), "+&v"(*at)
            : "v"(v), "v"(position)
            : "k1");
#else
    b1 nan = and_b1(isnan_f32(v), not_b1(isnan_f32(*best)));
    ARGMAX_STEP(or_b1(nan, lt_f32(*best, v)), where_f32)
#endif
}

//@SECTION argmax_step_f64
LANES void argmax_step_f64(f64 *best, i32 *at, f64 v, i32 position, idx m)
{
    b1 nan = and_b1(isnan_f64(v), not_b1(isnan_f64(*best)));
    ARGMAX_STEP(or_b1(nan, lt_f64(*best, v)), where_f64)
}

//@SECTION argmax_step_i32
LANES void argmax_step_i32(i32 *best, i32 *at, i32 v, i32 position, idx m)
{
    const i32 x = keep_i32(v, m, INT32_MIN);
    const b1 take = lt_i32(*best, x);
    *best = max_i32(*best, x);
    *at = where_i32(take, position, *at);
}

//@SECTION argmax_step_i64
LANES void argmax_step_i64(i64 *best, i32 *at, i64 v, i32 position, idx m)
{
    const i64 x = keep_i64(v, m, INT64_MIN);
    const b1 take = lt_i64(*best, x);
    *best = max_i64(*best, x);
    *at = where_i32(take, position, *at);
}

//@SECTION argmax_lanes_f32
LANES i32 argmax_lanes_f32(f32 best, i32 at)
{
    const f32 most = max_lanes_f32(best);
    ARGMAX_LANES(or_b1(eq_f32(best, most), and_b1(isnan_f32(best), isnan_f32(most))))
}

//@SECTION argmax_lanes_f64
LANES i32 argmax_lanes_f64(f64 best, i32 at)
{
    const f64 most = max_lanes_f64(best);
    ARGMAX_LANES(or_b1(eq_f64(best, most), and_b1(isnan_f64(best), isnan_f64(most))))
}

//@SECTION argmax_lanes_i32
LANES i32 argmax_lanes_i32(i32 best, i32 at) { ARGMAX_LANES(eq_i32(best, max_lanes_i32(best))) }

//@SECTION argmax_lanes_i64
LANES i32 argmax_lanes_i64(i64 best, i32 at) { ARGMAX_LANES(eq_i64(best, max_lanes_i64(best))) }

//@SECTION --
/* ---- online softmax: max and sum of exp(x - max) in one pass (Milakov & Gimelshein, 2018) ---- */

//@SECTION online_base_f32
/* The maximum that is subtracted in exponents, or 0 while all elements are -Inf. */
LANES f32 online_base_f32(f32 max) {
    return where_f32(eq_f32(max, splat_f32(-INFINITY)), splat_f32(0), max);
}

//@SECTION online_step_f32
LANES void online_step_f32(f32 *max, f32 *sum, f32 x)
{
    f32 top = max_f32(*max, x), base = online_base_f32(top);
    *sum = *sum * exp_f32(*max - base) + exp_f32(x - base);
    *max = top;
}

//@SECTION online_lanes_f32
LANES void online_lanes_f32(f32 *max, f32 *sum)
{
    f32 top = max_lanes_f32(*max);
    *sum = sum_lanes_f32(*sum * exp_f32(*max - online_base_f32(top)));
    *max = top;
}

//@SECTION --
/* ---- stores: streaming if the output is larger than the cache ------------------------------ */

//@SECTION out_f32
LANES void out_f32(float *p, f32 v, idx m, bool stream)
{
    if (stream) stream_f32(p, v, m);
    else st_f32(p, v, m);
}

//@SECTION out_f64
LANES void out_f64(double *p, f64 v, idx m, bool stream)
{
    if (stream) stream_f64(p, v, m);
    else st_f64(p, v, m);
}

//@SECTION out_i32
LANES void out_i32(int32_t *p, i32 v, idx m, bool stream)
{
    if (stream) stream_i32(p, v, m);
    else st_i32(p, v, m);
}

//@SECTION out_i64
LANES void out_i64(int64_t *p, i64 v, idx m, bool stream)
{
    if (stream) stream_i64(p, v, m);
    else st_i64(p, v, m);
}

//@SECTION out_bf16
LANES void out_bf16(bf16 *p, f32 v, idx m, bool stream)
{
    if (stream) stream_bf16(p, v, m);
    else st_bf16(p, v, m);
}

//@SECTION out_rounded_bf16
LANES void out_rounded_bf16(bf16 *p, f32 v, idx m, bool stream)
{
    if (stream) stream_rounded_bf16(p, v, m);
    else st_rounded_bf16(p, v, m);
}

//@SECTION out_f16
LANES void out_f16(f16 *p, f32 v, idx m, bool stream)
{
    if (stream) stream_f16(p, v, m);
    else st_f16(p, v, m);
}

//@SECTION out_f8e4m3
LANES void out_f8e4m3(f8e4m3 *p, f32 v, idx m, bool stream)
{
    if (stream) stream_f8e4m3(p, v, m);
    else st_f8e4m3(p, v, m);
}

//@SECTION out_f8e5m2
LANES void out_f8e5m2(f8e5m2 *p, f32 v, idx m, bool stream)
{
    if (stream) stream_f8e5m2(p, v, m);
    else st_f8e5m2(p, v, m);
}

//@SECTION out_u8
LANES void out_u8(uint8_t *p, i32 v, idx m, bool stream)
{
    if (stream) stream_u8(p, v, m);
    else st_u8(p, v, m);
}

//@SECTION out_i8
LANES void out_i8(int8_t *p, i32 v, idx m, bool stream)
{
    if (stream) stream_i8(p, v, m);
    else st_i8(p, v, m);
}

//@SECTION out_bool
LANES void out_bool(bool_t *p, b1 v, idx m, bool stream)
{
    if (stream) stream_bool(p, v, m);
    else st_bool(p, v, m);
}
