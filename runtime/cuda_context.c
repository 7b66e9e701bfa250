/* cuda_context.c: a device of the CUDA driver: its context, and what a thread needs to use it.
 * In: its number. Out: handles. Around every use its context is made current; then the previous one
 * is restored. */
#include "runtime/cuda.h"

#include <string.h>

enum { STREAM_ALONE = 1, NO_MEMORY = 2, CAPTURE_RELAXED = 2 };

bool cuda_ok(Diag *diag, const CudaDevice *c, const char *call, int status) {
    if (!status) return true;
    const char *failure = cuda_failure(diag->arena, &c->driver, call, status);
    diag->device_lost = diag->device_lost || cuda_is_sticky(status);
    if (status == NO_MEMORY)
        diag_refuse_memory(diag, "%s", failure);
    else
        diag_refuse(diag, "%s", failure);
    return false;
}

/* ---- around every use --------------------------------------------------------------------- */

/* While a thread captures a stream in the mode "global", only threads in the mode "relaxed" may
 * allocate. The driver returns the previous mode. */
bool cuda_enter(Device *device, Diag *diag, DeviceEntry *entry) {
    const CudaDevice *c = cuda_of(device);
    if (!cuda_ok(diag, c, "cuCtxPushCurrent", c->driver.context_push(c->context))) return false;
    entry->capture_mode = CAPTURE_RELAXED;
    if (entry->is_slow) c->driver.capture_mode(&entry->capture_mode);
    return true;
}

void cuda_leave(Device *device, DeviceEntry *entry) {
    const CudaDevice *c = cuda_of(device);
    CudaContext ours;
    if (entry->is_slow) c->driver.capture_mode(&entry->capture_mode);
    c->driver.context_pop(&ours);
}

bool cuda_is_capturing(Device *device, void *stream) {
    int state = 0;
    return cuda_of(device)->driver.is_capturing(stream, &state) || state;
}

/* ---- handles ------------------------------------------------------------------------------ */

bool cuda_find_device(CudaDevice *c, Diag *diag, int number) {
    int count = 0;
    if (!cuda_ok(diag, c, "cuDeviceGetCount", c->driver.count(&count))) return false;
    if (!count) diag_refuse(diag, "the CUDA driver sees no device");
    if (count && number >= count)
        diag_refuse(diag, "there is no CUDA device %d: the driver sees %d", number, count);
    return number < count &&
           cuda_ok(diag, c, "cuDeviceGet", c->driver.device(&c->number, number)) &&
           cuda_ok(diag, c, "cuDeviceGetName", c->driver.name(c->name, CUDA_NAME_MOST, c->number));
}

static bool take_context(CudaDevice *c, Diag *diag, void *given) {
    c->context = given;
    if (!given)
        c->owns_context = cuda_ok(diag, c, "cuDevicePrimaryCtxRetain",
                                  c->driver.context_retain(&c->context, c->number));
    return given || c->owns_context;
}

bool cuda_make_handles(CudaDevice *c, Diag *diag, void *context) {
    DeviceEntry entry = {.is_slow = true};
    if (!take_context(c, diag, context) || !cuda_enter(&c->device, diag, &entry)) return false;
    bool made =
        cuda_ok(diag, c, "cuStreamCreate", c->driver.stream_new(&c->stream, STREAM_ALONE)) &&
        cuda_ok(diag, c, "cuEventCreate", c->driver.event_new(&c->begin, 0)) &&
        cuda_ok(diag, c, "cuEventCreate", c->driver.event_new(&c->end, 0));
    cuda_leave(&c->device, &entry);
    return made;
}

void cuda_free_handles(CudaDevice *c) {
    CudaContext ours;
    bool is_current = c->context && !c->driver.context_push(c->context);
    if (is_current && c->begin) c->driver.event_free(c->begin);
    if (is_current && c->end) c->driver.event_free(c->end);
    if (is_current && c->stream) c->driver.stream_free(c->stream);
    if (is_current) c->driver.context_pop(&ours);
    if (c->owns_context) c->driver.context_release(c->number);
}
