/* cuda.c: a CUDA driver for tests, loaded by fusec in place of libcuda.so.1: the functions that
 * runtime/cuda.h names, over memory of the CPU. A module is the path of a program that module.py
 * has made of the emitted text; a launch runs it as a process, which checks every access to memory
 * as tests/shim does. A kernel in which that finds an error ends as on a device: the next call that
 * waits gives error 700.
 *
 * FAKE_CUDA="cuMemAlloc_v2=2" makes that function fail with that error.
 * FAKE_CUDA_ATTRIBUTES="75=10,16=8" makes it a device of sm_100 with 8 multiprocessors: attributes
 * by the driver's numbers. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../shim/tensor_map.h"
#include "memory.h"

#define EXPORT __attribute__((visibility("default")))
#define FUNCTION(NAME, ...)                                                                        \
    EXPORT int NAME(__VA_ARGS__);                                                                  \
    EXPORT int NAME(__VA_ARGS__)
#define MAY_FAIL                                                                                   \
    do {                                                                                           \
        int error = planned_error(__func__);                                                       \
        if (error) return error;                                                                   \
    } while (0)

enum {
    KERNELS_MOST = 256,
    DEPTH_MOST = 16,
    OUT_OF_MEMORY = 2,
    INVALID_CONTEXT = 201,
    NOT_FOUND = 500,
    ILLEGAL_ADDRESS = 700,
    ALIGN = 512
};

typedef struct Kernel {
    char name[128];
    int arguments, bytes[ARGUMENTS_MOST]; /* of each */
    const char *program;
} Kernel;

typedef struct Module {
    char program[4096];
    int count;
    Kernel kernel[KERNELS_MOST];
} Module;

typedef struct Event {
    double seconds;
} Event;

static DeviceMemory *memory;
static int memory_file = -1; /* without a name: it goes with the last process that has it open */
static int sticky, retained;
static _Thread_local void *current[DEPTH_MOST]; /* contexts of the thread */
static _Thread_local int depth, capture_mode;

/* What a test sets: the stream that is captured; whether only launches are allowed. And what it
 * reads: the function that was called all the same. */
EXPORT void *fake_cuda_captured = (void *)-1;
EXPORT int fake_cuda_only_launches;
EXPORT const char *fake_cuda_violation;
EXPORT int fake_cuda_graphs, fake_cuda_changes; /* graphs launched, kernels in them changed */
EXPORT int fake_cuda_dependent;                 /* kernels that were launched as dependent ones */
EXPORT int fake_cuda_launches;                  /* of all kernels */
EXPORT void *fake_cuda_waited = (void *)-1;     /* the first stream that was waited for since -1 */

static int planned_error(const char *function) {
    const char *plan = getenv("FAKE_CUDA");
    size_t size = strlen(function);
    if (fake_cuda_only_launches && strcmp(function, "cuLaunchKernel") != 0 &&
        strcmp(function, "cuLaunchKernelEx") != 0 && strcmp(function, "cuMemsetD8Async") != 0 &&
        strncmp(function, "cuTensorMapEncode", strlen("cuTensorMapEncode")) != 0)
        fake_cuda_violation = function;
    if (sticky) return sticky;
    return plan && !strncmp(plan, function, size) && plan[size] == '=' ? atoi(plan + size + 1) : 0;
}

/* ---- what there is ------------------------------------------------------------------------ */

FUNCTION(cuInit, unsigned flags) {
    MAY_FAIL;
    return (int)flags;
}

FUNCTION(cuDriverGetVersion, int *version) {
    const char *text = getenv("FAKE_CUDA_VERSION");
    *version = text ? atoi(text) : 13000;
    return 0;
}

FUNCTION(cuDeviceGetCount, int *count) {
    MAY_FAIL;
    *count = !getenv("FAKE_CUDA") || strcmp(getenv("FAKE_CUDA"), "none") != 0;
    return 0;
}

FUNCTION(cuDeviceGet, int *device, int number) {
    *device = number;
    return 0;
}

FUNCTION(cuDeviceGetName, char *name, int most, int device) {
    snprintf(name, (size_t)most, "Emulated GPU %d", device);
    return 0;
}

FUNCTION(cuDeviceGetAttribute, int *value, int which, int device) {
    static const int values[][2] = {{13, 1000000}, {16, 1}, {38, 1 << 16}, {75, 9}, {76, 0}};
    const char *given = getenv("FAKE_CUDA_ATTRIBUTES");
    (void)device;
    *value = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i][0] == which) *value = values[i][1];
    for (int number, is; given && sscanf(given, "%d=%d", &number, &is) == 2;
         given = strchr(given, ',') ? strchr(given, ',') + 1 : NULL)
        if (number == which) *value = is;
    return 0;
}

FUNCTION(cuGetErrorString, int error, const char **text) {
    *text = error == OUT_OF_MEMORY     ? "out of memory"
            : error == ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
                                       : "some error";
    return 0;
}

FUNCTION(cuGetErrorName, int error, const char **name) {
    *name = error == OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                       : "CUDA_ERROR_OF_SOME_KIND";
    return 0;
}

/* ---- the context: memory ------------------------------------------------------------------ */

FUNCTION(cuDevicePrimaryCtxRetain, void **context, int device) {
    MAY_FAIL;
    (void)device;
    *context = memory;
    if (retained++) return 0;
    char path[] = "/tmp/fusec-driver-XXXXXX";
    memory_file = mkstemp(path);
    if (memory_file < 0 || unlink(path) || ftruncate(memory_file, (off_t)MEMORY_BYTES))
        return OUT_OF_MEMORY;
    memory = mmap(MEMORY_ADDRESS, MEMORY_BYTES, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, memory_file, 0);
    if (memory == MAP_FAILED) return OUT_OF_MEMORY;
    memory->used = sizeof *memory;
    *context = memory;
    return 0;
}

FUNCTION(cuDevicePrimaryCtxRelease_v2, int device) {
    if (--retained) return device;
    munmap(memory, MEMORY_BYTES);
    close(memory_file);
    return device;
}

FUNCTION(cuCtxPushCurrent_v2, void *context) {
    if (depth == DEPTH_MOST) return 1;
    current[depth++] = context;
    return 0;
}

FUNCTION(cuCtxPopCurrent_v2, void **context) {
    if (!depth) return 1;
    *context = current[--depth];
    return 0;
}

FUNCTION(cuCtxGetCurrent, void **context) {
    *context = depth ? current[depth - 1] : NULL;
    return 0;
}

FUNCTION(cuThreadExchangeStreamCaptureMode, int *mode) {
    int before = capture_mode;
    capture_mode = *mode;
    *mode = before;
    return 0;
}

FUNCTION(cuStreamIsCapturing, void *stream, int *state) {
    *state = stream == fake_cuda_captured;
    return 0;
}

FUNCTION(cuMemAlloc_v2, uint64_t *at, size_t bytes) {
    MAY_FAIL;
    uint64_t start = (memory->used + ALIGN - 1) / ALIGN * ALIGN;
    if (memory->regions == REGIONS_MOST || bytes > MEMORY_BYTES - start) return OUT_OF_MEMORY;
    *at = (uint64_t)(uintptr_t)memory + start;
    memory->region[memory->regions++] = (DeviceRegion){*at, bytes};
    memory->used = start + bytes + ALIGN; /* a gap, so that what runs over is found */
    return 0;
}

FUNCTION(cuMemFree_v2, uint64_t at) {
    for (uint32_t i = 0; i < memory->regions; i++)
        if (memory->region[i].at == at) memory->region[i] = (DeviceRegion){0};
    return 0;
}

FUNCTION(cuMemcpyHtoDAsync_v2, uint64_t to, const void *from, size_t bytes, void *stream) {
    MAY_FAIL;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return stream == NULL;
}

FUNCTION(cuMemcpyDtoHAsync_v2, void *to, uint64_t from, size_t bytes, void *stream) {
    MAY_FAIL;
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return stream == NULL;
}

FUNCTION(cuMemcpyDtoDAsync_v2, uint64_t to, uint64_t from, size_t bytes, void *stream) {
    MAY_FAIL;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return stream == NULL;
}

FUNCTION(cuMemsetD8Async, uint64_t to, unsigned char value, size_t bytes, void *stream) {
    (void)stream;
    MAY_FAIL;
    memset((void *)(uintptr_t)to, value, bytes);
    return 0;
}

/* ---- modules ------------------------------------------------------------------------------ */

/* Lines "NAME ARGUMENTS BYTES..". */
static int list_kernels(Module *module) {
    char command[sizeof module->program + 16];
    snprintf(command, sizeof command, "'%s' --kernels", module->program);
    FILE *list = popen(command, "r");
    Kernel *k = module->kernel;
    while (list && module->count < KERNELS_MOST &&
           fscanf(list, "%127s %d", k->name, &k->arguments) == 2) {
        for (int i = 0; i < k->arguments && i < ARGUMENTS_MOST; i++)
            if (fscanf(list, "%d", &k->bytes[i]) != 1) return NOT_FOUND;
        k++->program = module->program;
        module->count++;
    }
    return !list || pclose(list) || !module->count;
}

FUNCTION(cuModuleLoadData, void **module, const void *image) {
    MAY_FAIL;
    Module *loaded = calloc(1, sizeof *loaded);
    snprintf(loaded->program, sizeof loaded->program, "%s", (const char *)image);
    *module = loaded;
    return list_kernels(loaded) ? NOT_FOUND : 0;
}

FUNCTION(cuModuleUnload, void *module) {
    free(module);
    return 0;
}

FUNCTION(cuModuleGetFunction, void **function, Module *module, const char *name) {
    for (int i = 0; i < module->count; i++) {
        *function = &module->kernel[i];
        if (!strcmp(module->kernel[i].name, name)) return 0;
    }
    return NOT_FOUND;
}

FUNCTION(cuFuncSetAttribute, void *function, int which, int value) {
    MAY_FAIL;
    (void)function;
    return which != 8 || value > 227 << 10;
}

FUNCTION(cuLaunchKernel, Kernel *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
         unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, void *stream,
         void **arguments, void **extra) {
    MAY_FAIL;
    char command[8192];
    if (grid_y != 1 || grid_z != 1 || block_z != 1 || !stream || extra) return 1;
    if (!depth || current[depth - 1] != memory) return INVALID_CONTEXT;
    fake_cuda_launches++;
    memory->grid = grid_x, memory->shared = shared;
    memory->block_x = block_x, memory->block_y = block_y;
    for (int i = 0; i < kernel->arguments; i++)
        memcpy(memory->argument[i], arguments[i], (size_t)kernel->bytes[i]);
    snprintf(command, sizeof command, "'%s' /proc/%d/fd/%d %s", kernel->program, (int)getpid(),
             memory_file, kernel->name);
    if (system(command)) sticky = ILLEGAL_ADDRESS;
    return 0;
}

/* As cuda.h declares CUlaunchAttribute and CUlaunchConfig. */
typedef struct Attribute {
    int id;
    _Alignas(8) union {
        int is_allowed;
        char all[64];
    } value;
} Attribute;

typedef struct LaunchConfig {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
    void *stream;
    const Attribute *attributes;
    unsigned attribute_count;
} LaunchConfig;

FUNCTION(cuLaunchKernelEx, const LaunchConfig *l, Kernel *kernel, void **arguments, void **extra) {
    if (l->attribute_count != 1 || l->attributes->id != 6 || l->attributes->value.is_allowed != 1)
        return 1;
    fake_cuda_dependent++;
    return cuLaunchKernel(kernel, l->grid_x, l->grid_y, l->grid_z, l->block_x, l->block_y,
                          l->block_z, l->shared, l->stream, arguments, extra);
}

/* ---- graphs: their kernels, one after the other ------------------------------------------- */

enum { NODES_MOST = 64 };

/* As cuda.h declares CUDA_KERNEL_NODE_PARAMS_v2. */
typedef struct KernelNode {
    Kernel *kernel;
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
    void **arguments, **extra;
    void *library_kernel, *context;
} KernelNode;

typedef struct Node {
    KernelNode of;
    unsigned char bytes[ARGUMENTS_MOST][ARGUMENT_BYTES];
    void *argument[ARGUMENTS_MOST];
} Node;

typedef struct Graph {
    int count;
    Node *node[NODES_MOST];
} Graph;

static void set_node(Node *node, const KernelNode *of) {
    node->of = *of;
    for (int i = 0; i < of->kernel->arguments; i++) {
        memcpy(node->bytes[i], of->arguments[i], (size_t)of->kernel->bytes[i]);
        node->argument[i] = node->bytes[i];
    }
}

FUNCTION(cuGraphCreate, Graph **graph, unsigned flags) {
    MAY_FAIL;
    *graph = calloc(1, sizeof **graph);
    return (int)flags;
}

FUNCTION(cuGraphDestroy, Graph *graph) {
    for (int i = 0; i < graph->count; i++) free(graph->node[i]);
    free(graph);
    return 0;
}

/* Each node after the one before. */
FUNCTION(cuGraphAddKernelNode_v2, Node **node, Graph *graph, Node *const *after, size_t count,
         const KernelNode *of) {
    MAY_FAIL;
    if (graph->count == NODES_MOST || count != (graph->count > 0) || of->context != memory ||
        (count && *after != graph->node[graph->count - 1]))
        return 1;
    *node = graph->node[graph->count++] = calloc(1, sizeof **node);
    set_node(*node, of);
    return 0;
}

FUNCTION(cuGraphInstantiateWithFlags, Graph **exec, Graph *graph, unsigned long long flags) {
    MAY_FAIL;
    *exec = graph;
    return (int)flags;
}

FUNCTION(cuGraphExecDestroy, Graph *exec) { return exec == NULL; }

FUNCTION(cuGraphExecKernelNodeSetParams_v2, Graph *exec, Node *node, const KernelNode *of) {
    fake_cuda_changes++;
    set_node(node, of);
    return exec == NULL;
}

FUNCTION(cuGraphLaunch, Graph *exec, void *stream) {
    fake_cuda_graphs++;
    for (int i = 0; i < exec->count; i++) {
        const KernelNode *k = &exec->node[i]->of;
        int status =
            cuLaunchKernel(k->kernel, k->grid_x, k->grid_y, k->grid_z, k->block_x, k->block_y,
                           k->block_z, k->shared, stream, exec->node[i]->argument, k->extra);
        if (status) return status;
    }
    return 0;
}

/* ---- maps of tensors ---------------------------------------------------------------------- */

FUNCTION(cuTensorMapEncodeTiled, void *map, int type, unsigned rank, void *at,
         const unsigned long long *extent, const unsigned long long *step, const unsigned *box,
         const unsigned *each, int interleave, int swizzle, int promotion, int fill) {
    MAY_FAIL;
    return shim_encode_map(map, type, rank, at, extent, step, box, each, interleave, swizzle,
                           promotion, fill);
}

FUNCTION(cuTensorMapEncodeIm2col, void *map, int type, unsigned rank, void *at,
         const unsigned long long *extent, const unsigned long long *step, const int *lower,
         const int *upper, unsigned channels, unsigned pixels, const unsigned *each, int interleave,
         int swizzle, int promotion, int fill) {
    MAY_FAIL;
    return shim_encode_pixels(map, type, rank, at, extent, step, lower, upper, channels, pixels,
                              each, interleave, swizzle, promotion, fill);
}

/* ---- streams and events: everything is done at once --------------------------------------- */

FUNCTION(cuStreamCreate, void **stream, unsigned flags) {
    MAY_FAIL;
    *stream = malloc(1);
    return flags != 1;
}

FUNCTION(cuStreamDestroy_v2, void *stream) {
    free(stream);
    return 0;
}

FUNCTION(cuStreamSynchronize, void *stream) {
    MAY_FAIL;
    if (fake_cuda_waited == (void *)-1) fake_cuda_waited = stream;
    return 0;
}

FUNCTION(cuEventCreate, Event **event, unsigned flags) {
    *event = calloc(1, sizeof **event);
    return (int)flags;
}

FUNCTION(cuEventDestroy_v2, Event *event) {
    free(event);
    return 0;
}

FUNCTION(cuEventRecord, Event *event, void *stream) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    event->seconds = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    return stream == NULL;
}

FUNCTION(cuEventElapsedTime, float *milliseconds, Event *start, Event *stop) {
    *milliseconds = (float)(1e3 * (stop->seconds - start->seconds));
    return 0;
}
