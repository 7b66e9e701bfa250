/* cpu_device.c: the CPU as a device: its memory is host memory, and launches are synchronous.
 * In: programs in C. Out: their results. */
#include "runtime/runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ALIGN = 256, NAME_MOST = 128, CACHE_DEFAULT = 32 << 20 };

typedef struct CpuDevice {
    Device device; /* first: operations are given &device */
    char name[NAME_MOST];
    double start;
} CpuDevice;

typedef struct CpuProgram {
    CpuModule *module;
    int (*entry)(void *const *tensors, const int64_t *dims, const void *prepared, void *workspace,
                 int kernel);
    int64_t (*workspace)(const int64_t *dims);
    int (*prepare)(void *const *tensors, const int64_t *dims, void *prepared);
    int64_t (*prepared_size)(const int64_t *dims);
    void (*set_threads)(int); /* of OpenMP, for the calling thread; NULL: it is not there */
    int (*get_threads)(void);
} CpuProgram;

/* ---- programs ----------------------------------------------------------------------------- */

static void unload(Device *device, Program *program) {
    CpuProgram *loaded = program->loaded;
    (void)device;
    if (loaded) cpu_free(loaded->module);
    free(loaded);
    program->loaded = NULL;
}

/* ISO C has no cast from an object pointer to a function pointer; POSIX has them equal in size. */
static bool find(Diag *diag, const Program *program, const char *kind, void *function) {
    const CpuProgram *loaded = program->loaded;
    char *name = arena_printf(diag->arena, "fusec_%s_%s", kind, program->name);
    void *address = cpu_symbol(loaded->module, name);
    if (!address) diag_refuse(diag, "dlsym %s: not in the compiled library", name);
    memcpy(function, &address, sizeof address);
    return address;
}

/* The module brings it along, where the compiler has it. */
static void find_openmp(CpuProgram *loaded) {
    void *set = cpu_symbol(loaded->module, "omp_set_num_threads"),
         *get = cpu_symbol(loaded->module, "omp_get_max_threads");
    if (!set || !get) return;
    memcpy(&loaded->set_threads, &set, sizeof set);
    memcpy(&loaded->get_threads, &get, sizeof get);
}

static bool load(Device *device, Diag *diag, Program *program, const char *keep) {
    CpuProgram *loaded = program->loaded = calloc(1, sizeof *loaded);
    if (!loaded) diag_refuse_memory(diag, "calloc: %s", strerror(ENOMEM));
    /* -O3 splits and peels the loops around a product for up to six times as long as -O2 takes, for
     * code that runs within a few percent of the same speed. */
    const CpuOptions options = {.compiler = device->compiler,
                                .flags = device->loads_fast ? "-O2" : NULL,
                                .one_thread = device->threads == 1};
    if (loaded) loaded->module = cpu_compile(diag, program->source, keep, &options);
    bool ok = loaded && loaded->module && find(diag, program, "entry", &loaded->entry) &&
              find(diag, program, "workspace", &loaded->workspace);
    if (ok && program->prepares)
        ok = find(diag, program, "prepare", &loaded->prepare) &&
             find(diag, program, "prepared_size", &loaded->prepared_size);
    if (ok && device->threads > 1) find_openmp(loaded);
    if (!ok) unload(device, program);
    return ok;
}

static bool prepare(Device *device, Diag *diag, Call *call) {
    const CpuProgram *loaded = call->program->loaded;
    (void)device, (void)diag;
    call->workspace_bytes = loaded->workspace(call->dims);
    if (call->program->prepares) call->prepared_bytes = loaded->prepared_size(call->dims);
    return true;
}

static bool accepted(Diag *diag, const Call *call, int status) {
    if (!status) return true;
    diag_error(diag, NOWHERE, "%s: a condition on its dims does not hold", call->program->model_name);
    return false;
}

static bool prepare_constants(Device *device, Diag *diag, const Call *call, const Memory *m) {
    const CpuProgram *loaded = call->program->loaded;
    (void)device;
    return accepted(diag, call, loaded->prepare(m->tensors, call->dims, m->prepared));
}

static bool launch(Device *device, Diag *diag, const Call *call, const Memory *m, int kernel) {
    const CpuProgram *loaded = call->program->loaded;
    const int before = loaded->set_threads ? loaded->get_threads() : 0;
    if (before) loaded->set_threads(device->threads);
    int status = loaded->entry(m->tensors, call->dims, m->prepared, m->workspace, kernel);
    if (before) loaded->set_threads(before);
    return accepted(diag, call, status);
}

/* ---- memory ------------------------------------------------------------------------------- */

static void *allocate(Device *device, Diag *diag, size_t bytes) {
    void *memory = NULL;
    (void)device;
    int error = posix_memalign(&memory, ALIGN, bytes ? bytes : 1);
    if (error) diag_refuse_memory(diag, "posix_memalign of %zu bytes: %s", bytes, strerror(error));
    return error ? NULL : memory;
}

static void release(Device *device, void *memory) {
    (void)device;
    free(memory);
}

static bool copy(Device *device, Diag *diag, void *to, const void *from, size_t bytes) {
    (void)device, (void)diag;
    if (bytes) memcpy(to, from, bytes);
    return true;
}

/* ---- time --------------------------------------------------------------------------------- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool wait_for_all(Device *device, Diag *diag) {
    (void)device, (void)diag;
    return true;
}

static bool start(Device *device, Diag *diag) {
    (void)diag;
    ((CpuDevice *)device)->start = now();
    return true;
}

static bool stop(Device *device, Diag *diag, double *seconds) {
    (void)diag;
    *seconds = now() - ((CpuDevice *)device)->start;
    return true;
}

/* ---- the device --------------------------------------------------------------------------- */

static void close_device(Device *device) { free(device); }

/* "Intel(R) Xeon(R) Processor"; as Linux tells it. */
static void read_name(Diag *diag, char *name) {
    Diag *quiet = diag_new(diag->arena, 1);
    size_t size;
    char *text = file_read(quiet, "/proc/cpuinfo", 1 << 20, &size);
    const char *line = text ? strstr(text, "model name") : NULL,
               *at = line ? strchr(line, ':') : NULL;
    strcpy(name, "CPU");
    if (at) {
        at += strspn(at, ": ");
        size_t length = strcspn(at, "\n");
        length = length < NAME_MOST ? length : NAME_MOST - 1;
        memcpy(name, at, length);
        name[length] = '\0';
    }
    free(text);
}

static size_t cache_bytes(void) {
#ifdef _SC_LEVEL3_CACHE_SIZE
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes > 0) return (size_t)bytes;
#endif
    return CACHE_DEFAULT;
}

Device *cpu_open(Diag *diag) {
    CpuDevice *cpu = calloc(1, sizeof *cpu);
    if (!cpu) {
        diag_refuse_memory(diag, "calloc: %s", strerror(ENOMEM));
        return NULL;
    }
    read_name(diag, cpu->name);
    cpu->device = (Device){.kind = DEVICE_CPU,
                           .name = cpu->name,
                           .cache = cache_bytes(),
                           .close = close_device,
                           .load = load,
                           .unload = unload,
                           .prepare = prepare,
                           .allocate = allocate,
                           .release = release,
                           .put = copy,
                           .get = copy,
                           .copy = copy,
                           .prepare_constants = prepare_constants,
                           .launch = launch,
                           .wait = wait_for_all,
                           .start = start,
                           .stop = stop};
    return &cpu->device;
}
