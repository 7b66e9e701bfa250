/* cpu_device.c: the CPU as a device: its memory is host memory, and launches are synchronous.
 * In: programs in C. Out: their results. */
#include "runtime/runtime.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGN = 256, NAME_MOST = 128, CPUINFO_MOST = 16 << 10 };

typedef struct CpuDevice {
    Device device; /* first: operations are given &device */
    char name[NAME_MOST];
    CodeKey features; /* of what -march=native goes by */
    bool knows_features;
    char model[NAME_MOST]; /* vendor, family, model, stepping */
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

/* What the code depends on, for a table. Not on the compiler: code of another one is right, too,
 * and is of use where there is none. Nor on this machine, where the flags name another one. */
static CodeKey key_of(const CpuDevice *cpu, Diag *diag, const Program *program,
                      const CpuOptions *options) {
    const char *build = options->codes->build ? options->codes->build : "";
    const char *flags = cpu_flags(diag->arena, options);
    const FilePart parts[] = {{"C", 1},
                              {build, strlen(build)},
                              {flags, strlen(flags)},
                              {&cpu->features, cpu->device.cpu_arch ? 0 : sizeof cpu->features},
                              {program->source, strlen(program->source)}};
    return code_key(parts, sizeof parts / sizeof *parts);
}

/* For a store. There the compiler counts: who asks for another one may want to see what it
 * makes. */
static KeyFields stored_key(const CpuDevice *cpu, Diag *diag, const Program *program,
                            const CpuOptions *options) {
    enum { FIELDS = 7 };
    Arena *arena = diag->arena;
    const char *compiler, *version;
    toolchain_c(diag, cpu->device.store, options, &compiler, &version);
    KeyField *at = arena_array(arena, KeyField, FIELDS);
    at[0] = (KeyField){"device", "cpu"};
    at[1] = (KeyField){"chip", arena_printf(arena, "%s (%s)", cpu->name, cpu->model)};
    at[2] = (KeyField){"features", arena_printf(arena, "%016" PRIx64 "%016" PRIx64,
                                                cpu->features.high, cpu->features.low)};
    at[3] = (KeyField){"compiler", compiler};
    at[4] = (KeyField){"version", version};
    at[5] = (KeyField){"flags", cpu_flags(arena, options)};
    at[6] = (KeyField){"source", program->source};
    return (KeyFields){at, FIELDS};
}

static CpuModule *load_known(Diag *diag, const CpuOptions *options) {
    const Code *code = code_find(options->codes, options->key);
    return code ? cpu_load(diag_new(diag->arena, 1), code) : NULL;
}

/* Code that is already compiled comes from the table, and into that from the store. */
static CpuModule *load_stored(const CpuDevice *cpu, Diag *diag, const Program *program,
                              const KeyFields *key, const CpuOptions *options) {
    CodeStore *store = cpu->device.store;
    void *bytes;
    size_t size;
    if (!store->find(store, diag, key, &program->about, &bytes, &size)) return NULL;
    const bool added = code_add(options->codes, options->key, bytes, size);
    free(bytes);
    return added ? load_known(diag, options) : NULL;
}

static CpuModule *compile_and_store(const CpuDevice *cpu, Diag *diag, const Program *program,
                                    const KeyFields *key, const CpuOptions *options,
                                    const char *keep) {
    CodeStore *store = cpu->device.store;
    const double start = clock_now();
    const bool shares = key && program->shared;
    const CpuShared shared = {store, shares ? *key : (KeyFields){0}, program->source_at,
                              program->shared};
    CpuOptions with = *options;
    with.shared = shares ? &shared : NULL;
    CpuModule *module = cpu_compile(diag, program->source, keep, &with);
    const Code *code = module && key ? code_find(options->codes, options->key) : NULL;
    if (code)
        store->add(store, diag,
                   &(CodeEntry){*key, program->about, code->bytes, code->size, clock_now() - start},
                   1);
    return module;
}

/* From stored code, if this machine can load it; else by the compiler. With --keep the compiler
 * always runs: stored code has no source and no log. */
static CpuModule *make_known(const CpuDevice *cpu, Diag *diag, Program *program, const char *keep,
                             CpuOptions *options) {
    options->key = key_of(cpu, diag, program, options);
    CpuModule *module = load_known(diag, options);
    if (module) return module;
    KeyFields key = {0};
    if (cpu->device.store) key = stored_key(cpu, diag, program, options);
    if (cpu->device.store && !keep) module = load_stored(cpu, diag, program, &key, options);
    program->is_compiled = !module;
    return module ? module
                  : compile_and_store(cpu, diag, program, key.count ? &key : NULL, options, keep);
}

typedef struct Making {
    const CpuDevice *cpu;
    Diag *diag;
    Program *program;
    const char *keep;
    CpuOptions *options;
    CodeTable own; /* where the program has none */
    CpuModule *module;
} Making;

static void make_with_table(void *of) {
    Making *m = of;
    m->options->codes = m->program->codes ? m->program->codes : &m->own;
    m->module = make_known(m->cpu, m->diag, m->program, m->keep, m->options);
}

static void free_table(void *of) { code_table_free(&((Making *)of)->own); }

static CpuModule *make_module(const CpuDevice *cpu, Diag *diag, Program *program, const char *keep,
                              CpuOptions *options) {
    Making m = {.cpu = cpu, .diag = diag, .program = program, .keep = keep, .options = options};
    program->is_compiled = true;
    const bool is_known = cpu->knows_features || cpu->device.cpu_arch;
    if (!is_known || (!program->codes && !cpu->device.store))
        return cpu_compile(diag, program->source, keep, options);
    program->is_compiled = false;
    ensure(make_with_table, free_table, &m);
    return m.module;
}

/* The last -march counts. */
static const char *flags_of(const Device *device, Arena *arena) {
    return device->cpu_arch ? arena_printf(arena, "-march=%s", device->cpu_arch) : NULL;
}

static CpuOptions options_of(const Device *device, const Program *program, Arena *arena) {
    return (CpuOptions){.compiler = device->compiler,
                        .flags = flags_of(device, arena),
                        .one_thread = device->threads == 1,
                        .watch = program->watch};
}

static KeyFields key(Device *device, Diag *diag, const Program *program) {
    const CpuOptions options = options_of(device, program, diag->arena);
    const CpuDevice *cpu = (CpuDevice *)device;
    if (!cpu->knows_features && !device->cpu_arch) return (KeyFields){0};
    return stored_key(cpu, diag, program, &options);
}

CpuModule *cpu_device_compile(Device *device, Diag *diag, Program *program) {
    CpuOptions options = options_of(device, program, diag->arena);
    return make_module((CpuDevice *)device, diag, program, NULL, &options);
}

static bool load(Device *device, Diag *diag, Program *program, const char *keep) {
    CpuProgram *loaded = program->loaded = calloc(1, sizeof *loaded);
    if (!loaded) diag_refuse_memory(diag, "calloc: %s", strerror(ENOMEM));
    CpuOptions options = options_of(device, program, diag->arena);
    if (loaded) loaded->module = make_module((CpuDevice *)device, diag, program, keep, &options);
    bool ok = loaded && loaded->module && find(diag, program, "entry", &loaded->entry) &&
              find(diag, program, "workspace", &loaded->workspace);
    if (ok && program->prepares)
        ok = find(diag, program, "prepare", &loaded->prepare) &&
             find(diag, program, "prepared_size", &loaded->prepared_size);
    if (ok && device->threads != 1) find_openmp(loaded);
    if (!ok) unload(device, program);
    return ok;
}

/* From now on the calling thread has so many threads of OpenMP; those that it had before. */
static int take_threads(const CpuProgram *loaded, int threads) {
    const int before = loaded->get_threads();
    if (threads != before) loaded->set_threads(threads);
    return before;
}

/* The workspace has memory for each thread, so that calls have no more threads than it was made
 * for, whatever the application has set meanwhile. */
static bool prepare(Device *device, Diag *diag, Call *call) {
    const CpuProgram *loaded = call->program->loaded;
    (void)diag;
    if (loaded->set_threads) {
        call->threads = device->threads ? device->threads : loaded->get_threads();
        const int before = take_threads(loaded, call->threads);
        call->workspace_bytes = loaded->workspace(call->dims);
        take_threads(loaded, before);
    } else {
        call->workspace_bytes = loaded->workspace(call->dims);
    }
    if (call->program->prepares) call->prepared_bytes = loaded->prepared_size(call->dims);
    return true;
}

static bool accepted(Diag *diag, const Call *call, int status) {
    if (!status) return true;
    diag_error(diag, NOWHERE, "%s: a condition on its dims does not hold",
               call->program->model_name);
    return false;
}

static bool prepare_constants(Device *device, Diag *diag, const Call *call, const Memory *m) {
    const CpuProgram *loaded = call->program->loaded;
    (void)device;
    return accepted(diag, call, loaded->prepare(m->tensors, call->dims, m->prepared));
}

static bool launch(Device *device, Diag *diag, const Call *call, const Memory *m, int kernel) {
    const CpuProgram *loaded = call->program->loaded;
    int before = 0, threads = call->threads;
    if (threads && !device->threads && loaded->get_threads() < threads)
        threads = loaded->get_threads();
    if (threads) before = take_threads(loaded, threads);
    int status = loaded->entry(m->tensors, call->dims, m->prepared, m->workspace, kernel);
    if (threads) take_threads(loaded, before);
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

static bool wait_for_all(Device *device, Diag *diag) {
    (void)device, (void)diag;
    return true;
}

static bool start(Device *device, Diag *diag) {
    (void)diag;
    ((CpuDevice *)device)->start = clock_now();
    return true;
}

static bool stop(Device *device, Diag *diag, double *seconds) {
    (void)diag;
    *seconds = clock_now() - ((CpuDevice *)device)->start;
    return true;
}

/* ---- the device --------------------------------------------------------------------------- */

static void close_device(Device *device) { free(device); }

/* What Linux reports about the first processor, as much as there is room for. */
static const char *read_cpuinfo(Arena *arena) {
    char *text = arena_alloc(arena, CPUINFO_MOST + 1);
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (file) text[fread(text, 1, CPUINFO_MOST, file)] = '\0';
    if (file) fclose(file);
    char *end = strstr(text, "\n\n");
    if (end) *end = '\0';
    return text;
}

/* The value of "name : value"; false: there is no such line. */
static bool find_line(const char *text, const char *name, FilePart *value) {
    const size_t length = strlen(name);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line + length;
        if (strncmp(line, name, length) || at[strspn(at, " \t")] != ':') continue;
        at += strspn(at, " \t:");
        *value = (FilePart){at, strcspn(at, "\n")};
        return true;
    }
    return false;
}

/* "Intel(R) Xeon(R) Processor" */
static void read_name(CpuDevice *cpu, const char *cpuinfo) {
    FilePart name = {"CPU", 3};
    find_line(cpuinfo, "model name", &name);
    snprintf(cpu->name, NAME_MOST, "%.*s", (int)name.size, (const char *)name.data);
}

/* The lists of features have these names on x86, ARM and RISC-V. The model is read, too: an old
 * kernel of Linux does not list all features. */
static void read_features(CpuDevice *cpu, const char *cpuinfo) {
    static const char *const lists[] = {"flags", "Features", "isa"};
    static const char *const models[] = {"vendor_id",   "cpu family",      "model",
                                         "stepping",    "CPU implementer", "CPU architecture",
                                         "CPU variant", "CPU part",        "uarch"};
    enum { LISTS = sizeof lists / sizeof *lists, MODELS = sizeof models / sizeof *models };
    FilePart parts[LISTS + MODELS] = {{0}};
    for (int i = 0; i < LISTS; i++)
        if (find_line(cpuinfo, lists[i], &parts[i])) cpu->knows_features = true;
    for (int i = 0; i < MODELS; i++) find_line(cpuinfo, models[i], &parts[LISTS + i]);
    cpu->features = code_key(parts, LISTS + MODELS);
    for (int i = 0, at = 0; i < MODELS && at < NAME_MOST; i++)
        if (parts[LISTS + i].size)
            at += snprintf(cpu->model + at, (size_t)(NAME_MOST - at), "%s%.*s", at ? " " : "",
                           (int)parts[LISTS + i].size, (const char *)parts[LISTS + i].data);
}

Device *cpu_open(Diag *diag) {
    const char *cpuinfo = read_cpuinfo(diag->arena); /* jumps when out of memory */
    CpuDevice *cpu = calloc(1, sizeof *cpu);
    if (!cpu) {
        diag_refuse_memory(diag, "calloc: %s", strerror(ENOMEM));
        return NULL;
    }
    read_name(cpu, cpuinfo);
    read_features(cpu, cpuinfo);
    cpu->device = (Device){.kind = DEVICE_CPU,
                           .name = cpu->name,
                           .cache = cpu_cache_here(),
                           .close = close_device,
                           .load = load,
                           .unload = unload,
                           .key = key,
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
