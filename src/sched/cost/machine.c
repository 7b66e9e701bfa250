/* machine.c: the machines to plan for: one chip of each GPU architecture, by its vendor's data, and
 * one core of a server CPU. A model compiled for an architecture runs on all of its chips: the
 * numbers choose plans and tiles; only the shared memory decides legality. size.c is for a
 * device in hand. In: "sm_90a". Out: Machine.
 *
 * Sources: CUDA C++ Programming Guide, "Compute Capabilities" (shared memory, features) and
 * "Arithmetic Instructions" (throughput); the architecture white papers and data sheets
 * (multiprocessors, bandwidth, tensor throughput, L2, 128 bytes of shared memory and four
 * schedulers of a multiprocessor). Rate of L2, start and finish: measured on an H200 (sm_90,
 * sm_90a) by bench/gpu_products.py, and used for the others. Launches: order of magnitude. */
#include "sched/cost/cost.h"

#include <stdlib.h>
#include <string.h>

/* Per clock and multiprocessor. fma: multiply-adds of f32. special: exponentials, logarithms, sines
 * and the like. mma: products of 16-bit floats that mma.sync adds up in f32; on Hopper and later
 * that is less than wgmma and tcgen05 reach. wgmma: what that reaches; 0: there is none. tensor:
 * the peak by any instruction, where all chips of the architecture have one. l2: bytes that a
 * multiprocessor reads while all do; l2_tma: by TMA, which reaches more. finish: results that warps
 * store, by way of shared memory; warpgroups store them while TMA brings the next tile. */
static const Machine gpus[] = {
    /* sm, chip, processors, shared memory of a block and of a processor, MHz, GB/s, fma, special,
     * mma, wgmma, tensor, l2, l2_tma, shared, issue, start, finish, finish_wgmma, launch,
     * l2_size, l3_size, prefetch, chip */
    {75, "T4", 40,  64 << 10, 64 << 10, 1590, 320, 64,   16, 512, 0, 0,
     36, 0,    128, 4,        3000,     3,    0,   2500, 4,  0,   0, NULL},
    {80, "A100", 108, 163 << 10, 164 << 10, 1410, 2039, 64,   16, 1024, 0, 1024,
     36, 0,      128, 4,         3000,      3,    0,    2500, 40, 0,    0, NULL},
    {86, "A10", 72,  99 << 10, 100 << 10, 1695, 600, 128,  16, 512, 0, 0,
     36, 0,     128, 4,        3000,      3,    0,   2500, 6,  0,   0, NULL},
    {87, "Orin", 16,  163 << 10, 164 << 10, 1300, 205, 128,  16, 512, 0, 0,
     36, 0,      128, 4,         3000,      3,    0,   2500, 4,  0,   0, NULL},
    {88, "sm_88", 16,  99 << 10, 100 << 10, 1300, 205, 128,  16, 512, 0, 0,
     36, 0,       128, 4,        3000,      3,    0,   2500, 4,  0,   0, NULL},
    {89, "L40S", 142, 99 << 10, 100 << 10, 2520, 864, 128,  16, 512, 0, 0,
     36, 0,      128, 4,        3000,      3,    0,   2500, 96, 0,   0, NULL},
    {90, "H100", 132, 227 << 10, 228 << 10, 1755, 3350, 128,  16, 1280, 0, 2048,
     36, 0,      128, 4,         3000,      3,    0,    2500, 50, 0,    0, NULL},
    {90, "H100", 132, 227 << 10, 228 << 10, 1755, 3350, 128,  16, 1280, 2048, 2048,
     36, 60,     128, 4,         3000,      3,    10,   2500, 50, 0,    0,    NULL}, /* sm_90a */
    {100, "B200", 148, 227 << 10, 228 << 10, 1850, 8000, 128,  16,  1024, 0, 4096,
     36,  0,      128, 4,         3000,      3,    0,    2500, 126, 0,    0, NULL},
    {103, "B300", 160, 227 << 10, 228 << 10, 1850, 8000, 128,  32,  1024, 0, 4096,
     36,  0,      128, 4,         3000,      3,    0,    2500, 126, 0,    0, NULL},
    {110, "Thor", 20,  227 << 10, 228 << 10, 1575, 273, 128,  16, 1024, 0, 0,
     36,  0,      128, 4,         3000,      3,    0,   2500, 32, 0,    0, NULL},
    {120, "RTX 5090", 170, 99 << 10, 100 << 10, 2400, 1792, 128,  16, 512, 0, 0,
     36,  0,          128, 4,        3000,      3,    0,    2500, 96, 0,   0, NULL},
    {121, "GB10", 48,  99 << 10, 100 << 10, 2400, 273, 128,  16, 512, 0, 0,
     36,  0,      128, 4,        3000,      3,    0,   2500, 24, 0,   0, NULL},
};

/* A core of a server with 512-bit vectors, as measured by bench/; narrow products are widened. A
 * special function takes about 16 vector operations, and a launch is an OpenMP loop. l3_size: what
 * one of several users of a server has of it. */
static const Machine core = {0, "core", 1, 0, 0, 2500, 20, 32,   2, 32, 0,    0,
                             0, 0,      0, 0, 0, 0,    0,  1000, 2, 32, 8192, NULL};

/* Zen fetches rows ahead by itself: prefetches only take time. Measured on a Zen 5: gelu of
 * f32[2048, 2048] 1068 us with them, 721 without (1 thread, buffers in no cache). */
static const Machine core_zen = {0, "core", 1, 0, 0, 2500, 20, 32,   2, 32, 0, 0,
                                 0, 0,      0, 0, 0, 0,    0,  1000, 2, 32, 0, NULL};

enum { DEFAULT = 80 };

/* The newest row that is not newer than arch. The features of "sm_90a" are not available to code
 * for "sm_90", which later GPUs run, too. */
const Machine *machine_gpu(const char *arch) {
    const char *digits = arch ? arch + strcspn(arch, "0123456789") : "";
    int sm = *digits ? atoi(digits) : DEFAULT;
    bool alone = strchr(digits, 'a');
    const Machine *found = &gpus[0];
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (gpus[i].sm <= sm && (!gpus[i].wgmma || (alone && gpus[i].sm == sm))) found = &gpus[i];
    return found;
}

const Machine *machine_cpu(void) { return &core; }

const Machine *machine_processor(const char *name) {
    return !strncmp(name, "AMD ", 4) ? &core_zen : &core;
}

enum { SM_MMA = 80, SM_MMA_F8 = 89 };

bool machine_is_gpu(const Machine *machine) { return machine->sm > 0; }
bool machine_has_mma(const Machine *machine) { return machine->sm >= SM_MMA; }
bool machine_has_mma_f8(const Machine *machine) { return machine->sm >= SM_MMA_F8; }
