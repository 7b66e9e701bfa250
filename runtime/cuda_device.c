/* cuda_device.c: the first GPU as a device, through the driver and NVRTC.
 * In: programs in CUDA C++ and how to launch their kernels. Out: their results and times. All work
 * is on one stream, in the primary context of the process. */
#include "runtime/cuda.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs ----------------------------------------------------------------------------- */

static void unload_modules(const CudaDevice *c, CudaProgram *loaded) {
    for (int i = 0; i < NVRTC_PARTS_MOST; i++) {
        if (loaded->module[i]) c->driver.module_unload(loaded->module[i]);
        loaded->module[i] = NULL;
    }
}

static void unload(Device *device, Program *program) {
    CudaProgram *loaded = program->loaded;
    if (loaded) unload_modules(cuda_of(device), loaded);
    if (loaded) arena_free(loaded->arena);
    free(loaded);
    program->loaded = NULL;
}

static int kernel_total(const Program *program) {
    return program->kernel_count + program->once_count;
}

static int by_place(const void *a, const void *b) {
    const size_t x = ((const NvrtcPlace *)a)->source_at, y = ((const NvrtcPlace *)b)->source_at;
    return (x > y) - (x < y);
}

static NvrtcPlace *places_of(Arena *arena, const Program *program, int *count) {
    NvrtcPlace *places = arena_array(arena, NvrtcPlace, kernel_total(program) + 1);
    *count = 0;
    for (int i = 0; i < kernel_total(program); i++) {
        const ProgramKernel *kernel = &program->kernels[i];
        if (!kernel_has_code(kernel)) continue;
        places[(*count)++] =
            (NvrtcPlace){program->source_at + kernel->source_at, kernel->place, kernel->name};
    }
    qsort(places, (size_t)*count, sizeof *places, by_place);
    return places;
}

/* Threads that compile one program. What is kept for a reader is one piece. */
static int parts_most(const CudaDevice *c, const NvrtcInput *input) {
    const int processors = processors_here();
    if (input->keep) return 1;
    if (c->device.threads) return c->device.threads;
    return processors < NVRTC_PARTS_MOST ? processors : NVRTC_PARTS_MOST;
}

static void *compile_parts(const CudaDevice *c, Diag *diag, const Program *program,
                           const NvrtcInput *input, NvrtcResult result, size_t *size) {
    NvrtcInput parts[NVRTC_PARTS_MOST];
    NvrtcCode codes[NVRTC_PARTS_MOST];
    const int count =
        cuda_parts_split(diag->arena, input, program->source_at, parts_most(c, input), parts);
    if (!nvrtc_compile_parts(diag, parts, count, result, program->watch, codes)) return NULL;
    *size = codes[0].size;
    if (count == 1) return codes[0].bytes;
    void *all = cuda_parts_join(diag, codes, count, size);
    for (int i = 0; i < count; i++) free(codes[i].bytes);
    return all;
}

/* Machine code where NVRTC knows the GPU; else PTX for an older one, which the driver compiles. */
static void *compile(const CudaDevice *c, Diag *diag, const Program *program, const char *keep,
                     size_t *size) {
    Arena *arena = diag->arena;
    int count;
    NvrtcPlace *places = places_of(arena, program, &count);
    NvrtcInput input = {.source = program->source,
                        .file = program->file,
                        .places = places,
                        .place_count = count,
                        .keep = keep};
    int most;
    bool known = nvrtc_knows(diag, c->sm, &most);
    input.arch = known ? c->arch : arena_printf(arena, "compute_%d", most);
    if (!known && !most) {
        diag_refuse(diag, "NVRTC makes no code for sm_%d: %s", c->sm, c->device.name);
        return NULL;
    }
    void *code = compile_parts(c, diag, program, &input, known ? NVRTC_CUBIN : NVRTC_PTX, size);
    if (!code || !keep) return code;
    const char *suffix = known ? "cubin" : "ptx";
    const char *path = arena_printf(arena, "%s/%s.%s", keep, program->file, suffix);
    if (file_write_atomic(diag, path, code, *size)) return code;
    free(code);
    return NULL;
}

/* The code of a program in memory: each part is a module. */
typedef struct Parts {
    const void *at[NVRTC_PARTS_MOST];
    int count;
    const char *end;
} Parts;

/* The part whose machine code has a kernel; the first, if that cannot be read. */
static int part_with(const Parts *parts, const char *name) {
    KernelUse use;
    for (int i = 0; i < parts->count; i++) {
        const size_t size = (size_t)(parts->end - (const char *)parts->at[i]);
        if (cubin_use(parts->at[i], size, name, &use)) return i;
    }
    return 0;
}

/* Asks the module that has it first: to the tools that watch a driver (compute-sanitizer) a name
 * that is not found is an error. */
static int find_kernel(const CudaDevice *c, const CudaProgram *loaded, const Parts *parts,
                       const char *name, CudaFunction *function) {
    const int first = parts->count > 1 ? part_with(parts, name) : 0;
    int status = 0;
    for (int i = 0; i < parts->count; i++) {
        CudaModule module = loaded->module[(first + i) % parts->count];
        if (!(status = c->driver.module_function(function, module, name))) break;
    }
    return status;
}

static bool find_kernels(const CudaDevice *c, Diag *diag, const Program *program,
                         const Parts *parts, CudaProgram *loaded) {
    for (int i = 0; i < kernel_total(program); i++) {
        const char *name = program->kernels[i].function;
        if (!cuda_ok(diag, c, arena_printf(diag->arena, "cuModuleGetFunction %s", name),
                     find_kernel(c, loaded, parts, name, &loaded->kernel[i].function)))
            return false;
    }
    return true;
}

static bool load_code(const CudaDevice *c, Diag *diag, const Program *program, const void *code,
                      size_t size) {
    CudaProgram *loaded = program->loaded;
    Parts parts = {.end = (const char *)code + size};
    parts.count = cuda_parts_find(code, size, parts.at);
    if (!parts.count) diag_refuse(diag, "machine code of %s is damaged", program->model_name);
    for (int i = 0; i < parts.count; i++)
        if (!cuda_ok(diag, c, "cuModuleLoadData",
                     c->driver.module_load(&loaded->module[i], parts.at[i])))
            return false;
    return parts.count && find_kernels(c, diag, program, &parts, loaded);
}

/* What the code depends on, for a table. Not on NVRTC: code of another version is right, too, and
 * is of use where there is none. */
static CodeKey key_of(const CudaDevice *c, const Program *program) {
    const char *build = program->codes->build;
    const FilePart parts[] = {{"CUDA", 4},
                              {build, strlen(build)},
                              {c->arch, strlen(c->arch)},
                              {program->source, strlen(program->source)}};
    return code_key(parts, sizeof parts / sizeof *parts);
}

/* For a store, where NVRTC counts; no fields: there is no store, or no NVRTC. */
static KeyFields stored_key(const CudaDevice *c, Diag *diag, const Program *program) {
    enum { FIELDS = 4 };
    const char *version = c->device.store ? toolchain_nvrtc(diag, c->device.store) : NULL;
    KeyField *at = arena_array(diag->arena, KeyField, FIELDS);
    at[0] = (KeyField){"device", "cuda"};
    at[1] = (KeyField){"arch", c->arch};
    at[2] = (KeyField){"nvrtc", version};
    at[3] = (KeyField){"source", program->source};
    return (KeyFields){at, version ? FIELDS : 0};
}

static KeyFields key(Device *device, Diag *diag, const Program *program) {
    return stored_key(cuda_of(device), diag, program);
}

/* Code that is already compiled, if the driver accepts it. */
static bool load_known(const CudaDevice *c, Diag *diag, const Program *program, const void *code,
                       size_t size) {
    CudaProgram *loaded = program->loaded;
    if (code && load_code(c, diag_new(diag->arena, 1), program, code, size)) return true;
    unload_modules(c, loaded);
    return false;
}

static bool load_tabled(const CudaDevice *c, Diag *diag, const Program *program) {
    const Code *code = program->codes ? code_find(program->codes, key_of(c, program)) : NULL;
    return code && load_known(c, diag, program, code->bytes, code->size);
}

static bool into_table(const CudaDevice *c, Diag *diag, const Program *program, const void *code,
                       size_t size) {
    if (!program->codes || code_add(program->codes, key_of(c, program), code, size)) return true;
    diag_refuse_memory(diag, "malloc: %s", strerror(ENOMEM));
    return false;
}

static bool load_stored(const CudaDevice *c, Diag *diag, const Program *program,
                        const KeyFields *key) {
    CodeStore *store = c->device.store;
    void *code;
    size_t size;
    if (!key->count || !store->find(store, diag, key, &program->about, &code, &size)) return false;
    const bool done =
        load_known(c, diag, program, code, size) && into_table(c, diag, program, code, size);
    free(code);
    return done;
}

static bool load_compiled(const CudaDevice *c, Diag *diag, const Program *program,
                          const KeyFields *key, const char *keep) {
    CodeStore *store = c->device.store;
    const double start = clock_now();
    size_t size;
    void *code = compile(c, diag, program, keep, &size);
    const double seconds = clock_now() - start;
    const bool done =
        code && load_code(c, diag, program, code, size) && into_table(c, diag, program, code, size);
    if (done && key->count)
        store->add(store, diag, &(CodeEntry){*key, program->about, code, size, seconds}, 1);
    free(code);
    return done;
}

static bool load_code_of(CudaDevice *c, Diag *diag, Program *program, const char *keep) {
    program->is_compiled = !load_tabled(c, diag, program);
    if (!program->is_compiled) return true;
    const KeyFields key = stored_key(c, diag, program);
    program->is_compiled = keep || !load_stored(c, diag, program, &key);
    return !program->is_compiled || load_compiled(c, diag, program, &key, keep);
}

static bool load(Device *device, Diag *diag, Program *program, const char *keep) {
    size_t functions = (size_t)kernel_total(program) * sizeof(CudaKernel);
    CudaProgram *loaded = program->loaded = calloc(1, sizeof *loaded + functions);
    if (!loaded) {
        diag_refuse_memory(diag, "calloc: %s", strerror(ENOMEM));
        return false;
    }
    bool done = load_code_of(cuda_of(device), diag, program, keep) &&
                cuda_read_formulas(cuda_of(device), diag, program);
    if (!done) unload(device, program);
    return done;
}

/* ---- launching ---------------------------------------------------------------------------- */

static const char *launch_text(Arena *arena, const CudaLaunch *l) {
    return arena_printf(arena, "%s<<<%u, %u x %u, %u>>>", l->name, l->grid, l->block_x, l->block_y,
                        l->shared);
}

/* With leave to begin before the kernel before it ends: its code waits for that. */
static int launch_dependent(const CudaDriver *driver, CudaFunction function, const CudaLaunch *l,
                            CudaStream stream, void **arguments) {
    CudaLaunchAttribute attribute = {.id = CUDA_DEPENDENT_LAUNCH, .value = {.is_allowed = 1}};
    const CudaLaunchConfig config = {.grid_x = l->grid,
                                     .grid_y = 1,
                                     .grid_z = 1,
                                     .block_x = l->block_x,
                                     .block_y = l->block_y,
                                     .block_z = 1,
                                     .shared = l->shared,
                                     .stream = stream,
                                     .attributes = &attribute,
                                     .attribute_count = 1};
    return driver->launch_with(&config, function, arguments, NULL);
}

static bool launch_kernel(CudaDevice *c, Diag *diag, const Call *call, int number,
                          const CudaLaunch *l, const Memory *m) {
    const ProgramKernel *kernel = &call->program->kernels[number];
    const CudaProgram *loaded = call->program->loaded;
    const CudaFunction function = loaded->kernel[number].function;
    const CudaStream stream = m->stream ? *m->stream : c->stream;
    CudaSlots slots;
    if (!cuda_fill_slots(c, diag, kernel, l, m, &slots)) return false;
    if (kernel->zeroed &&
        !cuda_ok(diag, c, "cuMemsetD8Async",
                 c->driver.zero(cuda_zeroed(kernel, l, m), 0, l->zeroed_bytes, stream)))
        return false;
    if (c->nvtx.push) c->nvtx.push(kernel->name);
    int status = call->program->is_dependent
                     ? launch_dependent(&c->driver, function, l, stream, slots.argument)
                     : c->driver.launch(function, l->grid, 1, 1, l->block_x, l->block_y, 1,
                                        l->shared, stream, slots.argument, NULL);
    if (c->nvtx.push) c->nvtx.pop();
    if (!m->stream) c->last = *l;
    return !status ||
           cuda_ok(diag, c,
                   arena_printf(diag->arena, "cuLaunchKernel %s", launch_text(diag->arena, l)),
                   status);
}

static bool launch(Device *device, Diag *diag, const Call *call, const Memory *m, int kernel) {
    int first = kernel == ALL_KERNELS ? 0 : kernel;
    int last = kernel == ALL_KERNELS ? call->program->kernel_count - 1 : kernel;
    for (int i = first; i <= last; i++)
        if (!launch_kernel(cuda_of(device), diag, call, i, &call->launches[i], m)) return false;
    return true;
}

/* An error in a kernel is returned by the next call that waits for it. */
static const char *after(Diag *diag, const CudaDevice *c, const char *call) {
    if (!c->last.name) return call;
    return arena_printf(diag->arena, "%s after %s", call, launch_text(diag->arena, &c->last));
}

static bool wait_for_all(Device *device, Diag *diag) {
    CudaDevice *c = cuda_of(device);
    const char *call = after(diag, c, "cuStreamSynchronize");
    c->last.name = NULL;
    return cuda_ok(diag, c, call, c->driver.stream_wait(c->stream));
}

static bool wait_for(const CudaDevice *c, Diag *diag, CudaStream stream) {
    return cuda_ok(diag, c, "cuStreamSynchronize", c->driver.stream_wait(stream));
}

/* In the device's stream, so that the caller's is only waited for. Several threads may do so at
 * once: the last launch is not noted. */
static bool prepare_constants(Device *device, Diag *diag, const Call *call, const Memory *m) {
    CudaDevice *c = cuda_of(device);
    const Program *program = call->program;
    void *const own = c->stream;
    const Memory memory = {m->tensors, m->prepared, m->workspace, &own};
    if (m->stream && !wait_for(c, diag, *m->stream)) return false;
    const CudaLaunch *launches = cuda_prepare_once(device, diag, call);
    for (int i = 0; launches && i < program->once_count; i++)
        if (!launch_kernel(c, diag, call, program->kernel_count + i, &launches[i], &memory))
            return false;
    return launches && wait_for(c, diag, c->stream);
}

/* ---- memory ------------------------------------------------------------------------------- */

static void *allocate(Device *device, Diag *diag, size_t bytes) {
    CudaDevice *c = cuda_of(device);
    CudaPointer at = 0;
    int status = c->driver.allocate(&at, bytes ? bytes : 1);
    cuda_ok(diag, c, arena_printf(diag->arena, "cuMemAlloc of %zu bytes", bytes), status);
    return (void *)(uintptr_t)at;
}

static void release(Device *device, void *at) {
    if (at) cuda_of(device)->driver.release((uintptr_t)at);
}

static const char *copy_text(Diag *diag, const CudaDevice *c, const char *call, size_t bytes) {
    return after(diag, c, arena_printf(diag->arena, "%s of %zu bytes", call, bytes));
}

/* The caller may change `from` at once: memory that is not pinned has been read on return. */
static bool put(Device *device, Diag *diag, void *to, const void *from, size_t bytes) {
    CudaDevice *c = cuda_of(device);
    if (!bytes) return true;
    return cuda_ok(diag, c, copy_text(diag, c, "cuMemcpyHtoDAsync", bytes),
                   c->driver.put((uintptr_t)to, from, bytes, c->stream));
}

static bool get(Device *device, Diag *diag, void *to, const void *from, size_t bytes) {
    CudaDevice *c = cuda_of(device);
    if (!bytes) return true;
    return cuda_ok(diag, c, copy_text(diag, c, "cuMemcpyDtoHAsync", bytes),
                   c->driver.get(to, (uintptr_t)from, bytes, c->stream)) &&
           wait_for_all(device, diag);
}

static bool copy(Device *device, Diag *diag, void *to, const void *from, size_t bytes) {
    CudaDevice *c = cuda_of(device);
    return cuda_ok(diag, c, copy_text(diag, c, "cuMemcpyDtoDAsync", bytes),
                   c->driver.copy((uintptr_t)to, (uintptr_t)from, bytes, c->stream));
}

/* ---- time --------------------------------------------------------------------------------- */

static bool start(Device *device, Diag *diag) {
    CudaDevice *c = cuda_of(device);
    return cuda_ok(diag, c, "cuEventRecord", c->driver.event_record(c->begin, c->stream));
}

static bool stop(Device *device, Diag *diag, double *seconds) {
    CudaDevice *c = cuda_of(device);
    float milliseconds = 0;
    bool done = cuda_ok(diag, c, after(diag, c, "cuEventRecord"),
                        c->driver.event_record(c->end, c->stream)) &&
                wait_for_all(device, diag) &&
                cuda_ok(diag, c, "cuEventElapsedTime",
                        c->driver.event_elapsed(&milliseconds, c->begin, c->end));
    *seconds = 1e-3 * milliseconds;
    return done;
}

/* ---- the device --------------------------------------------------------------------------- */

static int attribute(const CudaDevice *c, int which) {
    int value = 0;
    return c->driver.attribute(&value, which, c->number) ? 0 : value;
}

static void close_device(Device *device) {
    CudaDevice *c = cuda_of(device);
    cuda_free_handles(c);
    free(c);
}

static void describe(CudaDevice *c) {
    c->sm = 10 * attribute(c, CUDA_MAJOR) + attribute(c, CUDA_MINOR);
    const int processors = attribute(c, CUDA_MULTIPROCESSORS);
    size_t size = strlen(c->name);
    snprintf(c->name + size, sizeof c->name - size, " (sm_%d)", c->sm);
    snprintf(c->arch, sizeof c->arch, "sm_%d%s", c->sm, c->sm >= 90 ? "a" : "");
    c->device = (Device){.kind = DEVICE_CUDA,
                         .name = c->name,
                         .arch = c->arch,
                         .cache = (size_t)attribute(c, CUDA_L2_BYTES),
                         .processors = processors,
                         .shared_block = attribute(c, CUDA_SHARED_BLOCK),
                         .shared_processor = attribute(c, CUDA_SHARED_PROCESSOR),
                         .clocks = 1e3 * attribute(c, CUDA_CLOCK_KHZ) * processors,
                         .close = close_device,
                         .enter = cuda_enter,
                         .leave = cuda_leave,
                         .is_capturing = cuda_is_capturing,
                         .graph_make = cuda_graph_make,
                         .graph_launch = cuda_graph_launch,
                         .graph_free = cuda_graph_free,
                         .load = load,
                         .unload = unload,
                         .key = key,
                         .prepare = cuda_prepare,
                         .allocate = allocate,
                         .release = release,
                         .put = put,
                         .get = get,
                         .copy = copy,
                         .prepare_constants = prepare_constants,
                         .launch = launch,
                         .wait = wait_for_all,
                         .start = start,
                         .stop = stop};
}

Device *cuda_open(Diag *diag, const CudaOptions *options) {
    CudaDevice *c = calloc(1, sizeof *c);
    const char *why;
    if (!c) {
        diag_refuse_memory(diag, "calloc: %s", strerror(ENOMEM));
        return NULL;
    }
    bool loaded = cuda_driver_load(diag->arena, &c->driver, &why);
    if (!loaded) diag_refuse(diag, "%s", why);
    if (!loaded || !cuda_find_device(c, diag, options->number) ||
        !cuda_make_handles(c, diag, options->context)) {
        close_device(&c->device);
        return NULL;
    }
    c->nvtx = nvtx_open(diag->arena);
    describe(c);
    return &c->device;
}
