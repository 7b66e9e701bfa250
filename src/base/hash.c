/* hash.c: the only hash function of fusec (tables in memory, cache keys, checksums of tensors).
 * In: bytes and a seed. Out: XXH3, 64 bits, the same on every machine. */
#include "base/base.h"

#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t size, uint64_t seed) {
    return XXH3_64bits_withSeed(data, size, seed);
}
