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

//@SECTION philox_blocks
/* The words of blocks with these counters, in the lower halves of 64-bit lanes. What is in the upper
 * halves has no meaning. */
typedef struct Philox {
    u64_half word[4];
} Philox;

LANES Philox philox_blocks(u64_half seed, u64_half block) {
    u64_half a = block, b = block >> 32, c = {0}, d = {0}, k = seed, l = seed >> 32;
    for (int round = 0; round < 10; round++) {
        u64_half first = mul_even_u32(a, 0xD2511F53), second = mul_even_u32(c, 0xCD9E8D57);
        a = (second >> 32) ^ b ^ k;
        b = second;
        c = (first >> 32) ^ d ^ l;
        d = first;
        k += 0x9E3779B9;
        l += 0xBB67AE85;
    }
    return (Philox){{a, b, c, d}};
}

//@SECTION u64_halves
typedef union u64_halves {
    u64 whole;
    i64 whole_i64;
    u64_half half[2];
} u64_halves;

//@SECTION where_u64_half
LANES u64_half where_u64_half(u64_half c, u64_half a, u64_half b) { /* c: 0 or 1 */
    return ((0 - c) & a) ^ ((c - 1) & b);
}

//@SECTION philox_i64
/* Word index % 4 of the block with the counter index / 4 and the key `seed`. */
LANES i32 philox_i64(i64 seed, i64 index) {
    u64_halves key = {.whole_i64 = seed}, at = {.whole_i64 = index}, word;
    for (int k = 0; k < 2; k++) {
        Philox p = philox_blocks(key.half[k], at.half[k] >> 2);
        u64_half low = at.half[k] & 1, high = at.half[k] >> 1 & 1;
        word.half[k] = where_u64_half(high, where_u64_half(low, p.word[3], p.word[2]),
                                      where_u64_half(low, p.word[1], p.word[0]));
    }
    return (i32)__builtin_convertvector(word.whole, u32);
}

//@SECTION philox_of_i64
LANES i32 philox_of_i64(i64 seed, i64 index, int scale, int offset) {
    return philox_i64(seed, index * scale + offset);
}

//@SECTION i32_pair
typedef struct i32_pair {
    i32 first, second;
} i32_pair;

//@SECTION philox_two_i64
/* Words 2 * index and 2 * index + 1, which are of one block. */
LANES i32_pair philox_two_i64(i64 seed, i64 index) {
    u64_halves key = {.whole_i64 = seed}, at = {.whole_i64 = index}, first, second;
    for (int k = 0; k < 2; k++) {
        Philox p = philox_blocks(key.half[k], at.half[k] << 1 >> 2);
        u64_half high = at.half[k] & 1;
        first.half[k] = where_u64_half(high, p.word[2], p.word[0]);
        second.half[k] = where_u64_half(high, p.word[3], p.word[1]);
    }
    return (i32_pair){(i32)__builtin_convertvector(first.whole, u32),
                      (i32)__builtin_convertvector(second.whole, u32)};
}

//@SECTION philox_from
/* Of the VL / 2 blocks from word `start` on; all lanes of the seed are the same. */
LANES Philox philox_from(i64 seed, uint64_t start) {
    u64_halves key = {.whole_i64 = seed}, number = {.whole = {LANE_NUMBERS}};
    return philox_blocks(key.half[0], ((start >> 2) + number.half[0]) & UINT64_MAX >> 2);
}

/* Two words of each block, in turn. */
LANES i32 philox_join(u64_half a, u64_half b) { return (i32)((a & UINT32_MAX) | b << 32); }

//@SECTION philox_from_i64
/* Words start, start + 1, .. */
LANES i32 philox_from_i64(i64 seed, int64_t start) {
    Philox p = philox_from(seed, (uint64_t)start);
    u64_half low = (u64_half)philox_join(p.word[0], p.word[1]);
    u64_half high = (u64_half)philox_join(p.word[2], p.word[3]);
#if VL == 16
    i32 words = (i32)__builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11);
    i32 next = (i32)__builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15);
#elif VL == 8
    i32 words = (i32)__builtin_shufflevector(low, high, 0, 4, 1, 5);
    i32 next = (i32)__builtin_shufflevector(low, high, 2, 6, 3, 7);
#else
    i32 words = (i32)__builtin_shufflevector(low, high, 0, 2);
    i32 next = (i32)__builtin_shufflevector(low, high, 1, 3);
#endif
    if (start & 1) {
        words = LANES_FROM(words, next, 1);
        next = LANES_FROM(next, next, 1);
    }
    return start & 2 ? LANES_FROM(words, next, 2) : words;
}

//@SECTION philox_two_from_i64
/* Of neighbours: words 2 * start and 2 * start + 1 in the first lane. Two neighbours have the four
 * words of a block, and the first of them may be the second of its block. */
LANES i32_pair philox_two_from_i64(i64 seed, int64_t start) {
    const uint64_t word = 2 * (uint64_t)start;
    Philox p = philox_from(seed, word);
    i32 first = philox_join(p.word[0], p.word[2]), second = philox_join(p.word[1], p.word[3]);
    if (start & 1) {
        p = philox_from(seed, word + 2 * VL);
        first = LANES_FROM(first, philox_join(p.word[0], p.word[2]), 1);
        second = LANES_FROM(second, philox_join(p.word[1], p.word[3]), 1);
    }
    return (i32_pair){first, second};
}

//@SECTION unit_float_i32
/* The upper 24 bits, from 0 to 1. */
LANES f32 unit_float_i32(i32 x) {
    return __builtin_convertvector((i32)((u32)x >> 8), f32) * 0x1p-24f;
}
