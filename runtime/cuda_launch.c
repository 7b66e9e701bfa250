/* cuda_launch.c: the arguments that the driver takes for one launch of a kernel.
 * In: a launch whose numbers are known, memory. Out: the arguments, each in its slot. */
#include "runtime/cuda.h"

#include <string.h>

/* The address of memory, or the value of a scalar. */
static uint64_t value_of(const ProgramArgument *a, uint64_t value, const Memory *m) {
    return a->kind == ARG_TENSOR && m->tensors ? (uintptr_t)m->tensors[a->tensor]
           : a->kind == ARG_WORKSPACE          ? (uintptr_t)m->workspace + value
           : a->kind == ARG_PREPARED           ? (uintptr_t)m->prepared + value
                                               : value;
}

uint64_t cuda_zeroed(const ProgramKernel *kernel, const CudaLaunch *l, const Memory *m) {
    return value_of(kernel->zeroed, l->zeroed, m);
}

bool cuda_fill_slots(const CudaDevice *c, Diag *diag, const ProgramKernel *kernel,
                     const CudaLaunch *l, const Memory *m, CudaSlots *slots) {
    for (int i = 0, maps = 0; i < kernel->argument_count; i++) {
        const ProgramArgument *a = &kernel->arguments[i];
        slots->value[i] = value_of(a, l->value[i], m);
        slots->argument[i] = &slots->value[i];
        if (!a->map) continue;
        slots->argument[i] = slots->map[maps];
        if (!m->tensors) {
            memset(slots->map[maps++], 0, CUDA_MAP_BYTES);
            continue;
        }
        int status =
            cuda_map_encode(&c->driver, a->map, &l->map[maps], slots->value[i], slots->map[maps]);
        const char *call = a->map->is_pixels ? "cuTensorMapEncodeIm2col" : "cuTensorMapEncodeTiled";
        if (!cuda_ok(diag, c, call, status)) return false;
        maps++;
    }
    return true;
}
