/* tensor_map.h: what our cuTensorMapEncodeTiled puts into the 128 bytes of a map, for kernels that
 * the shim runs. C and C++. */
#ifndef FUSEC_SHIM_TENSOR_MAP_H
#define FUSEC_SHIM_TENSOR_MAP_H

#include <stdint.h>

enum { SHIM_MAP = 0x70616d };

typedef struct ShimMap {
    uint64_t mark, at, extent[3], step[2]; /* step: bytes */
    uint32_t box[3], element;              /* bytes of one */
} ShimMap;

/* The parameters of cuTensorMapEncodeTiled, of which only what emitted programs ask for is taken:
 * three axes of 16-bit floats, rows of 128 bytes, swizzled. */
static inline int shim_encode_map(void *map, int type, unsigned rank, void *at,
                                  const unsigned long long *extent, const unsigned long long *step,
                                  const unsigned *box, const unsigned *each, int interleave,
                                  int swizzle, int promotion, int fill) {
    enum { INVALID = 1, FLOAT16 = 6, BFLOAT16 = 9, SWIZZLE_128 = 3 };
    ShimMap *m = (ShimMap *)map;
    if ((type != FLOAT16 && type != BFLOAT16) || rank != 3 || interleave || promotion < 0 || fill ||
        swizzle != SWIZZLE_128 || (uintptr_t)map % 64 || (uintptr_t)at % 16)
        return INVALID;
    m->element = 2;
    for (int i = 0; i < 3; i++) {
        if (!extent[i] || extent[i] >> 32 || !box[i] || box[i] > 256 || each[i] != 1)
            return INVALID;
        if (i < 2 && (step[i] % 16 || step[i] >> 40)) return INVALID;
        m->extent[i] = extent[i], m->box[i] = box[i];
        if (i < 2) m->step[i] = step[i];
    }
    if (box[0] * m->element != 128) return INVALID;
    m->at = (uint64_t)(uintptr_t)at;
    m->mark = SHIM_MAP;
    return 0;
}

#endif
