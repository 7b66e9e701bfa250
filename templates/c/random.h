/* random.h: counter-based random numbers: Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel
 * random numbers: as easy as 1, 2, 3", 2011). Sections as in lanes.h. */
#pragma once
#include "arithmetic.h"
//@BEGIN
//@SECTION u64_half
typedef uint64_t u64_half __attribute__((vector_size(VL * 4)));

//@SECTION mul_even_u32
/* Lanes 0, 2, .. of a, times b, in 64 bits each. */
LANES u64_half mul_even_u32(u64_half a, uint32_t b) {
#if defined(__AVX512F__) && VL == 16 || defined(__AVX2__) && VL == 8
    u64_half product;
    __asm__("vpmuludq %2, %1, %0" : "=v"(product) : "v"(a), "v"(b - (u64_half){0}));
    return product;
#elif defined(__SSE2__) && VL == 4
    __asm__("pmuludq %1, %0" : "+x"(a) : "x"(b - (u64_half){0}));
    return a;
#else
    return (a & UINT32_MAX) * b;
#endif
}

//@SECTION mul_high_u32
/* The upper half of a * b. */
LANES u32 mul_high_u32(u32 a, uint32_t b) {
    u64_half even = mul_even_u32((u64_half)a, b), odd = mul_even_u32((u64_half)a >> 32, b);
    return (u32)(even >> 32 | (odd & ~(uint64_t)UINT32_MAX));
}

//@SECTION philox_i64
/* Word index % 4 of the block with the counter index / 4 and the key `seed`. */
LANES i32 philox_i64(i64 seed, i64 index) {
    u64 block = (u64)index >> 2, key = (u64)seed;
    u32 a = __builtin_convertvector(block, u32), b = __builtin_convertvector(block >> 32, u32);
    u32 k = __builtin_convertvector(key, u32), l = __builtin_convertvector(key >> 32, u32);
    u32 c = {0}, d = {0};
    for (int round = 0; round < 10; round++) {
        u32 first = mul_high_u32(a, 0xD2511F53) ^ d ^ l, last = a * 0xD2511F53;
        a = mul_high_u32(c, 0xCD9E8D57) ^ b ^ k;
        b = c * 0xCD9E8D57;
        c = first;
        d = last;
        k += 0x9E3779B9;
        l += 0xBB67AE85;
    }
    i32 word = __builtin_convertvector(index, i32) & 3;
    i32 low = where_i32(word == 0, (i32)a, (i32)b), high = where_i32(word == 2, (i32)c, (i32)d);
    return where_i32(word < 2, low, high);
}

//@SECTION philox_of_i64
LANES i32 philox_of_i64(i64 seed, i64 index, int scale, int offset) {
    return philox_i64(seed, index * scale + offset);
}

//@SECTION unit_float_i32
/* The upper 24 bits, from 0 to 1. */
LANES f32 unit_float_i32(i32 x) {
    return __builtin_convertvector((i32)((u32)x >> 8), f32) * 0x1p-24f;
}
