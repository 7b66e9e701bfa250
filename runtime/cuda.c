/* cuda.c: what the CUDA driver says of this machine, the driver loaded by name.
 * In: nothing. Out: one line of text. */
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <string.h>

typedef struct Driver {
    void *handle;
    int (*init)(unsigned);
    int (*version)(int *);
    int (*count)(int *);
    int (*device)(int *, int);
    int (*name)(char *, int, int);
    int (*attribute)(int *, int, int);
    int (*error_text)(int, const char **);
} Driver;

enum { ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 }; /* of the compute capability */

static bool find(const Driver *d, const char *name, void *function) {
    void *address = dlsym(d->handle, name);
    memcpy(function, &address, sizeof address);
    return address;
}

static bool driver_load(Driver *d, const char **why) {
    *d = (Driver){.handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)};
    *why = "no CUDA driver: libcuda.so.1 is not installed";
    if (!d->handle) return false;
    *why = "libcuda.so.1 is too old";
    if (find(d, "cuInit", &d->init) && find(d, "cuDriverGetVersion", &d->version) &&
        find(d, "cuDeviceGetCount", &d->count) && find(d, "cuDeviceGet", &d->device) &&
        find(d, "cuDeviceGetName", &d->name) && find(d, "cuDeviceGetAttribute", &d->attribute) &&
        find(d, "cuGetErrorString", &d->error_text))
        return true;
    dlclose(d->handle);
    return false;
}

static bool failed(Arena *arena, const Driver *d, const char *call, int status, const char **text) {
    const char *words = NULL;
    if (!status) return false;
    if (d->error_text(status, &words) || !words) words = "unknown error";
    *text = arena_printf(arena, "%s: %s (%d)", call, words, status);
    return true;
}

/* "NVIDIA H100 (sm_90)" */
static bool put_device(Arena *arena, const Driver *d, int number, Text *out, const char **text) {
    char name[256] = "";
    int device = 0, major = 0, minor = 0;
    if (failed(arena, d, "cuDeviceGet", d->device(&device, number), text) ||
        failed(arena, d, "cuDeviceGetName", d->name(name, sizeof name, device), text) ||
        failed(arena, d, "cuDeviceGetAttribute", d->attribute(&major, ATTRIBUTE_MAJOR, device),
               text) ||
        failed(arena, d, "cuDeviceGetAttribute", d->attribute(&minor, ATTRIBUTE_MINOR, device),
               text))
        return false;
    name[sizeof name - 1] = '\0';
    text_printf(out, "%s%s (sm_%d%d)", number ? ", " : "", name, major, minor);
    return true;
}

bool cuda_devices(Arena *arena, const char **text) {
    Driver d;
    int version = 0, count = 0;
    Text out = text_new(arena);
    if (!driver_load(&d, text)) return false;
    bool ok = !failed(arena, &d, "cuInit", d.init(0), text) &&
              !failed(arena, &d, "cuDriverGetVersion", d.version(&version), text) &&
              !failed(arena, &d, "cuDeviceGetCount", d.count(&count), text);
    if (ok && !count) *text = "the CUDA driver sees no device";
    ok = ok && count > 0;
    for (int i = 0; ok && i < count; i++) ok = put_device(arena, &d, i, &out, text);
    text_printf(&out, ", driver %d.%d", version / 1000, version % 1000 / 10);
    if (ok) *text = text_get(&out);
    dlclose(d.handle);
    return ok;
}
