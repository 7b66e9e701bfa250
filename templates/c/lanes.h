/* lanes.h: the base of the C prelude: vectors of VL lanes; selecting, comparing and rotating them.
 * On top of it: arithmetic.h, functions.h (exp, sin, ..), narrow.h (types narrower than f32),
 * memory.h (loads and stores), masked.h, strided.h, reduce.h, rows.h, squares.h, tiles.h. An emitted
 * file contains only the sections that it uses. */
#pragma once
//@BEGIN
/* Vectors of VL lanes and functions on them. Uniform values are splats. bf16, f16 and f8 are
 * computed as f32 lanes, i8 and u8 as i32 lanes, bool as b1: lanes of 0 or -1. `m` is the number of
 * valid lanes, 1..VL. */

/* A copy of a vector is one instruction; where a compiler checks memory by default, it would be a
 * call. */
#undef _FORTIFY_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* no vector leaves this file */
#if defined(__GNUC__) && !defined(__clang__) && !defined(FX_NULL_IS_KEPT)
/* gcc 12 may write an address as 0 plus an index, take that for an access of a null pointer, behind
 * which nothing is reached, and leave out calls of such a kernel. `fusec run` passes the flag and
 * defines FX_NULL_IS_KEPT: gcc takes longer for functions with options of their own. */
#pragma GCC optimize("no-delete-null-pointer-checks")
#endif

#ifndef VL
#if defined(__AVX512F__)
#define VL 16
#elif defined(__AVX__)
#define VL 8
#else
#define VL 4
#endif
#endif

#define LANES static inline __attribute__((always_inline, unused))

typedef ptrdiff_t idx;
typedef uint16_t bf16, f16;     /* storage: 16 bits */
typedef uint8_t f8e4m3, f8e5m2; /* storage: 8 bits */
typedef uint8_t bool_t;         /* storage: 0 or 1 */
typedef float f32 __attribute__((vector_size(VL * 4)));
typedef double f64 __attribute__((vector_size(VL * 8)));
typedef int32_t i32 __attribute__((vector_size(VL * 4)));
typedef int64_t i64 __attribute__((vector_size(VL * 8)));
typedef i32 b1;

//@SECTION acos asin atan atan2 cbrt ceil cos cosf cosh erf exp exp2 expm1 fabs floor fmod fmodf isnan
//@SECTION log log10 log1p log2 pow remainder rint sin sinf sinh sqrt tan tanh
#include <math.h>

//@SECTION INFINITY
#ifndef INFINITY
#define INFINITY __builtin_inff() /* as of <math.h>, which takes as long to compile as a loop */
#endif

//@SECTION NAN
#ifndef NAN
#define NAN __builtin_nanf("")
#endif

//@SECTION u32
typedef uint32_t u32 __attribute__((vector_size(VL * 4)));

//@SECTION u64
typedef uint64_t u64 __attribute__((vector_size(VL * 8)));

//@SECTION u16
typedef uint16_t u16 __attribute__((vector_size(VL * 2)));

//@SECTION u8
typedef uint8_t u8 __attribute__((vector_size(VL)));

//@SECTION u8_u32
/* In two steps: gcc 12 narrows 32 bits to bytes one by one. */
LANES u8 u8_u32(u32 x) { return __builtin_convertvector(__builtin_convertvector(x, u16), u8); }

//@SECTION splat_f32
LANES f32 splat_f32(float x) { return x - (f32){0}; } /* x - 0 is x, for -0 too */

//@SECTION splat_f64
LANES f64 splat_f64(double x) { return x - (f64){0}; }

//@SECTION splat_i32
LANES i32 splat_i32(int32_t x) { return x - (i32){0}; }

//@SECTION splat_i64
LANES i64 splat_i64(int64_t x) { return x - (i64){0}; }

//@SECTION splat_b1
LANES b1 splat_b1(int32_t x) { return x - (b1){0}; } /* of 0 or -1 */

//@SECTION LANE_NUMBERS
#if VL == 16
#define LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#elif VL == 8
#define LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7
#else
#define LANE_NUMBERS 0, 1, 2, 3
#endif

//@SECTION lanes_i32
LANES i32 lanes_i32(int32_t start) { return (i32)((uint32_t)start + (u32){LANE_NUMBERS}); }

//@SECTION lanes_i64
LANES i64 lanes_i64(int64_t start) { return (i64)((uint64_t)start + (u64){LANE_NUMBERS}); }

//@SECTION --
// ---- selecting and comparing ---------------------------------------------------------------

//@SECTION where_i32
/* Joined by ^, not by |, of which gcc 12 makes two exclusive ors where c has other readers. */
LANES i32 where_i32(b1 c, i32 a, i32 b) { return (c & a) ^ (~c & b); }

//@SECTION where_f32
LANES f32 where_f32(b1 c, f32 a, f32 b) { return (f32)where_i32(c, (i32)a, (i32)b); }

//@SECTION pair64
/* 64-bit lanes fill two registers; gcc compares them efficiently only one register at a time. */
typedef double f64_half __attribute__((vector_size(VL * 4)));
typedef int64_t i64_half __attribute__((vector_size(VL * 4)));
typedef union pair64 {
    f64 f;
    i64 i;
    f64_half f_half[2];
    i64_half i_half[2];
} pair64;

//@SECTION less_f64
LANES i64 less_f64(f64 a, f64 b) {
    pair64 x = {.f = a}, y = {.f = b};
    for (int k = 0; k < 2; k++) x.i_half[k] = x.f_half[k] < y.f_half[k];
    return x.i;
}

//@SECTION same_f64
LANES i64 same_f64(f64 a, f64 b) {
    pair64 x = {.f = a}, y = {.f = b};
    for (int k = 0; k < 2; k++) x.i_half[k] = x.f_half[k] == y.f_half[k];
    return x.i;
}

//@SECTION less_i64
LANES i64 less_i64(i64 a, i64 b) {
    pair64 x = {.i = a}, y = {.i = b};
    for (int k = 0; k < 2; k++) x.i_half[k] = x.i_half[k] < y.i_half[k];
    return x.i;
}

//@SECTION same_i64
LANES i64 same_i64(i64 a, i64 b) {
    pair64 x = {.i = a}, y = {.i = b};
    for (int k = 0; k < 2; k++) x.i_half[k] = x.i_half[k] == y.i_half[k];
    return x.i;
}

//@SECTION pick_f64
LANES f64 pick_f64(i64 c, f64 a, f64 b) { return (f64)((c & (i64)a) | (~c & (i64)b)); }

//@SECTION pick_i64
LANES i64 pick_i64(i64 c, i64 a, i64 b) { return (c & a) | (~c & b); }

//@SECTION b1_mask64
LANES b1 b1_mask64(i64 mask) { return __builtin_convertvector(mask, b1); }

//@SECTION where_f64
LANES f64 where_f64(b1 c, f64 a, f64 b) { return pick_f64(__builtin_convertvector(c, i64), a, b); }

//@SECTION where_i64
LANES i64 where_i64(b1 c, i64 a, i64 b) { return pick_i64(__builtin_convertvector(c, i64), a, b); }

//@SECTION where_b1
LANES b1 where_b1(b1 c, b1 a, b1 b) { return (c & a) | (~c & b); }

//@SECTION lt_f32
LANES b1 lt_f32(f32 a, f32 b) { return a < b; }

//@SECTION le_f32
LANES b1 le_f32(f32 a, f32 b) { return a <= b; }

//@SECTION eq_f32
LANES b1 eq_f32(f32 a, f32 b) { return a == b; }

//@SECTION ne_f32
LANES b1 ne_f32(f32 a, f32 b) { return a != b; }

//@SECTION lt_f64
LANES b1 lt_f64(f64 a, f64 b) { return b1_mask64(less_f64(a, b)); }

//@SECTION le_f64
LANES b1 le_f64(f64 a, f64 b) { return b1_mask64(less_f64(a, b) | same_f64(a, b)); }

//@SECTION eq_f64
LANES b1 eq_f64(f64 a, f64 b) { return b1_mask64(same_f64(a, b)); }

//@SECTION ne_f64
LANES b1 ne_f64(f64 a, f64 b) { return b1_mask64(~same_f64(a, b)); }

//@SECTION lt_i32
LANES b1 lt_i32(i32 a, i32 b) { return a < b; }

//@SECTION le_i32
LANES b1 le_i32(i32 a, i32 b) { return a <= b; }

//@SECTION eq_i32
LANES b1 eq_i32(i32 a, i32 b) { return a == b; }

//@SECTION ne_i32
LANES b1 ne_i32(i32 a, i32 b) { return a != b; }

//@SECTION lt_i64
LANES b1 lt_i64(i64 a, i64 b) { return b1_mask64(less_i64(a, b)); }

//@SECTION le_i64
LANES b1 le_i64(i64 a, i64 b) { return b1_mask64(~less_i64(b, a)); }

//@SECTION eq_i64
LANES b1 eq_i64(i64 a, i64 b) { return b1_mask64(same_i64(a, b)); }

//@SECTION ne_i64
LANES b1 ne_i64(i64 a, i64 b) { return b1_mask64(~same_i64(a, b)); }

//@SECTION not_b1
LANES b1 not_b1(b1 a) { return ~a; }

//@SECTION and_b1
LANES b1 and_b1(b1 a, b1 b) { return a & b; }

//@SECTION or_b1
LANES b1 or_b1(b1 a, b1 b) { return a | b; }

//@SECTION eq_b1
LANES b1 eq_b1(b1 a, b1 b) { return ~(a ^ b); }

//@SECTION ne_b1
LANES b1 ne_b1(b1 a, b1 b) { return a ^ b; }

//@SECTION lt_b1
LANES b1 lt_b1(b1 a, b1 b) { return ~a & b; } /* false < true */

//@SECTION le_b1
LANES b1 le_b1(b1 a, b1 b) { return ~a | b; }

//@SECTION isnan_f32
LANES b1 isnan_f32(f32 x) { return x != x; }

//@SECTION isnan_f64
LANES b1 isnan_f64(f64 x) { return b1_mask64(~same_f64(x, x)); }

//@SECTION --
// ---- across lanes --------------------------------------------------------------------------

//@SECTION LANES_LOW LANES_HIGH
/* Lanes of the low, and the high, halves of two vectors in turn. */
#if VL == 16
#define LANES_LOW  0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define LANES_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif VL == 8
#define LANES_LOW  0, 8, 1, 9, 2, 10, 3, 11
#define LANES_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else
#define LANES_LOW  0, 4, 1, 5
#define LANES_HIGH 2, 6, 3, 7
#endif

//@SECTION IN_TURN_LOW IN_TURN_HIGH
/* The lanes of two vectors in turn, as two vectors. */
#define IN_TURN_LOW(A, B)  __builtin_shufflevector(A, B, LANES_LOW)
#define IN_TURN_HIGH(A, B) __builtin_shufflevector(A, B, LANES_HIGH)

//@SECTION LANES_FROM
/* VL lanes from lane N on of those of A and then B. */
#if VL == 16
#define LANES_FROM(A, B, N)                                                                        \
    __builtin_shufflevector(A, B, (N), (N) + 1, (N) + 2, (N) + 3, (N) + 4, (N) + 5, (N) + 6,       \
                            (N) + 7, (N) + 8, (N) + 9, (N) + 10, (N) + 11, (N) + 12, (N) + 13,     \
                            (N) + 14, (N) + 15)
#elif VL == 8
#define LANES_FROM(A, B, N)                                                                        \
    __builtin_shufflevector(A, B, (N), (N) + 1, (N) + 2, (N) + 3, (N) + 4, (N) + 5, (N) + 6,       \
                            (N) + 7)
#else
#define LANES_FROM(A, B, N) __builtin_shufflevector(A, B, (N), (N) + 1, (N) + 2, (N) + 3)
#endif

//@SECTION ROTATE
#define ROTATE(V, N) LANES_FROM(V, V, N)

//@SECTION FOLD
/* Every lane becomes F over all lanes: lane i is combined with lane i + N for N = VL/2 .. 1, so
 * that all lanes reduce by the same tree. */
#if VL == 16
#define FOLD(F, V)                                                                                 \
    V = F(V, ROTATE(V, 8));                                                                        \
    V = F(V, ROTATE(V, 4));                                                                        \
    V = F(V, ROTATE(V, 2));                                                                        \
    V = F(V, ROTATE(V, 1))
#elif VL == 8
#define FOLD(F, V)                                                                                 \
    V = F(V, ROTATE(V, 4));                                                                        \
    V = F(V, ROTATE(V, 2));                                                                        \
    V = F(V, ROTATE(V, 1))
#else
#define FOLD(F, V)                                                                                 \
    V = F(V, ROTATE(V, 2));                                                                        \
    V = F(V, ROTATE(V, 1))
#endif

//@SECTION HALVES_FROM
/* Of 64-bit lanes in pair64s: VL/2 lanes from lane N on of each half of A and then B. */
#if VL == 16
#define HALF_FROM(A, B, N)                                                                         \
    __builtin_shufflevector(A, B, (N), (N) + 1, (N) + 2, (N) + 3, (N) + 4, (N) + 5, (N) + 6,       \
                            (N) + 7)
#elif VL == 8
#define HALF_FROM(A, B, N) __builtin_shufflevector(A, B, (N), (N) + 1, (N) + 2, (N) + 3)
#else
#define HALF_FROM(A, B, N) __builtin_shufflevector(A, B, (N), (N) + 1)
#endif
#define HALVES_FROM(A, B, N)                                                                       \
    ((pair64){.i_half = {HALF_FROM(A.i_half[0], B.i_half[0], N),                                   \
                         HALF_FROM(A.i_half[1], B.i_half[1], N)}})

//@SECTION FOLD_64
/* FOLD of 64-bit lanes, the member FIELD of a pair64. Both halves are equal after one step. */
#define FOLD_64(F, V, FIELD)                                                                       \
    pair64 both = {.FIELD = V};                                                                    \
    both.FIELD = F(both.FIELD, ((pair64){.i_half = {both.i_half[1], both.i_half[0]}}).FIELD);      \
    if (VL > 8) both.FIELD = F(both.FIELD, HALVES_FROM(both, both, VL > 8 ? 4 : 0).FIELD);         \
    if (VL > 4) both.FIELD = F(both.FIELD, HALVES_FROM(both, both, VL > 4 ? 2 : 0).FIELD);         \
    V = F(both.FIELD, HALVES_FROM(both, both, 1).FIELD)

//@SECTION any_lanes_b1
LANES b1 any_lanes_b1(b1 x) {
    FOLD(or_b1, x);
    return x;
}

//@SECTION is_any
/* Is a lane true? */
LANES bool is_any(b1 x) {
#if VL == 16 && defined(__AVX512DQ__)
    return __builtin_ia32_cvtd2mask512(x) != 0;
#elif VL == 8 && defined(__AVX__)
    return __builtin_ia32_movmskps256((f32)x) != 0;
#else
    return any_lanes_b1(x)[0];
#endif
}

//@SECTION all_lanes_b1
LANES b1 all_lanes_b1(b1 x) {
    FOLD(and_b1, x);
    return x;
}
