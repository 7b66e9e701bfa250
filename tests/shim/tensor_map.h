/* tensor_map.h: what our cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col put into the 128 bytes of
 * a map, for kernels that the shim runs. C and C++. */
#ifndef FUSEC_SHIM_TENSOR_MAP_H
#define FUSEC_SHIM_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

enum { SHIM_MAP = 0x70616d };

typedef struct ShimMap {
    uint64_t mark, at, extent[4], step[3]; /* step: bytes */
    uint32_t box[3], element;              /* bytes of one */
    uint8_t is_tf32;                       /* floats, which are rounded as they are copied */
    uint8_t is_pixels;                     /* of images: boxes of channels and pixels, */
    int8_t moved[2];                       /* which start so much to the right and down */
} ShimMap;

enum { SHIM_INVALID = 1 };

/* Rows of 128 bytes, swizzled, of bytes, 16-bit floats or tf32, with nothing else asked for. */
static inline bool shim_may_map(ShimMap *m, int type, const void *at, int interleave, int swizzle,
                                int promotion, int fill) {
    enum { UINT8 = 0, FLOAT16 = 6, BFLOAT16 = 9, TFLOAT32 = 11, SWIZZLE_128 = 3 };
    const bool is_known =
        type == UINT8 || type == FLOAT16 || type == BFLOAT16 || type == TFLOAT32;
    m->is_tf32 = type == TFLOAT32;
    m->element = type == UINT8 ? 1 : m->is_tf32 ? 4 : 2;
    m->at = (uint64_t)(uintptr_t)at;
    return is_known && !interleave && promotion >= 0 && !fill && swizzle == SWIZZLE_128 &&
           (uintptr_t)m % 64 == 0 && m->at % 16 == 0;
}

static inline bool shim_set_axes(ShimMap *m, int axes, const unsigned long long *extent,
                                 const unsigned long long *step, const unsigned *each) {
    for (int i = 0; i < axes; i++) {
        if (!extent[i] || extent[i] >> 32 || each[i] != 1) return false;
        m->extent[i] = extent[i];
        if (i + 1 == axes) continue;
        if (step[i] % 16 || step[i] >> 40) return false;
        m->step[i] = step[i];
    }
    return true;
}

/* The parameters of cuTensorMapEncodeIm2col: four axes, pixels that all have a place in the image
 * that they are moved from. */
static inline int shim_encode_pixels(void *map, int type, unsigned rank, void *at,
                                     const unsigned long long *extent,
                                     const unsigned long long *step, const int *lower,
                                     const int *upper, unsigned channels, unsigned pixels,
                                     const unsigned *each, int interleave, int swizzle,
                                     int promotion, int fill) {
    ShimMap *m = (ShimMap *)map;
    if (rank != 4 || !shim_may_map(m, type, at, interleave, swizzle, promotion, fill) ||
        !shim_set_axes(m, 4, extent, step, each))
        return SHIM_INVALID;
    for (int i = 0; i < 2; i++) {
        if (lower[i] != upper[i] || lower[i] < -128 || lower[i] > 127) return SHIM_INVALID;
        m->moved[i] = (int8_t)lower[i];
    }
    if (channels * m->element != 128 || !pixels || pixels > 1024) return SHIM_INVALID;
    m->box[0] = channels, m->box[1] = pixels, m->box[2] = 1;
    m->is_pixels = true;
    m->mark = SHIM_MAP;
    return 0;
}

/* The parameters of cuTensorMapEncodeTiled, of which only what emitted programs ask for is taken:
 * three axes of bytes, 16-bit floats or tf32, rows of 128 bytes, swizzled. */
static inline int shim_encode_map(void *map, int type, unsigned rank, void *at,
                                  const unsigned long long *extent, const unsigned long long *step,
                                  const unsigned *box, const unsigned *each, int interleave,
                                  int swizzle, int promotion, int fill) {
    ShimMap *m = (ShimMap *)map;
    if (rank != 3 || !shim_may_map(m, type, at, interleave, swizzle, promotion, fill) ||
        !shim_set_axes(m, 3, extent, step, each))
        return SHIM_INVALID;
    for (int i = 0; i < 3; i++) {
        if (!box[i] || box[i] > 256) return SHIM_INVALID;
        m->box[i] = box[i];
    }
    if (box[0] * m->element != 128) return SHIM_INVALID;
    m->is_pixels = false;
    m->mark = SHIM_MAP;
    return 0;
}

#endif
