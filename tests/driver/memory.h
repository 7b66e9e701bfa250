/* memory.h: the memory of the emulated device, as its driver and its kernels see it: one file,
 * which both map at the same address, so that pointers mean the same in both processes. */
#ifndef FUSEC_DRIVER_MEMORY_H
#define FUSEC_DRIVER_MEMORY_H

#include <stdint.h>

enum { REGIONS_MOST = 4096, ARGUMENTS_MOST = 512, ARGUMENT_BYTES = 128 };

typedef struct DeviceRegion {
    uint64_t at, bytes; /* 0: freed */
} DeviceRegion;

/* At the start of it. */
typedef struct DeviceMemory {
    uint64_t used; /* bytes from the start */
    uint32_t regions, grid, block_x, block_y, shared;
    DeviceRegion region[REGIONS_MOST];
    /* Of the launch: 8 bytes, or all for a map of a tensor. */
    unsigned char argument[ARGUMENTS_MOST][ARGUMENT_BYTES];
} DeviceMemory;

#define MEMORY_ADDRESS ((void *)0x500000000000)
#define MEMORY_BYTES   ((uint64_t)16 << 30) /* mapped, not used */

#endif
