/* workspace.c: the library's own workspaces, for calls that bring none.
 * In: how many bytes the variants of a function need. Out: a few blocks of memory, which calls take
 * and return without a lock. */
#include "api/api.h"

typedef struct Growth {
    FusecFunction *f;
    size_t bytes;
} Growth;

static bool take(Workspace *w) {
    int free_now = 0;
    return atomic_compare_exchange_strong_explicit(&w->is_busy, &free_now, 1, memory_order_acquire,
                                                   memory_order_relaxed);
}

Workspace *workspace_take(FusecFunction *f) {
    for (int i = 0; i < f->options.workspaces; i++)
        if (take(&f->workspaces[i])) return &f->workspaces[i];
    return NULL;
}

void workspace_return(Workspace *w) { atomic_store_explicit(&w->is_busy, 0, memory_order_release); }

/* Waits for the call that has it. */
static FusecStatus grow(Device *device, Diag *diag, Workspace *w, size_t bytes) {
    void *memory = device->allocate(device, diag, bytes);
    if (!memory) return api_fail_diag(diag);
    while (!take(w)) sched_yield();
    device->release(device, w->memory);
    w->memory = memory;
    w->bytes = bytes;
    workspace_return(w);
    return FUSEC_OK;
}

static FusecStatus grow_all(void *of) {
    Growth *g = of;
    Device *device = g->f->model->context->device;
    Diag *diag = diag_new(g->f->handle.arena, 1);
    FusecStatus status = FUSEC_OK;
    for (int i = 0; i < g->f->options.workspaces && !status; i++)
        status = grow(device, diag, &g->f->workspaces[i], g->bytes);
    if (!status) g->f->workspace_bytes = g->bytes;
    return status;
}

FusecStatus workspaces_grow(FusecFunction *f, size_t bytes) {
    if (bytes <= f->workspace_bytes) return FUSEC_OK;
    return api_run(grow_all, &(Growth){f, bytes});
}

void workspaces_free(FusecFunction *f) {
    Device *device = f->model->context->device;
    for (int i = 0; i < WORKSPACES_MOST; i++) device->release(device, f->workspaces[i].memory);
}
