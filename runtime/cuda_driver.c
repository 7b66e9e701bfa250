/* cuda_driver.c: the CUDA driver, loaded at run time.
 * In: nothing. Out: its functions, its error texts, a description of each device. */
#include "runtime/cuda.h"

bool cuda_driver_load(Arena *arena, CudaDriver *d, const char **why) {
    static const char *const names[] = {"libcuda.so.1", NULL};
    *d = (CudaDriver){0};
    if (!library_open(arena, &d->library, names, why)) {
        if (!*why)
            *why = "no CUDA driver: libcuda.so.1 is not on this machine; it comes with NVIDIA's "
                   "driver (https://www.nvidia.com/drivers, or your distribution's package of it)";
        return false;
    }
#define FUNCTION(field, name, parameters)                                                          \
    if (!library_symbol(&d->library, name, &d->field)) {                                           \
        *why = arena_printf(arena, "%s has no %s: install a driver for CUDA 12 or newer",          \
                            d->library.path, name);                                                \
        return false;                                                                              \
    }
    CUDA_FUNCTIONS
#undef FUNCTION
    *why = cuda_failure(arena, d, "cuInit", d->init(0));
    return !*why;
}

/* After these the driver answers every later call of the process with the same error. */
bool cuda_is_sticky(int status) {
    static const int sticky[] = {
        214, /* uncorrectable ECC error */
        700, /* illegal address */
        702, /* launch timed out */
        710, /* assertion */
        714, /* hardware stack error */
        715, /* illegal instruction */
        716, /* misaligned address */
        717, /* invalid address space */
        718, /* invalid program counter */
        719, /* launch failed */
    };
    for (size_t i = 0; i < sizeof sticky / sizeof sticky[0]; i++)
        if (status == sticky[i]) return true;
    return false;
}

const char *cuda_failure(Arena *arena, const CudaDriver *d, const char *call, int status) {
    const char *words = NULL, *name = NULL;
    if (!status) return NULL;
    if (d->error_text(status, &words) || !words) words = "unknown error";
    if (d->error_name(status, &name) || !name) name = "no name";
    return arena_printf(arena, "%s: %s (%s, %d)%s", call, words, name, status,
                        cuda_is_sticky(status) ? "; this process cannot use the device any more"
                                               : "");
}

/* ---- which devices? ----------------------------------------------------------------------- */

/* "NVIDIA H100 (sm_90)" */
static bool put_device(Arena *arena, const CudaDriver *d, int number, Text *out, const char **why) {
    char name[256] = "";
    int device = 0, major = 0, minor = 0, processors = 0;
    if ((*why = cuda_failure(arena, d, "cuDeviceGet", d->device(&device, number))) ||
        (*why = cuda_failure(arena, d, "cuDeviceGetName", d->name(name, sizeof name, device))) ||
        (*why = cuda_failure(arena, d, "cuDeviceGetAttribute",
                             d->attribute(&major, CUDA_MAJOR, device))) ||
        (*why = cuda_failure(arena, d, "cuDeviceGetAttribute",
                             d->attribute(&minor, CUDA_MINOR, device))) ||
        (*why = cuda_failure(arena, d, "cuDeviceGetAttribute",
                             d->attribute(&processors, CUDA_MULTIPROCESSORS, device))))
        return false;
    name[sizeof name - 1] = '\0';
    text_printf(out, "%s%s (sm_%d%d), %d multiprocessors", number ? ", " : "", name, major, minor,
                processors);
    return true;
}

const char *cuda_driver_version(Arena *arena) {
    CudaDriver d;
    int version = 0;
    const char *why;
    if (!cuda_driver_load(arena, &d, &why) || d.version(&version)) return NULL;
    return arena_printf(arena, "%d.%d", version / 1000, version % 1000 / 10);
}

bool cuda_devices(Arena *arena, const char **text) {
    CudaDriver d;
    int version = 0, count = 0;
    Text out = text_new(arena);
    if (!cuda_driver_load(arena, &d, text) ||
        (*text = cuda_failure(arena, &d, "cuDriverGetVersion", d.version(&version))) ||
        (*text = cuda_failure(arena, &d, "cuDeviceGetCount", d.count(&count))))
        return false;
    *text = "the CUDA driver sees no device";
    if (!count) return false;
    for (int i = 0; i < count; i++)
        if (!put_device(arena, &d, i, &out, text)) return false;
    text_printf(&out, ", driver %d.%d (%s)", version / 1000, version % 1000 / 10, d.library.path);
    *text = text_get(&out);
    return true;
}
