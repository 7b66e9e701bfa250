/* tensor_map.h: what our cuTensorMapEncodeTiled puts into the 128 bytes of a map, for kernels that
 * the shim runs. C and C++. */
#ifndef FUSEC_SHIM_TENSOR_MAP_H
#define FUSEC_SHIM_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

enum { SHIM_MAP = 0x70616d };

typedef struct ShimMap {
    uint64_t mark, at, extent[3], step[2]; /* step: bytes */
    uint32_t box[3], element;              /* bytes of one */
    uint32_t is_tf32;                      /* floats, which are rounded as they are copied */
} ShimMap;

/* The parameters of cuTensorMapEncodeTiled, of which only what emitted programs ask for is taken:
 * three axes of bytes, 16-bit floats or tf32, rows of 128 bytes, swizzled. */
static inline int shim_encode_map(void *map, int type, unsigned rank, void *at,
                                  const unsigned long long *extent, const unsigned long long *step,
                                  const unsigned *box, const unsigned *each, int interleave,
                                  int swizzle, int promotion, int fill) {
    enum { INVALID = 1, UINT8 = 0, FLOAT16 = 6, BFLOAT16 = 9, TFLOAT32 = 11, SWIZZLE_128 = 3 };
    ShimMap *m = (ShimMap *)map;
    const bool is_known =
        type == UINT8 || type == FLOAT16 || type == BFLOAT16 || type == TFLOAT32;
    if (!is_known || rank != 3 || interleave || promotion < 0 || fill ||
        swizzle != SWIZZLE_128 || (uintptr_t)map % 64 || (uintptr_t)at % 16)
        return INVALID;
    m->is_tf32 = type == TFLOAT32;
    m->element = type == UINT8 ? 1 : m->is_tf32 ? 4 : 2;
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
