/* cuda.h: shared by the files that call NVIDIA's libraries. It declares the few functions that are
 * used, so that building needs no header of CUDA. */
#ifndef FUSEC_RUNTIME_CUDA_H
#define FUSEC_RUNTIME_CUDA_H

#include "runtime/runtime.h"

#include <stdatomic.h>

/* ---- library.c: loading by name ---- */

typedef struct Library {
    void *handle;
    const char *path;
} Library;

/* The first of `names` (the last is NULL) that is there: in the folder $FUSEC_CUDA_PATH, where the
 * system looks for libraries, where CUDA's installer puts them. False when there is none, with NULL
 * in *why, or when it cannot be loaded, with the loader's words. */
bool library_open(Arena *arena, Library *library, const char *const *names, const char **why);
/* The address of a function, stored in *function, a pointer to a function pointer: ISO C has no
 * cast from an object pointer to one; POSIX has them equal in size. False when there is none. */
bool library_symbol(const Library *library, const char *name, void *function);
/* The path of the file that a function was loaded from; NULL: not known. */
const char *library_file(Arena *arena, const char *(*function)(int));

/* ---- nvrtc.c ---- */

/* As nvrtc_version; *path: of its file, NULL when not known. */
bool nvrtc_found(Arena *arena, const char **text, const char **path);

/* ---- cuda_parts.c: kernels in parts, to be compiled at a time ---- */

/* At most `most` parts of a source whose first `shared` bytes all kernels need. Returns their
 * number. */
int cuda_parts_split(Arena *arena, const NvrtcInput *whole, size_t shared, int most,
                     NvrtcInput *parts);
/* Their codes as one; to be freed. NULL after a refusal. */
void *cuda_parts_join(Diag *diag, const NvrtcCode *codes, int count, size_t *size);
/* Where the parts of that are; it may be the code of one, too. How many; 0: it is damaged. */
int cuda_parts_find(const void *code, size_t size, const void **parts);

/* ---- cuda_driver.c: libcuda ---- */

typedef struct CudaContext *CudaContext;
typedef struct CudaModule *CudaModule;
typedef struct CudaFunction *CudaFunction;
typedef struct CudaStream *CudaStream;
typedef struct CudaEvent *CudaEvent;
typedef uint64_t CudaPointer;
typedef struct CudaGraph *CudaGraph;
typedef struct CudaGraphExec *CudaGraphExec;
typedef struct CudaGraphNode *CudaGraphNode;

/* CUDA_KERNEL_NODE_PARAMS_v2 */
typedef struct CudaKernelNode {
    CudaFunction function;
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
    void **arguments, **extra;
    void *kernel;
    CudaContext context;
} CudaKernelNode;

/* CUlaunchAttribute, CUlaunchConfig */
typedef struct CudaLaunchAttribute {
    int id;
    _Alignas(8) union {
        int is_allowed; /* CUDA_DEPENDENT_LAUNCH */
        char all[64];
    } value;
} CudaLaunchAttribute;

typedef struct CudaLaunchConfig {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
    CudaStream stream;
    CudaLaunchAttribute *attributes;
    unsigned attribute_count;
} CudaLaunchConfig;

enum { CUDA_DEPENDENT_LAUNCH = 6 }; /* programmatic stream serialisation */

/* FUNCTION(field, its name in the library, parameters); all return 0 for success. */
#define CUDA_FUNCTIONS                                                                             \
    FUNCTION(init, "cuInit", (unsigned))                                                           \
    FUNCTION(version, "cuDriverGetVersion", (int *))                                               \
    FUNCTION(count, "cuDeviceGetCount", (int *))                                                   \
    FUNCTION(device, "cuDeviceGet", (int *, int))                                                  \
    FUNCTION(name, "cuDeviceGetName", (char *, int, int))                                          \
    FUNCTION(attribute, "cuDeviceGetAttribute", (int *, int, int))                                 \
    FUNCTION(error_text, "cuGetErrorString", (int, const char **))                                 \
    FUNCTION(error_name, "cuGetErrorName", (int, const char **))                                   \
    FUNCTION(context_retain, "cuDevicePrimaryCtxRetain", (CudaContext *, int))                     \
    FUNCTION(context_release, "cuDevicePrimaryCtxRelease_v2", (int))                               \
    FUNCTION(context_push, "cuCtxPushCurrent_v2", (CudaContext))                                   \
    FUNCTION(context_pop, "cuCtxPopCurrent_v2", (CudaContext *))                                   \
    FUNCTION(context_current, "cuCtxGetCurrent", (CudaContext *))                                  \
    FUNCTION(capture_mode, "cuThreadExchangeStreamCaptureMode", (int *))                           \
    FUNCTION(is_capturing, "cuStreamIsCapturing", (CudaStream, int *))                             \
    FUNCTION(module_load, "cuModuleLoadData", (CudaModule *, const void *))                        \
    FUNCTION(module_unload, "cuModuleUnload", (CudaModule))                                        \
    FUNCTION(module_function, "cuModuleGetFunction", (CudaFunction *, CudaModule, const char *))   \
    FUNCTION(function_set, "cuFuncSetAttribute", (CudaFunction, int, int))                         \
    FUNCTION(launch, "cuLaunchKernel",                                                             \
             (CudaFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,  \
              CudaStream, void **, void **))                                                       \
    FUNCTION(launch_with, "cuLaunchKernelEx",                                                      \
             (const CudaLaunchConfig *, CudaFunction, void **, void **))                           \
    FUNCTION(allocate, "cuMemAlloc_v2", (CudaPointer *, size_t))                                   \
    FUNCTION(release, "cuMemFree_v2", (CudaPointer))                                               \
    FUNCTION(put, "cuMemcpyHtoDAsync_v2", (CudaPointer, const void *, size_t, CudaStream))         \
    FUNCTION(get, "cuMemcpyDtoHAsync_v2", (void *, CudaPointer, size_t, CudaStream))               \
    FUNCTION(zero, "cuMemsetD8Async", (CudaPointer, unsigned char, size_t, CudaStream))            \
    FUNCTION(copy, "cuMemcpyDtoDAsync_v2", (CudaPointer, CudaPointer, size_t, CudaStream))         \
    FUNCTION(map_encode, "cuTensorMapEncodeTiled",                                                 \
             (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *, \
              const uint32_t *, int, int, int, int))                                               \
    FUNCTION(map_encode_pixels, "cuTensorMapEncodeIm2col",                                         \
             (void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const int *,      \
              const int *, uint32_t, uint32_t, const uint32_t *, int, int, int, int))              \
    FUNCTION(stream_new, "cuStreamCreate", (CudaStream *, unsigned))                               \
    FUNCTION(stream_free, "cuStreamDestroy_v2", (CudaStream))                                      \
    FUNCTION(stream_wait, "cuStreamSynchronize", (CudaStream))                                     \
    FUNCTION(event_new, "cuEventCreate", (CudaEvent *, unsigned))                                  \
    FUNCTION(event_free, "cuEventDestroy_v2", (CudaEvent))                                         \
    FUNCTION(event_record, "cuEventRecord", (CudaEvent, CudaStream))                               \
    FUNCTION(event_elapsed, "cuEventElapsedTime", (float *, CudaEvent, CudaEvent))                 \
    FUNCTION(graph_new, "cuGraphCreate", (CudaGraph *, unsigned))                                  \
    FUNCTION(graph_free, "cuGraphDestroy", (CudaGraph))                                            \
    FUNCTION(graph_kernel, "cuGraphAddKernelNode_v2",                                              \
             (CudaGraphNode *, CudaGraph, const CudaGraphNode *, size_t, const CudaKernelNode *))  \
    FUNCTION(graph_ready, "cuGraphInstantiateWithFlags",                                           \
             (CudaGraphExec *, CudaGraph, unsigned long long))                                     \
    FUNCTION(graph_change, "cuGraphExecKernelNodeSetParams_v2",                                    \
             (CudaGraphExec, CudaGraphNode, const CudaKernelNode *))                               \
    FUNCTION(graph_launch, "cuGraphLaunch", (CudaGraphExec, CudaStream))                           \
    FUNCTION(exec_free, "cuGraphExecDestroy", (CudaGraphExec))

typedef struct CudaDriver {
    Library library;
#define FUNCTION(field, name, parameters) int(*field) parameters;
    CUDA_FUNCTIONS
#undef FUNCTION
} CudaDriver;

/* The driver's numbers for attributes of a device. */
enum {
    CUDA_CLOCK_KHZ = 13,
    CUDA_MULTIPROCESSORS = 16,
    CUDA_L2_BYTES = 38,
    CUDA_MAJOR = 75, /* of the compute capability */
    CUDA_MINOR = 76,
    CUDA_SHARED_PROCESSOR = 81,
    CUDA_SHARED_BLOCK = 97 /* that a kernel may ask for */
};

/* Loads and initialises the driver. False, with the reason in *why: what is missing, and what to
 * install. */
bool cuda_driver_load(Arena *arena, CudaDriver *driver, const char **why);
bool cuda_is_sticky(int status); /* no later call on the device will succeed in this process */
/* "cuMemAlloc of 64 bytes: out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2)", and whether this process
 * can go on; NULL for success. */
const char *cuda_failure(Arena *arena, const CudaDriver *driver, const char *call, int status);

/* ---- cuda_prepare.c: launches with their numbers ---- */

/* The formulas of a program, one after the other. */
typedef struct CudaFormulas {
    const FormulaCode *const *codes; /* as they were read */
    const int64_t *dims;
    int next;
    Arena *arena; /* NULL: they are computed; else they are read, into .. */
    const Program *program;
    Vec(const FormulaCode *) read;
} CudaFormulas;

/* The next one, which `text` is; 1 while they are read. False: it has no value. */
bool cuda_formula(CudaFormulas *f, const char *text, Dtype type, Scalar *value);
bool cuda_prepare(Device *device, Diag *diag, Call *call);
/* The launches of the kernels that prepare constants; NULL after a diagnostic. */
const struct CudaLaunch *cuda_prepare_once(Device *device, Diag *diag, const Call *call);

/* ---- cuda_map.c: maps of tensors ---- */

enum { CUDA_MAP_BYTES = 128, CUDA_MAP_ALIGN = 64 };

typedef struct CudaMap {
    uint64_t offset, extent[4], step[3]; /* offset, step: bytes */
    atomic_flag is_busy; /* of the next two: a launch that finds it set makes its own */
    CudaPointer at;      /* that it was made for last; 0: not yet */
    unsigned char bytes[CUDA_MAP_BYTES];
} CudaMap;

/* False, with the formula that has no value. */
bool cuda_map_prepare(const ProgramMap *map, CudaFormulas *formulas, CudaMap *out,
                      const char **failed);
/* What the kernel is given for a buffer, to `bytes`, which is aligned to CUDA_MAP_ALIGN; gives what
 * the driver does. Where TMA cannot go, the map is empty. */
int cuda_map_encode(const CudaDriver *driver, const ProgramMap *map, CudaMap *m, CudaPointer buffer,
                    unsigned char *bytes);

/* ---- nvtx.c: names for a profiler ---- */

typedef struct Nvtx {
    int (*push)(const char *), (*pop)(void); /* NULL: nobody listens */
} Nvtx;

Nvtx nvtx_open(Arena *arena);

/* ---- cuda_context.c: the device, and what a thread needs to use it ---- */

enum { CUDA_NAME_MOST = 256 };

/* One kernel with its numbers known. */
typedef struct CudaLaunch {
    const char *name; /* of the kernel */
    unsigned grid, block_x, block_y, shared;
    uint64_t *value; /* of each argument; of one in the workspace: bytes from its start */
    CudaMap *map;    /* what it gets in place of a pointer, where the argument is a map */
    uint64_t zeroed, zeroed_bytes; /* memory of zeros: as a value, and its size; 0: none */
} CudaLaunch;

typedef struct CudaDevice {
    Device device; /* first: operations are given &device */
    CudaDriver driver;
    Nvtx nvtx;
    CudaContext context;
    CudaStream stream;
    CudaEvent begin, end;
    bool owns_context; /* the primary one, retained */
    int number, sm;    /* sm: 90 for sm_90 */
    CudaLaunch last;   /* queued last; its name is NULL: none since the last wait */
    char name[CUDA_NAME_MOST + 16];
    char arch[16]; /* "sm_90a": with what only this one has (wgmma and its kind) */
} CudaDevice;

static inline CudaDevice *cuda_of(Device *device) { return (CudaDevice *)device; }

/* False, after a refusal with the call and the driver's words, when `status` is an error. */
bool cuda_ok(Diag *diag, const CudaDevice *c, const char *call, int status);
bool cuda_find_device(CudaDevice *c, Diag *diag, int number);
/* The context (NULL: the primary one), a stream, events. Freed also after a failure. */
bool cuda_make_handles(CudaDevice *c, Diag *diag, void *context);
void cuda_free_handles(CudaDevice *c);
bool cuda_enter(Device *device, Diag *diag, DeviceEntry *entry);
void cuda_leave(Device *device, DeviceEntry *entry);
bool cuda_is_capturing(Device *device, void *stream);

/* ---- cuda_launch.c: what a kernel is given ---- */

/* Of a kernel; maps are arguments: of four left operands, of four times as many right ones, and of
 * results. */
enum { CUDA_ARGUMENTS_MOST = 256, CUDA_MAPS_MOST = 24 };

typedef struct CudaKernel {
    CudaFunction function;
    atomic_uint shared; /* bytes of dynamic shared memory that it may have by now */
} CudaKernel;

typedef struct CudaProgram {
    CudaModule module[NVRTC_PARTS_MOST]; /* NULL: no more */
    Arena *arena;
    const FormulaCode **formulas; /* in that arena; in the order in which cuda_prepare asks, .. */
    int once_at;                  /* .. then, from here on, those of cuda_prepare_once */
    CudaKernel kernel[];          /* as in the Program */
} CudaProgram;

/* Once, when a program is loaded. */
bool cuda_read_formulas(CudaDevice *c, Diag *diag, const Program *program);

/* What one launch hands to the driver, which copies it. */
typedef struct CudaSlots {
    uint64_t value[CUDA_ARGUMENTS_MOST];
    void *argument[CUDA_ARGUMENTS_MOST]; /* where each value, or map, is */
    _Alignas(CUDA_MAP_ALIGN) unsigned char map[CUDA_MAPS_MOST][CUDA_MAP_BYTES];
} CudaSlots;

/* For the memory; where that has no tensors, addresses are 0 and maps empty. */
bool cuda_fill_slots(const CudaDevice *c, Diag *diag, const ProgramKernel *kernel,
                     const CudaLaunch *l, const Memory *m, CudaSlots *slots);

/* The address of the memory that a kernel finds zeros in. */
uint64_t cuda_zeroed(const ProgramKernel *kernel, const CudaLaunch *l, const Memory *m);

/* ---- cuda_graph.c: all kernels of a call as one graph ---- */

bool cuda_graph_make(Device *device, Diag *diag, const Call *call, DeviceGraph **graph);
bool cuda_graph_launch(Device *device, Diag *diag, const Call *call, DeviceGraph *graph,
                       const Memory *m);
void cuda_graph_free(Device *device, DeviceGraph *graph);

#endif
