/* memory.h: loads and stores of whole vectors or of the first m lanes.
 * Sections as in lanes.h. */
#pragma once
#include "narrow.h"
//@BEGIN
//@SECTION --
// ---- loads of m lanes: the rest are 0, memory beyond is not read ---------------------------

//@SECTION LOAD_LANES STORE_LANES
/* The first m lanes of fewer than VL. Of four without a call: loops keep constants in registers. */
#if VL == 4
#define LOAD_LANES(TYPE, X, P, M)                                                                  \
    {                                                                                              \
        typedef TYPE lane __attribute__((may_alias, aligned(1)));                                  \
        X[0] = ((const lane *)(P))[0];                                                             \
        if (M > 1) X[1] = ((const lane *)(P))[1];                                                  \
        if (M > 2) X[2] = ((const lane *)(P))[2];                                                  \
    }
#define STORE_LANES(TYPE, P, X, M)                                                                 \
    {                                                                                              \
        typedef TYPE lane __attribute__((may_alias, aligned(1)));                                  \
        ((lane *)(P))[0] = X[0];                                                                   \
        if (M > 1) ((lane *)(P))[1] = X[1];                                                        \
        if (M > 2) ((lane *)(P))[2] = X[2];                                                        \
    }
#else
#define LOAD_LANES(TYPE, X, P, M)  memcpy(&X, P, (size_t)(M) * sizeof(TYPE))
#define STORE_LANES(TYPE, P, X, M) memcpy(P, &X, (size_t)(M) * sizeof(TYPE))
#endif

//@SECTION ld_8
LANES u8 ld_8(const void *p, idx m) {
    if (m >= VL) {
        u8 all;
        memcpy(&all, p, sizeof all);
        return all;
    }
    u8 some = {0};
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    typedef char lanes __attribute__((vector_size(16)));
    some = (u8)__builtin_ia32_loaddquqi128_mask(p, (lanes)some, (uint16_t)((1u << m) - 1));
#else
    LOAD_LANES(uint8_t, some, p, m);
#endif
    return some;
}

//@SECTION LANES_TWICE
#if VL == 16
#define LANES_TWICE 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
#elif VL == 8
#define LANES_TWICE 0, 0, 1, 1, 2, 2, 3, 3
#else
#define LANES_TWICE 0, 0, 1, 1
#endif

//@SECTION ld_twice_8
/* For m lanes, two of each byte. gcc would put together a vector of half as many in memory. */
#if VL == 16
typedef uint64_t half_lanes;
#elif VL == 8
typedef uint32_t half_lanes;
#else
typedef uint16_t half_lanes;
#endif
LANES u8 ld_twice_8(const void *p, idx m) {
    typedef half_lanes halves __attribute__((vector_size(VL)));
    half_lanes low = 0;
    if (m >= VL)
        memcpy(&low, p, VL / 2);
    else
        memcpy(&low, p, (size_t)(m + 1) / 2);
    const u8 x = (u8)(halves){low};
    return __builtin_shufflevector(x, x, LANES_TWICE);
}

//@SECTION ld_twice_u8
LANES i32 ld_twice_u8(const uint8_t *p, idx m) { return (i32)u32_8(ld_twice_8(p, m)); }

//@SECTION ld_twice_i8
LANES i32 ld_twice_i8(const int8_t *p, idx m) { return i32_8(ld_twice_8(p, m)); }

//@SECTION ld_16
LANES u16 ld_16(const void *p, idx m) {
    if (m >= VL) {
        u16 all;
        memcpy(&all, p, sizeof all);
        return all;
    }
    u16 some = {0};
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    typedef int16_t lanes __attribute__((vector_size(32)));
    some = (u16)__builtin_ia32_loaddquhi256_mask(p, (lanes)some, (uint16_t)((1u << m) - 1));
#else
    LOAD_LANES(uint16_t, some, p, m);
#endif
    return some;
}

//@SECTION ld_32
LANES u32 ld_32(const void *p, idx m) {
    if (m >= VL) {
        u32 all;
        memcpy(&all, p, sizeof all);
        return all;
    }
    u32 some = {0};
#if VL == 16 && defined(__AVX512F__)
    some = (u32)__builtin_ia32_loaddqusi512_mask(p, (i32)some, (uint16_t)((1u << m) - 1));
#elif VL == 8 && defined(__AVX2__)
    some = (u32)__builtin_ia32_maskloadd256(p, lanes_i32(0) < (int32_t)m);
#else
    LOAD_LANES(uint32_t, some, p, m);
#endif
    return some;
}

//@SECTION MASKED_64
/* Are there masked loads and stores? Of 64-bit lanes by halves, as VL lanes of 32 bits each. */
#if (VL == 16 && defined(__AVX512F__)) || (VL == 8 && defined(__AVX2__))
#define MASKED_64
#endif

//@SECTION ld_64
LANES u64 ld_64(const void *p, idx m) {
    if (m >= VL) {
        u64 all;
        memcpy(&all, p, sizeof all);
        return all;
    }
#ifdef MASKED_64
    pair64 some = {.i = {0}};
    some.i_half[0] = (i64_half)ld_32(p, 2 * m);
    if (m > VL / 2) some.i_half[1] = (i64_half)ld_32((const int64_t *)p + VL / 2, 2 * m - VL);
    return (u64)some.i;
#else
    u64 some = {0};
    LOAD_LANES(uint64_t, some, p, m);
    return some;
#endif
}

//@SECTION ld_f32
LANES f32 ld_f32(const float *p, idx m) { return (f32)ld_32(p, m); }

//@SECTION ld_f64
LANES f64 ld_f64(const double *p, idx m) { return (f64)ld_64(p, m); }

//@SECTION ld_i32
LANES i32 ld_i32(const int32_t *p, idx m) { return (i32)ld_32(p, m); }

//@SECTION ld_i64
LANES i64 ld_i64(const int64_t *p, idx m) { return (i64)ld_64(p, m); }

//@SECTION ld_bf16
LANES f32 ld_bf16(const bf16 *p, idx m) { return decode_bf16(ld_16(p, m)); }

//@SECTION ld_f16
LANES f32 ld_f16(const f16 *p, idx m) { return decode_f16(ld_16(p, m)); }

//@SECTION ld_f8e4m3
LANES f32 ld_f8e4m3(const f8e4m3 *p, idx m) { return decode_f8e4m3(ld_8(p, m)); }

//@SECTION ld_f8e5m2
LANES f32 ld_f8e5m2(const f8e5m2 *p, idx m) { return decode_f8e5m2(ld_8(p, m)); }

//@SECTION ld_u8
LANES i32 ld_u8(const uint8_t *p, idx m) { return (i32)u32_8(ld_8(p, m)); }

//@SECTION ld_i8
LANES i32 ld_i8(const int8_t *p, idx m) { return i32_8(ld_8(p, m)); }

//@SECTION ld_bool
LANES b1 ld_bool(const bool_t *p, idx m) { return (i32)u32_8(ld_8(p, m)) != 0; }

//@SECTION get_f32
LANES float get_f32(const float *p) { return *p; }

//@SECTION get_f64
LANES double get_f64(const double *p) { return *p; }

//@SECTION get_i32
LANES int32_t get_i32(const int32_t *p) { return *p; }

//@SECTION get_i64
LANES int64_t get_i64(const int64_t *p) { return *p; }

//@SECTION get_bf16
LANES float get_bf16(const bf16 *p) { return ld_bf16(p, 1)[0]; }

//@SECTION get_f16
LANES float get_f16(const f16 *p) { return ld_f16(p, 1)[0]; }

//@SECTION get_f8e4m3
LANES float get_f8e4m3(const f8e4m3 *p) { return ld_f8e4m3(p, 1)[0]; }

//@SECTION get_f8e5m2
LANES float get_f8e5m2(const f8e5m2 *p) { return ld_f8e5m2(p, 1)[0]; }

//@SECTION get_i8
LANES int32_t get_i8(const int8_t *p) { return *p; }

//@SECTION get_u8
LANES int32_t get_u8(const uint8_t *p) { return *p; }

//@SECTION get_bool
LANES int32_t get_bool(const bool_t *p) { return -(*p != 0); }

//@SECTION lds_f32
LANES f32 lds_f32(const float *p) { return splat_f32(*p); }

//@SECTION lds_f64
LANES f64 lds_f64(const double *p) { return splat_f64(*p); }

//@SECTION lds_i32
LANES i32 lds_i32(const int32_t *p) { return splat_i32(*p); }

//@SECTION lds_i64
LANES i64 lds_i64(const int64_t *p) { return splat_i64(*p); }

//@SECTION lds_bf16
LANES f32 lds_bf16(const bf16 *p) { return splat_f32(get_bf16(p)); }

//@SECTION lds_f16
LANES f32 lds_f16(const f16 *p) { return splat_f32(get_f16(p)); }

//@SECTION lds_f8e4m3
LANES f32 lds_f8e4m3(const f8e4m3 *p) { return splat_f32(get_f8e4m3(p)); }

//@SECTION lds_f8e5m2
LANES f32 lds_f8e5m2(const f8e5m2 *p) { return splat_f32(get_f8e5m2(p)); }

//@SECTION lds_i8
LANES i32 lds_i8(const int8_t *p) { return splat_i32(*p); }

//@SECTION lds_u8
LANES i32 lds_u8(const uint8_t *p) { return splat_i32(*p); }

//@SECTION lds_bool
LANES b1 lds_bool(const bool_t *p) { return splat_b1(get_bool(p)); }

//@SECTION --
// ---- stores of m lanes ----------------------------------------------------------------------

//@SECTION st_8
LANES void st_8(void *p, u8 v, idx m) {
    if (m >= VL) {
        memcpy(p, &v, sizeof v);
        return;
    }
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    typedef char lanes __attribute__((vector_size(16)));
    __builtin_ia32_storedquqi128_mask(p, (lanes)v, (uint16_t)((1u << m) - 1));
#else
    STORE_LANES(uint8_t, p, v, m);
#endif
}

//@SECTION st_16
LANES void st_16(void *p, u16 v, idx m) {
    if (m >= VL) {
        memcpy(p, &v, sizeof v);
        return;
    }
#if VL == 16 && defined(__AVX512BW__) && defined(__AVX512VL__)
    typedef int16_t lanes __attribute__((vector_size(32)));
    __builtin_ia32_storedquhi256_mask(p, (lanes)v, (uint16_t)((1u << m) - 1));
#else
    STORE_LANES(uint16_t, p, v, m);
#endif
}

//@SECTION st_32
LANES void st_32(void *p, u32 v, idx m) {
    if (m >= VL) {
        memcpy(p, &v, sizeof v);
        return;
    }
#if VL == 16 && defined(__AVX512F__)
    __builtin_ia32_storedqusi512_mask(p, (i32)v, (uint16_t)((1u << m) - 1));
#elif VL == 8 && defined(__AVX2__)
    __builtin_ia32_maskstored256(p, lanes_i32(0) < (int32_t)m, (i32)v);
#else
    STORE_LANES(uint32_t, p, v, m);
#endif
}

//@SECTION st_64
LANES void st_64(void *p, u64 v, idx m) {
    if (m >= VL) {
        memcpy(p, &v, sizeof v);
        return;
    }
#ifdef MASKED_64
    const pair64 some = {.i = (i64)v};
    st_32(p, (u32)some.i_half[0], 2 * m);
    if (m > VL / 2) st_32((int64_t *)p + VL / 2, (u32)some.i_half[1], 2 * m - VL);
#else
    STORE_LANES(uint64_t, p, v, m);
#endif
}

//@SECTION st_f32
LANES void st_f32(float *p, f32 v, idx m) { st_32(p, (u32)v, m); }

//@SECTION st_f64
LANES void st_f64(double *p, f64 v, idx m) { st_64(p, (u64)v, m); }

//@SECTION st_i32
LANES void st_i32(int32_t *p, i32 v, idx m) { st_32(p, (u32)v, m); }

//@SECTION st_i64
LANES void st_i64(int64_t *p, i64 v, idx m) { st_64(p, (u64)v, m); }

//@SECTION st_bf16
LANES void st_bf16(bf16 *p, f32 v, idx m) { st_16(p, encode_bf16(v), m); }

//@SECTION st_rounded_bf16
LANES void st_rounded_bf16(bf16 *p, f32 v, idx m) { st_16(p, halves_bf16(v), m); }

//@SECTION st_f16
LANES void st_f16(f16 *p, f32 v, idx m) { st_16(p, encode_f16(v), m); }

//@SECTION st_f8e4m3
LANES void st_f8e4m3(f8e4m3 *p, f32 v, idx m) { st_8(p, encode_f8e4m3(v), m); }

//@SECTION st_f8e5m2
LANES void st_f8e5m2(f8e5m2 *p, f32 v, idx m) { st_8(p, encode_f8e5m2(v), m); }

//@SECTION st_u8
LANES void st_u8(uint8_t *p, i32 v, idx m) { st_8(p, u8_u32((u32)v), m); }

//@SECTION st_i8
LANES void st_i8(int8_t *p, i32 v, idx m) { st_8(p, u8_u32((u32)v), m); }

//@SECTION st_bool
LANES void st_bool(bool_t *p, b1 v, idx m) { st_8(p, u8_u32((u32)v & 1), m); }

//@SECTION put_f32
LANES void put_f32(float *p, f32 v) { *p = v[0]; }

//@SECTION put_f64
LANES void put_f64(double *p, f64 v) { *p = v[0]; }

//@SECTION put_i32
LANES void put_i32(int32_t *p, i32 v) { *p = v[0]; }

//@SECTION put_i64
LANES void put_i64(int64_t *p, i64 v) { *p = v[0]; }

//@SECTION put_bf16
LANES void put_bf16(bf16 *p, f32 v) { *p = encode_bf16(v)[0]; }

//@SECTION put_f16
LANES void put_f16(f16 *p, f32 v) { *p = encode_f16(v)[0]; }

//@SECTION put_f8e4m3
LANES void put_f8e4m3(f8e4m3 *p, f32 v) { *p = encode_f8e4m3(v)[0]; }

//@SECTION put_f8e5m2
LANES void put_f8e5m2(f8e5m2 *p, f32 v) { *p = encode_f8e5m2(v)[0]; }

//@SECTION put_i8
LANES void put_i8(int8_t *p, i32 v) { *p = (int8_t)v[0]; }

//@SECTION put_u8
LANES void put_u8(uint8_t *p, i32 v) { *p = (uint8_t)v[0]; }

//@SECTION put_bool
LANES void put_bool(bool_t *p, b1 v) { *p = v[0] != 0; }

//@SECTION --
// ---- streaming (non-temporal) stores of whole aligned vectors; others are plain stores -------

//@SECTION STREAM
#if (VL == 16 && defined(__AVX512F__)) || (VL < 16 && defined(__AVX__))
#define STREAM(P, V)                                                                               \
    __asm__("vmovntdq %1, %0" : "=m"(*(__typeof__(V) __attribute__((may_alias)) *)(P)) : "v"(V))
#elif VL == 4 && defined(__SSE2__)
#define STREAM(P, V)                                                                               \
    __asm__("movntdq %1, %0" : "=m"(*(__typeof__(V) __attribute__((may_alias)) *)(P)) : "x"(V))
#endif

//@SECTION stream_8
LANES void stream_8(void *p, u8 v, idx m) {
#if defined(STREAM) && VL == 16
    if (m >= VL && (uintptr_t)p % sizeof v == 0) {
        STREAM(p, v);
        return;
    }
#endif
    st_8(p, v, m);
}

//@SECTION stream_16
LANES void stream_16(void *p, u16 v, idx m) {
#if defined(STREAM) && VL >= 8
    if (m >= VL && (uintptr_t)p % sizeof v == 0) {
        STREAM(p, v);
        return;
    }
#endif
    st_16(p, v, m);
}

//@SECTION stream_32
LANES void stream_32(void *p, u32 v, idx m) {
#ifdef STREAM
    if (m >= VL && (uintptr_t)p % sizeof v == 0) {
        STREAM(p, v);
        return;
    }
#endif
    st_32(p, v, m);
}

//@SECTION stream_64
LANES void stream_64(void *p, u64 v, idx m) {
#ifdef STREAM
    if (m >= VL && (uintptr_t)p % (sizeof v / 2) == 0) {
        pair64 x = {.i = (i64)v};
        STREAM(p, x.i_half[0]);
        STREAM((char *)p + sizeof v / 2, x.i_half[1]);
        return;
    }
#endif
    st_64(p, v, m);
}

//@SECTION stream_f32
LANES void stream_f32(float *p, f32 v, idx m) { stream_32(p, (u32)v, m); }

//@SECTION stream_f64
LANES void stream_f64(double *p, f64 v, idx m) { stream_64(p, (u64)v, m); }

//@SECTION stream_i32
LANES void stream_i32(int32_t *p, i32 v, idx m) { stream_32(p, (u32)v, m); }

//@SECTION stream_i64
LANES void stream_i64(int64_t *p, i64 v, idx m) { stream_64(p, (u64)v, m); }

//@SECTION stream_bf16
LANES void stream_bf16(bf16 *p, f32 v, idx m) { stream_16(p, encode_bf16(v), m); }

//@SECTION stream_rounded_bf16
LANES void stream_rounded_bf16(bf16 *p, f32 v, idx m) { stream_16(p, halves_bf16(v), m); }

//@SECTION stream_f16
LANES void stream_f16(f16 *p, f32 v, idx m) { stream_16(p, encode_f16(v), m); }

//@SECTION stream_f8e4m3
LANES void stream_f8e4m3(f8e4m3 *p, f32 v, idx m) { stream_8(p, encode_f8e4m3(v), m); }

//@SECTION stream_f8e5m2
LANES void stream_f8e5m2(f8e5m2 *p, f32 v, idx m) { stream_8(p, encode_f8e5m2(v), m); }

//@SECTION stream_u8
LANES void stream_u8(uint8_t *p, i32 v, idx m) { stream_8(p, u8_u32((u32)v), m); }

//@SECTION stream_i8
LANES void stream_i8(int8_t *p, i32 v, idx m) { stream_8(p, u8_u32((u32)v), m); }

//@SECTION stream_bool
LANES void stream_bool(bool_t *p, b1 v, idx m) { stream_8(p, u8_u32((u32)v & 1), m); }

//@SECTION stream_fence
LANES void stream_fence(void) { /* orders streaming stores before reads of other threads */
#ifdef __SSE__
    __asm__ volatile("sfence" ::: "memory");
#endif
}
