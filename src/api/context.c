/* context.c: a device, and what all models of it share.
 * In: options. Out: a context, which never changes once it is made. */
#include "api/api.h"

const char *fusec_version(void) { return FUSEC_VERSION; }

static bool take_limits(FusecContext *context) {
    const FusecContextOptions *o = &context->options;
    context->limits = limits_default();
    for (size_t i = 0; i < o->limit_count; i++) {
        const char *name = o->limits[i].name;
        int64_t *limit = name ? limits_find(&context->limits, name) : NULL;
        if (!limit || o->limits[i].value < 1) {
            api_fail_argument("options.limits",
                              limit ? "the limit %s is less than 1" : "there is no limit %s",
                              name ? name : "NULL");
            return false;
        }
        if (limit == &context->limits.elements && o->limits[i].value > ELEMENTS_MOST) {
            api_fail_argument("options.limits", "the limit elements is more than 2^%d",
                              ELEMENTS_LOG2);
            return false;
        }
        *limit = o->limits[i].value;
    }
    return true;
}

static Allocator allocator_of(const FusecAllocator *given) {
    return (Allocator){given->allocate, given->release, given->user};
}

static bool allocator_is_whole(const FusecAllocator *given, const char *argument) {
    if (!given || (given->allocate && given->release)) return true;
    api_fail_argument(argument, "%s lacks a function", argument);
    return false;
}

static bool options_are_right(const FusecContextOptions *o) {
    const char *wrong = NULL;
    if ((unsigned)o->device > FUSEC_DEVICE_AUTO) wrong = "options.device";
    if (o->device_number < 0) wrong = "options.device_number";
    if (o->threads < 0) wrong = "options.threads";
    if (o->background_threads < 0) wrong = "options.background_threads";
    if (wrong) {
        api_fail_argument(wrong, "%s is out of range", wrong);
        return false;
    }
    if (o->limit_count && !o->limits) {
        api_fail_argument("options.limits", "options.limits is NULL");
        return false;
    }
    return allocator_is_whole(o->host_allocator, "options.host_allocator") &&
           allocator_is_whole(o->device_allocator, "options.device_allocator");
}

/* ---- the device --------------------------------------------------------------------------- */

/* A device without its compiler is a remark; a machine without a driver is not. */
static bool wants_cuda(const FusecContext *context, Diag *diag) {
    const char *text;
    if (context->options.device != FUSEC_DEVICE_AUTO)
        return context->options.device == FUSEC_DEVICE_CUDA;
    if (!cuda_devices(diag->arena, &text)) return false;
    if (nvrtc_version(diag->arena, &text)) return true;
    diag_remark(diag, NOWHERE, "there is a GPU, but the CPU is used: %s", text);
    messages_deliver(context, diag, NULL, NULL);
    return false;
}

static const char *copy(const FusecContext *context, const char *text) {
    return text ? arena_strdup(context->handle.arena, text) : NULL;
}

/* Its errors are reported, and do not make the context fail. */
static void open_cache(FusecContext *context, Diag *diag) {
    const CacheOptions options = {.folder = context->options.cache, .build = artifact_build()};
    context->cache = cache_open(diag, &options);
    context->device->store = cache_code_store(context->cache);
    messages_deliver(context, diag, NULL, NULL);
}

static FusecStatus open_device(void *of) {
    FusecContext *context = of;
    FusecContextOptions *o = &context->options;
    o->compiler = copy(context, o->compiler);
    o->command = copy(context, o->command);
    o->cpu_arch = copy(context, o->cpu_arch);
    Diag *diag = diag_new(context->handle.arena, 1);
    const CudaOptions cuda = {o->device_number, o->cuda_context};
    Device *d = context->device =
        wants_cuda(context, diag) ? cuda_open(diag, &cuda) : device_open(diag, DEVICE_CPU);
    if (!d) return api_fail_diag(diag);
    d->compiler = o->compiler;
    d->cpu_arch = o->cpu_arch;
    d->threads = o->threads;
    open_cache(context, diag_new(context->handle.arena, 1));
    return workers_start(context);
}

static void context_free(FusecContext *context) {
    const Allocator host = context->host; /* the arena is freed with it */
    workers_stop(context->workers);
    for (int i = 0; i < RELEASED_MOST; i++) arena_free(atomic_load(&context->released[i]));
    device_close(context->device);
    cache_close(context->cache);
    if (context->host_allocator) context->handle.arena->allocator = &host;
    handle_free(&context->handle);
}

Device *context_device(const FusecContext *context) { return context->device; }

Cache *context_cache(const FusecContext *context) { return context->cache; }

void context_keep(FusecContext *context) { handle_keep(&context->handle); }

FusecStatus fusec_context_create(const FusecContextOptions *options, FusecContext **context) {
    FusecContextOptions own;
    if (!context) return api_fail_argument("context", "context is NULL");
    *context = NULL;
    if (!options_take(&own, sizeof own, options, "options") || !options_are_right(&own))
        return FUSEC_WRONG_ARGUMENT;
    Allocator host = {0};
    if (own.host_allocator) host = allocator_of(own.host_allocator);
    FusecContext *c = handle_new(own.host_allocator ? &host : NULL, 0, HANDLE_CONTEXT, sizeof *c);
    if (!c) return api_fail_memory();
    c->options = own;
    c->host = host;
    c->host_allocator = c->handle.arena->allocator = own.host_allocator ? &c->host : NULL;
    if (own.device_allocator) c->of_device = allocator_of(own.device_allocator);
    FusecStatus status = take_limits(c) ? api_run(open_device, c) : FUSEC_WRONG_ARGUMENT;
    c->options.limits = NULL;
    c->options.cache = NULL;
    if (status)
        context_free(c);
    else
        *context = c;
    return status;
}

void fusec_context_release(FusecContext *context) {
    if (!context || !handle_is(context, HANDLE_CONTEXT, "context")) return;
    if (handle_drop(&context->handle)) context_free(context);
}

FusecStatus fusec_context_device(const FusecContext *context, FusecDeviceInfo *info) {
    if (!handle_is(context, HANDLE_CONTEXT, "context")) return FUSEC_WRONG_ARGUMENT;
    const Device *d = context->device;
    const FusecDeviceInfo own = {
        .device = d->kind == DEVICE_CUDA ? FUSEC_DEVICE_CUDA : FUSEC_DEVICE_CPU,
        .number = d->kind == DEVICE_CUDA ? context->options.device_number : 0,
        .name = d->name,
        .arch = d->arch};
    return options_give(&own, sizeof own, info, "info") ? FUSEC_OK : FUSEC_WRONG_ARGUMENT;
}
