/* gpu.c: GPUs by architecture: one chip of each, as its vendor describes it. A model compiled
 * for an architecture runs on all of its chips; the numbers choose tiles, and only shared memory
 * limits them. In: "sm_90a". Out: Gpu.
 *
 * Sources: CUDA C++ Programming Guide, "Compute Capabilities" (shared memory, features); the
 * architecture white papers and data sheets (multiprocessors, bandwidth, tensor throughput). */
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

/* mma: products of 16-bit floats that mma.sync adds up per clock and multiprocessor, in f32. On
 * Hopper and later that is less than wgmma and tcgen05 reach. */
static const Gpu gpus[] = {
    /* sm   chip        processors  shared, block / processor   MHz   GB/s   mma  */
    {75, "T4", 40, 64 << 10, 64 << 10, 1590, 320, 512},
    {80, "A100", 108, 163 << 10, 164 << 10, 1410, 2039, 1024},
    {86, "A10", 72, 99 << 10, 100 << 10, 1695, 600, 512},
    {87, "Orin", 16, 163 << 10, 164 << 10, 1300, 205, 512},
    {88, "sm_88", 16, 99 << 10, 100 << 10, 1300, 205, 512},
    {89, "L40S", 142, 99 << 10, 100 << 10, 2520, 864, 512},
    {90, "H100", 132, 227 << 10, 228 << 10, 1755, 3350, 1280},
    {100, "B200", 148, 227 << 10, 228 << 10, 1850, 8000, 1024},
    {103, "B300", 160, 227 << 10, 228 << 10, 1850, 8000, 1024},
    {110, "Thor", 20, 227 << 10, 228 << 10, 1575, 273, 1024},
    {120, "RTX 5090", 170, 99 << 10, 100 << 10, 2400, 1792, 512},
    {121, "GB10", 48, 99 << 10, 100 << 10, 2400, 273, 512},
};

enum { DEFAULT = 80 };

/* The newest that is not newer. */
const Gpu *gpu_find(const char *arch) {
    const char *digits = arch ? arch + strcspn(arch, "0123456789") : "";
    int sm = *digits ? atoi(digits) : DEFAULT;
    const Gpu *found = &gpus[0];
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (gpus[i].sm <= sm) found = &gpus[i];
    return found;
}
