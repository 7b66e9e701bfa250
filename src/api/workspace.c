/* workspace.c: the library's own workspaces, for calls that pass none.
 * In: how many bytes the variants of a function need. Out: a few blocks of memory, which calls take
 * without a lock. On the CPU a call returns its block at its end. On CUDA kernels run later: a
 * block belongs to the first stream that takes it, which orders its calls. A block that is replaced
 * by a larger one may still be in use, so it is kept; sizes double, which bounds the waste. */
#include "api/api.h"

/* ---- calls -------------------------------------------------------------------------------- */

static bool try_take(Workspace *w) {
    int free_now = 0;
    return atomic_compare_exchange_strong_explicit(&w->is_busy, &free_now, 1, memory_order_acquire,
                                                   memory_order_relaxed);
}

static void take(Workspace *w) {
    while (!try_take(w)) sched_yield(); /* for as long as another thread queues its kernels */
}

void workspace_return(Workspace *w) { atomic_store_explicit(&w->is_busy, 0, memory_order_release); }

static Workspace *take_any(FusecFunction *f) {
    for (int i = 0; i < f->options.workspaces; i++)
        if (try_take(&f->workspaces[i])) return &f->workspaces[i];
    return NULL;
}

static Workspace *take_of_stream(FusecFunction *f, void *stream) {
    for (int i = 0; i < f->options.workspaces; i++) {
        Workspace *w = &f->workspaces[i];
        take(w);
        if (!w->has_stream || w->stream == stream) {
            w->has_stream = true;
            w->stream = stream;
            return w;
        }
        workspace_return(w);
    }
    return NULL;
}

Workspace *workspace_take(FusecFunction *f, void *stream) {
    return f->model->context->device->kind == DEVICE_CPU ? take_any(f) : take_of_stream(f, stream);
}

/* ---- memory ------------------------------------------------------------------------------- */

typedef struct Growth {
    FusecFunction *f;
    size_t bytes;
} Growth;

static void replace(FusecFunction *f, Workspace *w, void *memory, size_t bytes, Retired *retired) {
    const FusecContext *context = f->model->context;
    take(w);
    const Retired before = {f->retired, w->memory, w->bytes};
    w->memory = memory;
    w->bytes = bytes;
    workspace_return(w);
    if (context->device->kind == DEVICE_CPU) {
        device_give_back(context, before.memory, before.bytes);
    } else if (before.memory) {
        *retired = before;
        f->retired = retired;
    }
}

static FusecStatus grow_all(void *of) {
    const Growth *g = of;
    FusecFunction *f = g->f;
    Diag *diag = diag_new(f->handle.arena, 1);
    for (int i = 0; i < f->options.workspaces; i++) {
        Retired *retired = arena_new_of(f->handle.arena, Retired);
        void *memory = device_take(f->model->context, diag, g->bytes);
        if (!memory) return api_fail_diag(diag);
        replace(f, &f->workspaces[i], memory, g->bytes, retired);
    }
    f->workspace_bytes = g->bytes;
    return FUSEC_OK;
}

FusecStatus workspaces_grow(FusecFunction *f, size_t bytes) {
    Growth g = {.f = f, .bytes = bytes};
    if (bytes <= f->workspace_bytes) return FUSEC_OK;
    if (f->model->context->device->kind == DEVICE_CUDA && g.bytes < 2 * f->workspace_bytes)
        g.bytes = 2 * f->workspace_bytes;
    return api_run(grow_all, &g);
}

void workspaces_free(FusecFunction *f) {
    const FusecContext *context = f->model->context;
    for (int i = 0; i < WORKSPACES_MOST; i++)
        device_give_back(context, f->workspaces[i].memory, f->workspaces[i].bytes);
    for (const Retired *r = f->retired; r; r = r->next)
        device_give_back(context, r->memory, r->bytes);
}
