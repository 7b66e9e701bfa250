/* program.cpp: main of the program that is a module.
 *
 *     PROGRAM --kernels         prints the kernels, each with the number of its arguments, and the
 *                               bytes of each
 *     PROGRAM MEMORY KERNEL     runs one, as the head of file MEMORY says
 *
 * What the device's memory holds counts as written; what a kernel may write is what its parameters
 * are not const of. Exit status 1 after an error of the kernel, with the message of the shim. */
#include "../shim/runtime.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../shim/cuda.h"
#include "kernels.h"
#include "memory.h"

using namespace shim;

/* Defined behind the emitted text. */
extern "C" const DriverKernel driver_kernels[];
extern "C" const int driver_kernel_count;

static DeviceMemory *map(const char *path) {
    int file = open(path, O_RDWR);
    void *at = file < 0 ? MAP_FAILED
                        : mmap(MEMORY_ADDRESS, MEMORY_BYTES, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, file, 0);
    if (at == MAP_FAILED) fprintf(stderr, "error: the device's memory cannot be mapped\n");
    return at == MAP_FAILED ? nullptr : (DeviceMemory *)at;
}

static bool is_written(const DeviceMemory *m, const DeviceRegion &r, const DriverKernel &k) {
    for (int i = 0; i < k.arguments; i++) {
        uint64_t address;
        memcpy(&address, m->argument[i], sizeof address);
        if (k.is_written(i) && address - r.at < r.bytes) return true;
    }
    return false;
}

static void print_kernel(const DriverKernel &k) {
    printf("%s %d", k.name, k.arguments);
    for (int i = 0; i < k.arguments; i++) printf(" %d", k.bytes(i));
    printf("\n");
}

static void add_regions(const DeviceMemory *m, const DriverKernel &k) {
    for (uint32_t i = 0; i < m->regions; i++) {
        const DeviceRegion &r = m->region[i];
        if (!r.bytes) continue;
        Kind kind = is_written(m, r, k) ? Kind::workspace : Kind::input;
        region_add({"memory " + std::to_string(i), kind, r.at, r.bytes, 0, {}});
        const Region *region = region_of(r.at);
        for (size_t j = 0; region->cells && j < (region->room + 3) / 4; j++) /* of words */
            region->cells[j].write_epoch = 1;
    }
    world.epoch = 1; /* what was written is not of this launch */
}

int main(int count, char **arguments) {
    for (int i = 0; i < driver_kernel_count; i++) {
        const DriverKernel &k = driver_kernels[i];
        if (count == 2) print_kernel(k);
        if (count != 3 || strcmp(k.name, arguments[2])) continue;
        const DeviceMemory *m = map(arguments[1]);
        if (!m) return 1;
        add_regions(m, k);
        shared_find();
        k.run({k.name, k.bounds, m->grid, dim3(m->block_x, m->block_y), m->shared},
              m->argument);
        return 0;
    }
    return count != 2;
}
