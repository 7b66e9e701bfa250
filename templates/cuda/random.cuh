/* random.cuh: counter-based random numbers: Philox 4x32-10 (Salmon, Moraes, Dror and Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3", 2011). Sections as in types.cuh. */
#pragma once
#include "types.cuh"
//@BEGIN
//@SECTION philox
/* Word index % 4 of the block with the counter index / 4 and the key `seed`. Elements of one block
 * that a thread has share its rounds. */
DEVICE int philox(long long seed, long long index) {
    const unsigned long long block = (unsigned long long)index >> 2;
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
    const int word = (int)(index & 3);
    return (int)(word < 2 ? (word ? b : a) : word == 2 ? c : d);
}

//@SECTION unit_float
/* The upper 24 bits, from 0 to 1. */
DEVICE float unit_float(int x) { return (float)((unsigned)x >> 8) * (1.0f / 16777216); }
