/* cuda_map.c: tensor maps for TMA.
 * In: a ProgramMap, sizes, the address of a buffer. Out: the kernel's argument. */
#include "runtime/cuda.h"

#include <string.h>

enum { AXES = 3, PIXEL_AXES = 4, CHUNK = 16 };

static int axes_of(const ProgramMap *map) { return map->is_pixels ? PIXEL_AXES : AXES; }

static bool number(const char *formula, CudaFormulas *formulas, uint64_t *value,
                   const char **failed) {
    Scalar n;
    *failed = formula;
    if (!cuda_formula(formulas, formula, T_I64, &n)) return false;
    *value = (uint64_t)n.i;
    return true;
}

bool cuda_map_prepare(const ProgramMap *map, CudaFormulas *formulas, CudaMap *out,
                      const char **failed) {
    atomic_flag_clear(&out->is_busy);
    if (!number(map->offset, formulas, &out->offset, failed)) return false;
    for (int i = 0; i < axes_of(map); i++)
        if (!number(map->extent[i], formulas, &out->extent[i], failed)) return false;
    for (int i = 0; i < axes_of(map) - 1; i++)
        if (!number(map->step[i], formulas, &out->step[i], failed)) return false;
    out->offset *= dtype_size(map->type);
    return true;
}

/* As the launcher of an emitted file does it (tensor_map in templates/cuda/launch.cuh). */
static int encode(const CudaDriver *driver, const ProgramMap *map, const CudaMap *m, CudaPointer at,
                  unsigned char *bytes) {
    enum { PLAIN = 0, SWIZZLE_128 = 3, FETCH_256 = 3, ZEROS = 0 };
    static const uint32_t each[PIXEL_AXES] = {1, 1, 1, 1};
    const uint32_t box[AXES] = {(uint32_t)map->box[0], (uint32_t)map->box[1], 1};
    memset(bytes, 0, CUDA_MAP_BYTES);
    if (at % CHUNK || m->step[0] % CHUNK || m->step[1] % CHUNK) return 0;
    if (map->is_pixels)
        return driver->map_encode_pixels(bytes, program_map_type(map->type), PIXEL_AXES,
                                         (void *)(uintptr_t)at, m->extent, m->step, map->moved,
                                         map->moved, box[0], box[1], each, PLAIN, SWIZZLE_128,
                                         FETCH_256, ZEROS);
    return driver->map_encode(bytes, program_map_type(map->type), AXES, (void *)(uintptr_t)at,
                              m->extent, m->step, box, each, PLAIN, SWIZZLE_128, FETCH_256, ZEROS);
}

/* The last one is kept: calls often come with the same buffers. */
int cuda_map_encode(const CudaDriver *driver, const ProgramMap *map, CudaMap *m, CudaPointer buffer,
                    unsigned char *bytes) {
    const CudaPointer at = buffer + m->offset;
    if (atomic_flag_test_and_set_explicit(&m->is_busy, memory_order_acquire))
        return encode(driver, map, m, at, bytes);
    int status = 0;
    if (at == m->at)
        memcpy(bytes, m->bytes, CUDA_MAP_BYTES);
    else
        status = encode(driver, map, m, at, bytes);
    if (at != m->at) memcpy(m->bytes, bytes, CUDA_MAP_BYTES);
    m->at = status ? 0 : at;
    atomic_flag_clear_explicit(&m->is_busy, memory_order_release);
    return status;
}
