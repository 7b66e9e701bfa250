/* nvrtc.c: NVIDIA's run-time compiler, loaded by name.
 * In: CUDA C++ text. Out: PTX or a cubin. No GPU and no headers of CUDA are needed. */
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FUNCTION(field, name without "nvrtc", parameters); all return 0 for success. */
#define FUNCTIONS                                                                                  \
    FUNCTION(version, "Version", (int *, int *))                                                   \
    FUNCTION(arch_count, "GetNumSupportedArchs", (int *))                                          \
    FUNCTION(archs, "GetSupportedArchs", (int *))                                                  \
    FUNCTION(create, "CreateProgram",                                                              \
             (void **, const char *, const char *, int, const char *const *, const char *const *)) \
    FUNCTION(compile, "CompileProgram", (void *, int, const char *const *))                        \
    FUNCTION(log_size, "GetProgramLogSize", (void *, size_t *))                                    \
    FUNCTION(log, "GetProgramLog", (void *, char *))                                               \
    FUNCTION(ptx_size, "GetPTXSize", (void *, size_t *))                                           \
    FUNCTION(ptx, "GetPTX", (void *, char *))                                                      \
    FUNCTION(cubin_size, "GetCUBINSize", (void *, size_t *))                                       \
    FUNCTION(cubin, "GetCUBIN", (void *, char *))                                                  \
    FUNCTION(destroy, "DestroyProgram", (void **))

typedef struct Nvrtc {
    void *handle;
    const char *path;
#define FUNCTION(field, name, parameters) int(*field) parameters;
    FUNCTIONS
#undef FUNCTION
    const char *(*error_text)(int);
} Nvrtc;

/* ---- loading ------------------------------------------------------------------------------ */

static const char *const folders[] = {"", "/usr/local/cuda/lib64/", "/opt/cuda/lib64/"};
static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
enum { FOLDERS = sizeof folders / sizeof folders[0], NAMES = sizeof names / sizeof names[0] };

static bool find(Nvrtc *nvrtc, const char *name, void *function) {
    void *address = dlsym(nvrtc->handle, name);
    memcpy(function, &address, sizeof address);
    return address;
}

static bool find_all(Nvrtc *nvrtc) {
    bool ok = find(nvrtc, "nvrtcGetErrorString", &nvrtc->error_text);
#define FUNCTION(field, name, parameters) ok = find(nvrtc, "nvrtc" name, &nvrtc->field) && ok;
    FUNCTIONS
#undef FUNCTION
    return ok;
}

/* The first of folders and names that is there; it stays loaded, for what it allocates is not freed
 * when it goes. False with the reason in *why. */
static bool nvrtc_load(Arena *arena, Nvrtc *nvrtc, const char **why) {
    *nvrtc = (Nvrtc){0};
    *why = "NVRTC is not installed: no libnvrtc.so.13 or .12, neither where the system looks for "
           "libraries nor in /usr/local/cuda/lib64";
    for (int i = 0; i < FOLDERS * NAMES && !nvrtc->handle; i++) {
        nvrtc->path = arena_printf(arena, "%s%s", folders[i / NAMES], names[i % NAMES]);
        nvrtc->handle = dlopen(nvrtc->path, RTLD_NOW | RTLD_LOCAL);
    }
    if (!nvrtc->handle) return false;
    if (find_all(nvrtc)) return true;
    *why = arena_printf(arena, "%s is too old: CUDA 12 or newer is needed", nvrtc->path);
    return false;
}

/* ---- compiling ---------------------------------------------------------------------------- */

/* False, with the call and NVRTC's words, when `status` is an error. */
static bool succeeded(Diag *diag, const Nvrtc *nvrtc, const char *call, int status) {
    if (status) diag_refuse(diag, "%s: %s (%s)", call, nvrtc->error_text(status), nvrtc->path);
    return status == 0;
}

static const char *read_log(Arena *arena, const Nvrtc *nvrtc, void *program) {
    size_t size = 0;
    if (nvrtc->log_size(program, &size) || !size) return "";
    char *log = arena_alloc(arena, size + 1);
    return nvrtc->log(program, log) ? "" : log;
}

static bool run_compiler(Diag *diag, const Nvrtc *nvrtc, void *program, const char *arch) {
    const char *options[] = {arena_printf(diag->arena, "--gpu-architecture=%s", arch),
                             "--std=c++17"};
    int status = nvrtc->compile(program, 2, options);
    if (status)
        diag_refuse(diag, "nvrtcCompileProgram for %s: %s\n%s", arch, nvrtc->error_text(status),
                    read_log(diag->arena, nvrtc, program));
    return status == 0;
}

static void *take_result(Diag *diag, const Nvrtc *nvrtc, void *program, NvrtcResult result,
                         size_t *size) {
    bool ptx = result == NVRTC_PTX;
    if (!succeeded(diag, nvrtc, ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize",
                   (ptx ? nvrtc->ptx_size : nvrtc->cubin_size)(program, size)))
        return NULL;
    char *bytes = malloc(*size + 1);
    if (!bytes) {
        diag_refuse(diag, "malloc: %s", strerror(ENOMEM));
    } else if (!succeeded(diag, nvrtc, ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN",
                          (ptx ? nvrtc->ptx : nvrtc->cubin)(program, bytes))) {
        free(bytes);
        return NULL;
    }
    if (ptx && *size) --*size; /* PTX is counted with its NUL */
    return bytes;
}

void *nvrtc_compile(Diag *diag, const char *source, const char *name, const char *arch,
                    NvrtcResult result, size_t *size) {
    Nvrtc nvrtc;
    const char *why;
    void *program = NULL, *bytes = NULL;
    if (!nvrtc_load(diag->arena, &nvrtc, &why)) {
        diag_refuse(diag, "%s", why);
        return NULL;
    }
    if (succeeded(diag, &nvrtc, "nvrtcCreateProgram",
                  nvrtc.create(&program, source, name, 0, NULL, NULL))) {
        if (run_compiler(diag, &nvrtc, program, arch))
            bytes = take_result(diag, &nvrtc, program, result, size);
        nvrtc.destroy(&program);
    }
    return bytes;
}

/* ---- asking ------------------------------------------------------------------------------- */

bool nvrtc_version(Arena *arena, const char **text) {
    Nvrtc nvrtc;
    int major = 0, minor = 0, count = 0;
    if (!nvrtc_load(arena, &nvrtc, text)) return false;
    bool ok = !nvrtc.version(&major, &minor) && !nvrtc.arch_count(&count) && count > 0;
    int *archs = arena_array(arena, int, count + 1);
    ok = ok && !nvrtc.archs(archs);
    *text = ok ? arena_printf(arena, "%d.%d, sm_%d to sm_%d (%s)", major, minor, archs[0],
                              archs[count - 1], nvrtc.path)
               : arena_printf(arena, "%s does not answer", nvrtc.path);
    return ok;
}
