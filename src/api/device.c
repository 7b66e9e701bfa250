/* device.c: the device of a context, as the other files use it.
 * In: work for it. Out: the work is done while the device's context is current in the thread; then
 * the previous context is restored. Memory comes from the caller's allocators. */
#include "api/api.h"

/* ---- around work -------------------------------------------------------------------------- */

typedef struct Entering {
    Device *device;
    DeviceEntry entry;
    bool entered;
} Entering;

static FusecStatus enter(void *of) {
    Entering *e = of;
    _Alignas(16) char room[1024];
    Arena arena = arena_over(room, sizeof room);
    Diag diag = {.arena = &arena, .error_limit = 1};
    e->entered = e->device->enter(e->device, &diag, &e->entry);
    FusecStatus status = e->entered ? FUSEC_OK : api_fail_diag(&diag);
    arena_clear(&arena);
    return status;
}

FusecStatus device_run(const FusecContext *context, bool is_slow, FusecStatus (*body)(void *of),
                       void *of) {
    Entering e = {.device = context->device, .entry = {.is_slow = is_slow}};
    FusecStatus (*run)(FusecStatus(*)(void *), void *) = is_slow ? api_run : api_recover;
    if (!e.device->enter) return run(body, of);
    FusecStatus status = enter(&e);
    if (status) return status;
    status = run(body, of);
    e.device->leave(e.device, &e.entry);
    return status;
}

/* ---- memory ------------------------------------------------------------------------------- */

static const Allocator *allocator_of(const FusecContext *context) {
    if (context->device->kind == DEVICE_CPU) return context->host_allocator;
    return context->of_device.allocate ? &context->of_device : NULL;
}

void *device_take(const FusecContext *context, Diag *diag, size_t bytes) {
    const Allocator *a = allocator_of(context);
    if (!a) return context->device->allocate(context->device, diag, bytes);
    void *memory = a->allocate(a->user, bytes ? bytes : 1, ALIGNED);
    if (!memory) diag_refuse_memory(diag, "the allocator has no %zu bytes", bytes);
    return memory;
}

void device_give_back(const FusecContext *context, void *memory, size_t bytes) {
    const Allocator *a = allocator_of(context);
    if (!memory) return;
    if (a)
        a->release(a->user, memory, bytes ? bytes : 1);
    else
        context->device->release(context->device, memory);
}
