/* strided.h: loads and stores of lanes whose addresses are evenly spaced, in elements; lanes beyond
 * the first m are 0 and not stored, and their memory is not read.
 * Sections as in lanes.h. */
#pragma once
#include "masked.h"
//@BEGIN
//@SECTION --
// ---- lanes that are evenly spaced ------------------------------------------------------------

//@SECTION STRIDED
/* A list of lanes: compilers make vectors of it, and keep a loop over lanes in memory. */
#if VL == 16
#define STRIDED(P, N)                                                                              \
    P[0], P[N], P[2 * N], P[3 * N], P[4 * N], P[5 * N], P[6 * N], P[7 * N], P[8 * N], P[9 * N],    \
        P[10 * N], P[11 * N], P[12 * N], P[13 * N], P[14 * N], P[15 * N]
#elif VL == 8
#define STRIDED(P, N) P[0], P[N], P[2 * N], P[3 * N], P[4 * N], P[5 * N], P[6 * N], P[7 * N]
#else
#define STRIDED(P, N) P[0], P[N], P[2 * N], P[3 * N]
#endif

//@SECTION LANES_EVEN
/* The even positions of two vectors one after the other that have an element in common. */
#if VL == 16
#define LANES_EVEN 0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31
#elif VL == 8
#define LANES_EVEN 0, 2, 4, 6, 9, 11, 13, 15
#else
#define LANES_EVEN 0, 2, 5, 7
#endif

//@SECTION LANES_BACK
#if VL == 16
#define LANES_BACK 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#elif VL == 8
#define LANES_BACK 7, 6, 5, 4, 3, 2, 1, 0
#else
#define LANES_BACK 3, 2, 1, 0
#endif

//@SECTION EACH_LANE_OF
/* Every N-th element is in N vectors, the last of which ends with the last of them. Lane L is in
 * vector VECTOR_OF, and stays lane L: the elements of two vectors, of the vectors before J and
 * vector J, and of vectors before J and from J on. */
#define VECTOR_OF(N, L)         ((L) * (N) / VL)
#define VECTOR_START(N, J)      ((J) == (N) - 1 ? (VL - 1) * ((N) - 1) : (J) * VL)
#define LANE_IN(N, J, L)        ((L) * (N) - VECTOR_START(N, J))
#define LANE_OF_LAST(N, J, L)   (VECTOR_OF(N, L) < (J) ? (L) : VL + LANE_IN(N, J, L))
#define LANE_BLENDED(N, J, L)   (VECTOR_OF(N, L) < (J) ? (L) : VL + (L))
#define LANE_OF_PAIR(N, J, L)                                                                      \
    (VECTOR_OF(N, L) == (J)       ? LANE_IN(N, J, L)                                               \
     : VECTOR_OF(N, L) == (J) + 1 ? VL + LANE_IN(N, (J) + 1, L)                                    \
                                  : 0)
#define FOUR_LANES(LANE, N, J, L)                                                                  \
    LANE(N, J, L), LANE(N, J, (L) + 1), LANE(N, J, (L) + 2), LANE(N, J, (L) + 3)
#if VL == 16
#define EACH_LANE_OF(LANE, N, J)                                                                   \
    FOUR_LANES(LANE, N, J, 0), FOUR_LANES(LANE, N, J, 4), FOUR_LANES(LANE, N, J, 8),               \
        FOUR_LANES(LANE, N, J, 12)
#elif VL == 8
#define EACH_LANE_OF(LANE, N, J) FOUR_LANES(LANE, N, J, 0), FOUR_LANES(LANE, N, J, 4)
#else
#define EACH_LANE_OF(LANE, N, J) FOUR_LANES(LANE, N, J, 0)
#endif

//@SECTION LD_SHUFFLED
/* Every other to every eighth element, and elements in reverse are in one to eight vectors. Where
 * a shuffle of two vectors takes several instructions, more than four take longer than lanes. */
#define VECTOR_AT(N, J) (*(const whole *)(p + VECTOR_START(N, J)))
#define LD_PAIR(N, J)                                                                              \
    __builtin_shufflevector(VECTOR_AT(N, J), VECTOR_AT(N, (J) + 1),                                \
                            EACH_LANE_OF(LANE_OF_PAIR, N, J))
#define WITH_LAST(X, N)                                                                            \
    __builtin_shufflevector(X, VECTOR_AT(N, (N) - 1), EACH_LANE_OF(LANE_OF_LAST, N, (N) - 1))
#define BLENDED(X, Y, N, J) __builtin_shufflevector(X, Y, EACH_LANE_OF(LANE_BLENDED, N, J))
#define LD_FOUR(N)          BLENDED(LD_PAIR(N, 0), LD_PAIR(N, 2), N, 2)
#define LD_SIX(N)           BLENDED(LD_FOUR(N), LD_PAIR(N, 4), N, 4)
#define LD_EIGHT(N)         BLENDED(LD_SIX(N), LD_PAIR(N, 6), N, 6)
#define LD_SHUFFLED(TYPE, LD, LD_WHERE)                                                            \
    typedef TYPE whole __attribute__((aligned(1), may_alias));                                     \
    if (n == 2) {                                                                                  \
        const idx beyond = 2 * m - VL; /* elements of the second vector */                         \
        const TYPE low = LD(p, beyond > 0 ? VL : 2 * m - 1);                                       \
        const TYPE high = beyond > 0 ? LD(p + VL - 1, beyond) : (TYPE){0};                         \
        return __builtin_shufflevector(low, high, LANES_EVEN);                                     \
    }                                                                                              \
    if (n == 3 && m >= VL) return WITH_LAST(LD_PAIR(3, 0), 3);                                     \
    if (n == 4 && m >= VL) return LD_FOUR(4);                                                      \
    if (VL == 16 && m >= VL) {                                                                     \
        if (n == 5) return WITH_LAST(LD_FOUR(5), 5);                                               \
        if (n == 6) return LD_SIX(6);                                                              \
        if (n == 7) return WITH_LAST(LD_SIX(7), 7);                                                \
        if (n == 8) return LD_EIGHT(8);                                                            \
    }                                                                                              \
    if (n == -1) {                                                                                 \
        const TYPE back = m >= VL ? LD(p - VL + 1, VL)                                             \
                                  : LD_WHERE(p - VL + 1, lanes_i32(0) >= (int32_t)(VL - m), VL);   \
        return __builtin_shufflevector(back, back, LANES_BACK);                                    \
    }

//@SECTION ld_strided_8
LANES u8 ld_strided_8(const void *from, idx n, idx m) {
    typedef uint8_t lane __attribute__((may_alias));
    const lane *p = from;
    LD_SHUFFLED(u8, ld_8, ld_where_8)
    if (m >= VL) return (u8){STRIDED(p, n)};
    u8 some = {0};
    _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) if (l < m) some[l] = p[l * n];
    return some;
}

//@SECTION ld_strided_16
LANES u16 ld_strided_16(const void *from, idx n, idx m) {
    typedef uint16_t lane __attribute__((may_alias));
    const lane *p = from;
    LD_SHUFFLED(u16, ld_16, ld_where_16)
    if (m >= VL) return (u16){STRIDED(p, n)};
    u16 some = {0};
    _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) if (l < m) some[l] = p[l * n];
    return some;
}

//@SECTION ld_strided_32
LANES u32 ld_strided_32(const void *from, idx n, idx m) {
    typedef uint32_t lane __attribute__((may_alias));
    const lane *p = from;
    LD_SHUFFLED(u32, ld_32, ld_where_32)
    if (m >= VL) return (u32){STRIDED(p, n)};
    u32 some = {0};
    _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) if (l < m) some[l] = p[l * n];
    return some;
}

//@SECTION ld_strided_64
LANES u64 ld_strided_64(const void *from, idx n, idx m) {
    typedef uint64_t lane __attribute__((may_alias));
    const lane *p = from;
    if (m >= VL) return (u64){STRIDED(p, n)};
    u64 some = {0};
    _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) if (l < m) some[l] = p[l * n];
    return some;
}

//@SECTION ld_strided_f32
LANES f32 ld_strided_f32(const float *p, idx n, idx m) { return (f32)ld_strided_32(p, n, m); }

//@SECTION ld_strided_f64
LANES f64 ld_strided_f64(const double *p, idx n, idx m) { return (f64)ld_strided_64(p, n, m); }

//@SECTION ld_strided_i32
LANES i32 ld_strided_i32(const int32_t *p, idx n, idx m) { return (i32)ld_strided_32(p, n, m); }

//@SECTION ld_strided_i64
LANES i64 ld_strided_i64(const int64_t *p, idx n, idx m) { return (i64)ld_strided_64(p, n, m); }

//@SECTION ld_strided_bf16
LANES f32 ld_strided_bf16(const bf16 *p, idx n, idx m) {
    return decode_bf16(ld_strided_16(p, n, m));
}

//@SECTION ld_strided_f16
LANES f32 ld_strided_f16(const f16 *p, idx n, idx m) { return decode_f16(ld_strided_16(p, n, m)); }

//@SECTION ld_strided_f8e4m3
LANES f32 ld_strided_f8e4m3(const f8e4m3 *p, idx n, idx m) {
    return decode_f8e4m3(ld_strided_8(p, n, m));
}

//@SECTION ld_strided_f8e5m2
LANES f32 ld_strided_f8e5m2(const f8e5m2 *p, idx n, idx m) {
    return decode_f8e5m2(ld_strided_8(p, n, m));
}

//@SECTION ld_strided_u8
LANES i32 ld_strided_u8(const uint8_t *p, idx n, idx m) {
    return (i32)u32_8(ld_strided_8(p, n, m));
}

//@SECTION ld_strided_i8
LANES i32 ld_strided_i8(const int8_t *p, idx n, idx m) { return i32_8(ld_strided_8(p, n, m)); }

//@SECTION ld_strided_bool
LANES b1 ld_strided_bool(const bool_t *p, idx n, idx m) {
    return (i32)u32_8(ld_strided_8(p, n, m)) != 0;
}

//@SECTION LANES_UPPER
/* Two of each lane of the upper half of a vector. */
#if VL == 16
#define LANES_UPPER 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15
#endif

//@SECTION st_strided_8
LANES void st_strided_8(void *to, idx n, u8 v, idx m) {
    typedef uint8_t lane __attribute__((may_alias));
    lane *p = to;
    if (m >= VL) {
        _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) p[l * n] = v[l];
        return;
    }
    _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) if (l < m) p[l * n] = v[l];
}

//@SECTION st_strided_16
LANES void st_strided_16(void *to, idx n, u16 v, idx m) {
    typedef uint16_t lane __attribute__((may_alias));
    lane *p = to;
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    if (n == 2) {
        typedef int16_t lanes __attribute__((vector_size(32)));
        const u16 low = __builtin_shufflevector(v, v, LANES_TWICE);
        const u16 high = __builtin_shufflevector(v, v, LANES_UPPER);
        const uint32_t even = 0x55555555u & (uint32_t)((1ull << 2 * m) - 1);
        __builtin_ia32_storedquhi256_mask((void *)p, (lanes)low, (uint16_t)even);
        __builtin_ia32_storedquhi256_mask((void *)(p + VL), (lanes)high, (uint16_t)(even >> VL));
        return;
    }
#endif
    if (m >= VL) {
        _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) p[l * n] = v[l];
        return;
    }
    _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) if (l < m) p[l * n] = v[l];
}

//@SECTION st_strided_32
LANES void st_strided_32(void *to, idx n, u32 v, idx m) {
    typedef uint32_t lane __attribute__((may_alias));
    lane *p = to;
#if VL == 16 && defined(__AVX512F__)
    if (n == 2) {
        const u32 low = __builtin_shufflevector(v, v, LANES_TWICE);
        const u32 high = __builtin_shufflevector(v, v, LANES_UPPER);
        const uint32_t even = 0x55555555u & (uint32_t)((1ull << 2 * m) - 1);
        __builtin_ia32_storedqusi512_mask((void *)p, (i32)low, (uint16_t)even);
        __builtin_ia32_storedqusi512_mask((void *)(p + VL), (i32)high, (uint16_t)(even >> VL));
        return;
    }
#endif
    if (m >= VL) {
        _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) p[l * n] = v[l];
        return;
    }
    _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) if (l < m) p[l * n] = v[l];
}

//@SECTION st_strided_64
LANES void st_strided_64(void *to, idx n, u64 v, idx m) {
    typedef uint64_t lane __attribute__((may_alias));
    lane *p = to;
    if (m >= VL) {
        _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) p[l * n] = v[l];
        return;
    }
    _Pragma("GCC unroll 16") for (idx l = 0; l < VL; l++) if (l < m) p[l * n] = v[l];
}

//@SECTION st_strided_f32
LANES void st_strided_f32(float *p, idx n, f32 v, idx m) { st_strided_32(p, n, (u32)v, m); }

//@SECTION st_strided_f64
LANES void st_strided_f64(double *p, idx n, f64 v, idx m) { st_strided_64(p, n, (u64)v, m); }

//@SECTION st_strided_i32
LANES void st_strided_i32(int32_t *p, idx n, i32 v, idx m) { st_strided_32(p, n, (u32)v, m); }

//@SECTION st_strided_i64
LANES void st_strided_i64(int64_t *p, idx n, i64 v, idx m) { st_strided_64(p, n, (u64)v, m); }

//@SECTION st_strided_bf16
LANES void st_strided_bf16(bf16 *p, idx n, f32 v, idx m) { st_strided_16(p, n, encode_bf16(v), m); }

//@SECTION st_strided_f16
LANES void st_strided_f16(f16 *p, idx n, f32 v, idx m) { st_strided_16(p, n, encode_f16(v), m); }

//@SECTION st_strided_f8e4m3
LANES void st_strided_f8e4m3(f8e4m3 *p, idx n, f32 v, idx m) {
    st_strided_8(p, n, encode_f8e4m3(v), m);
}

//@SECTION st_strided_f8e5m2
LANES void st_strided_f8e5m2(f8e5m2 *p, idx n, f32 v, idx m) {
    st_strided_8(p, n, encode_f8e5m2(v), m);
}

//@SECTION st_strided_u8
LANES void st_strided_u8(uint8_t *p, idx n, i32 v, idx m) { st_strided_8(p, n, u8_u32((u32)v), m); }

//@SECTION st_strided_i8
LANES void st_strided_i8(int8_t *p, idx n, i32 v, idx m) { st_strided_8(p, n, u8_u32((u32)v), m); }

//@SECTION st_strided_bool
LANES void st_strided_bool(bool_t *p, idx n, b1 v, idx m) {
    st_strided_8(p, n, u8_u32((u32)v & 1), m);
}

//@SECTION --
// ---- two lanes for each element, or for every other one ---------------------------------------

//@SECTION LANES_EVEN_TWICE
#if VL == 16
#define LANES_EVEN_TWICE 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14
#elif VL == 8
#define LANES_EVEN_TWICE 0, 0, 2, 2, 4, 4, 6, 6
#else
#define LANES_EVEN_TWICE 0, 0, 2, 2
#endif

//@SECTION LD_GROUPS
/* Q lanes for each S-th element, of such a register: at most the lanes of a vector. */
#define LANE_OF_GROUP(Q, S, L) ((L) / (Q) * (S))
#define LD_GROUPS(REG, LOAD, P, Q, S, M)                                                           \
    __builtin_shufflevector(LOAD(P, ((M) - 1) / (Q) * (S) + 1), (REG){0},                          \
                            EACH_LANE_OF(LANE_OF_GROUP, Q, S))

//@SECTION ld_twice_16
LANES u16 ld_twice_16(const void *p, idx m) {
    const u16 x = ld_16(p, (m + 1) / 2);
    return __builtin_shufflevector(x, x, LANES_TWICE);
}

//@SECTION ld_even_twice_16
LANES u16 ld_even_twice_16(const void *p, idx m) {
    const u16 x = ld_16(p, (m - 1) | 1); /* nothing beyond the last even element is read */
    return __builtin_shufflevector(x, x, LANES_EVEN_TWICE);
}

//@SECTION ld_twice_32
LANES u32 ld_twice_32(const void *p, idx m) {
    const u32 x = ld_32(p, (m + 1) / 2);
    return __builtin_shufflevector(x, x, LANES_TWICE);
}

//@SECTION ld_even_twice_32
LANES u32 ld_even_twice_32(const void *p, idx m) {
    const u32 x = ld_32(p, (m - 1) | 1); /* nothing beyond the last even element is read */
    return __builtin_shufflevector(x, x, LANES_EVEN_TWICE);
}

//@SECTION ld_twice_f32
LANES f32 ld_twice_f32(const float *p, idx m) { return (f32)ld_twice_32(p, m); }

//@SECTION ld_twice_i32
LANES i32 ld_twice_i32(const int32_t *p, idx m) { return (i32)ld_twice_32(p, m); }

//@SECTION ld_twice_bf16
LANES f32 ld_twice_bf16(const bf16 *p, idx m) { return decode_bf16(ld_twice_16(p, m)); }

//@SECTION ld_twice_f16
LANES f32 ld_twice_f16(const f16 *p, idx m) { return decode_f16(ld_twice_16(p, m)); }

//@SECTION ld_even_twice_f32
LANES f32 ld_even_twice_f32(const float *p, idx m) { return (f32)ld_even_twice_32(p, m); }

//@SECTION ld_even_twice_i32
LANES i32 ld_even_twice_i32(const int32_t *p, idx m) { return (i32)ld_even_twice_32(p, m); }

//@SECTION ld_even_twice_bf16
LANES f32 ld_even_twice_bf16(const bf16 *p, idx m) { return decode_bf16(ld_even_twice_16(p, m)); }

//@SECTION ld_even_twice_f16
LANES f32 ld_even_twice_f16(const f16 *p, idx m) { return decode_f16(ld_even_twice_16(p, m)); }
