/* random.cuh: counter-based random numbers: Philox 4x32-10 (Salmon, Moraes, Dror and Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3", 2011). Sections as in types.cuh. */
#pragma once
#include "types.cuh"
//@BEGIN
//@SECTION philox_word
/* A word of the block with this counter and the key `seed`. */
DEVICE int philox_word(long long seed, unsigned long long block, int word) {
    unsigned a = (unsigned)block, b = (unsigned)(block >> 32), c = 0, d = 0;
    unsigned k = (unsigned)seed, l = (unsigned)((unsigned long long)seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        const unsigned long long x = a * 0xD2511F53ull, y = c * 0xCD9E8D57ull;
        a = (unsigned)(y >> 32) ^ b ^ k;
        b = (unsigned)y;
        c = (unsigned)(x >> 32) ^ d ^ l;
        d = (unsigned)x;
        k += 0x9E3779B9;
        l += 0xBB67AE85;
    }
    return (int)(word < 2 ? (word ? b : a) : word == 2 ? c : d);
}

//@SECTION philox
DEVICE int philox(long long seed, long long index) {
    return philox_word(seed, (unsigned long long)index >> 2, (int)(index & 3));
}

//@SECTION philox_of
/* Word SCALE * index + OFFSET, OFFSET < SCALE. Words of one index have one block, by the same
 * expression, so that the compiler computes it once. */
template <int SCALE, int OFFSET> DEVICE int philox_of(long long seed, unsigned long long index) {
    constexpr int each = 4 / SCALE; /* positions of a block */
    return philox_word(seed, index / each, (int)(index % each) * SCALE + OFFSET);
}

//@SECTION philox_in_tile
/* The same where a thread has many elements of a tile in registers: the rounds are a loop, so that
 * the compiler computes one element after the other. */
template <int SCALE = 1, int OFFSET = 0>
DEVICE int philox_in_tile(long long seed, unsigned long long index) {
    index = index * SCALE + OFFSET;
    unsigned block[4] = {(unsigned)(index >> 2), (unsigned)(index >> 34), 0, 0};
    unsigned k = (unsigned)seed, l = (unsigned)((unsigned long long)seed >> 32);
#pragma unroll 1
    for (int round = 0; round < 10; round++) {
        const unsigned long long x = block[0] * 0xD2511F53ull, y = block[2] * 0xCD9E8D57ull;
        block[0] = (unsigned)(y >> 32) ^ block[1] ^ k;
        block[1] = (unsigned)y;
        block[2] = (unsigned)(x >> 32) ^ block[3] ^ l;
        block[3] = (unsigned)x;
        k += 0x9E3779B9;
        l += 0xBB67AE85;
    }
    const int word = (int)(index & 3);
    return (int)(word < 2 ? (word ? block[1] : block[0]) : word == 2 ? block[2] : block[3]);
}

//@SECTION philox_in_pack
/* The same at start + l, where start is a multiple of VEC: the compiler computes each block of a
 * pack once. */
template <int VEC, int SCALE = 1, int OFFSET = 0>
DEVICE int philox_in_pack(long long seed, unsigned long long start, int l) {
    if (VEC * SCALE % 4) return philox_of<SCALE, OFFSET>(seed, start + l);
    const int word = l * SCALE + OFFSET;
    return philox_word(seed, start / (4 / SCALE) + (unsigned)(word / 4), word % 4);
}

//@SECTION unit_float
/* The upper 24 bits, from 0 to 1. */
DEVICE float unit_float(int x) { return (float)((unsigned)x >> 8) * (1.0f / 16777216); }
