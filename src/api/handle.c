/* handle.c: handles: an arena with a head, which has the kind and the reference count.
 * In: a kind and a size. Out: zeroed memory, freed with the last reference; and structs copied
 * between the caller's version of fusec.h and this one. */
#include "api/api.h"

#include <string.h>

typedef struct Making {
    Arena *arena;
    HandleKind kind;
    size_t size;
    Handle *handle;
} Making;

static void make(void *of) {
    Making *m = of;
    m->handle = arena_alloc(m->arena, m->size);
    m->handle->kind = m->kind;
    m->handle->arena = m->arena;
    atomic_init(&m->handle->references, 1);
}

void *handle_new(const Allocator *allocator, size_t limit, HandleKind kind, size_t size) {
    Making m = {arena_new_in(allocator, limit), kind, size, NULL};
    Recovery why;
    if (!m.arena) return NULL;
    if (!recover(make, &m, &why)) arena_free(m.arena);
    return m.handle;
}

void handle_keep(Handle *handle) {
    atomic_fetch_add_explicit(&handle->references, 1, memory_order_relaxed);
}

bool handle_drop(Handle *handle) {
    return atomic_fetch_sub_explicit(&handle->references, 1, memory_order_acq_rel) == 1;
}

void handle_free(Handle *handle) {
    handle->kind = HANDLE_RELEASED;
    arena_free(handle->arena);
}

void handle_release(FusecContext *context, Handle *handle) {
#ifdef NDEBUG
    (void)context;
    handle_free(handle);
#else
    unsigned at = atomic_fetch_add(&context->released_count, 1) % RELEASED_MOST;
    handle->kind = HANDLE_RELEASED;
    arena_free(atomic_exchange(&context->released[at], handle->arena));
#endif
}

bool handle_is(const void *handle, HandleKind kind, const char *argument) {
    if (handle && ((const Handle *)handle)->kind == kind) return true;
    api_fail_argument(
        argument, handle ? "%s is not a handle of this kind, or has been released" : "%s is NULL",
        argument);
    return false;
}

/* Any other number comes from memory that nobody has set. */
static bool is_struct_size(size_t has) {
    enum { MOST = 4096 };
    return has >= sizeof(size_t) && has <= MOST;
}

bool options_take(void *own, size_t size, const void *given, const char *argument) {
    size_t has = given ? *(const size_t *)given : size;
    if (!is_struct_size(has)) {
        api_fail_argument(argument, "%s.struct_size is not set: see FUSEC_OPTIONS", argument);
        return false;
    }
    memset(own, 0, size);
    if (given) memcpy(own, given, has < size ? has : size);
    *(size_t *)own = size;
    bool wrong = false;
    for (size_t i = size; given && !wrong && i < has; i++)
        wrong = ((const unsigned char *)given)[i] != 0;
    if (wrong)
        api_fail_argument(argument, "%s uses a field that this version of libfusec does not know",
                          argument);
    return !wrong;
}

bool options_give(const void *own, size_t size, void *to, const char *argument) {
    size_t has = to ? *(const size_t *)to : 0;
    if (!is_struct_size(has)) {
        api_fail_argument(argument,
                          to ? "%s->struct_size is not set: see FUSEC_OPTIONS" : "%s is NULL",
                          argument);
        return false;
    }
    memcpy((char *)to + sizeof(size_t), (const char *)own + sizeof(size_t),
           (has < size ? has : size) - sizeof(size_t));
    return true;
}
