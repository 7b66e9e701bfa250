/* launch.c: launches the kernels of a variant.
 * In: a variant, dims, memory. Out: the kernels have run (CPU) or are queued in the stream (CUDA).
 * Allocates only for an error message: what depends on open dims is computed on the stack. */
#include "api/api.h"

enum { ROOM = 16 << 10 };

typedef struct Launching {
    const Launch *l;
    Arena arena; /* for an error message, and for what does not fit in ROOM */
} Launching;

/* ---- the workspace ------------------------------------------------------------------------ */

bool brings_workspace(const FusecCallOptions *o) {
    return o && (o->workspace || o->workspace_allocate);
}

FusecStatus workspace_check(const FusecCallOptions *o, size_t bytes) {
    if ((uintptr_t)o->workspace % ALIGNED)
        return api_fail_argument("options.workspace",
                                 "options.workspace is not aligned to %d bytes", ALIGNED);
    if (o->workspace_bytes < bytes)
        return api_fail_argument("options.workspace",
                                 "options.workspace has %zu bytes, and the call needs %zu",
                                 o->workspace_bytes, bytes);
    return FUSEC_OK;
}

/* Of the caller: afterwards it is in `o`. */
static FusecStatus take_given(const FusecFunction *f, FusecCallOptions *o, size_t bytes) {
    if (!o->workspace) {
        o->workspace = o->workspace_allocate(o->workspace_user, bytes);
        o->workspace_bytes = bytes;
    }
    if (o->workspace) return workspace_check(o, bytes);
    return api_fail(FUSEC_NO_MEMORY,
                    "options.workspace_allocate has no %zu bytes of workspace for %s", bytes,
                    f->name);
}

static FusecStatus no_workspace(const FusecFunction *f) {
    return api_fail(FUSEC_BUSY,
                    "all %d workspaces of %s are in use: give the call one of its own, or raise "
                    "FusecFunctionOptions.workspaces",
                    f->options.workspaces, f->name);
}

static FusecStatus too_small(const FusecFunction *f, size_t has, size_t bytes) {
    return api_fail(FUSEC_NOT_PREPARED,
                    "%s needs %zu bytes of workspace with these dims, and has %zu: prepare it for "
                    "them, or give the call a workspace",
                    f->name, bytes, has);
}

/* ---- launching ---------------------------------------------------------------------------- */

/* One thread at a time, while the driver is given new pointers. */
static bool launch_graph(FusecExecutable *x, Diag *diag, const Call *call, const Memory *m) {
    Device *device = x->function->model->context->device;
    int unused = 0;
    while (!atomic_compare_exchange_weak(&x->graph_is_busy, &unused, 1)) {
        unused = 0;
        sched_yield();
    }
    bool done = device->graph_launch(device, diag, call, x->graph, m);
    atomic_store(&x->graph_is_busy, 0);
    return done;
}

static FusecStatus launch_on(const Launching *n, const Call *call, Diag *diag, void *workspace) {
    const Launch *l = n->l;
    Device *device = l->f->model->context->device;
    void *const stream = l->options ? l->options->stream : NULL;
    const Memory memory = {l->tensors, l->variant->prepared, workspace, &stream};
    const bool by_graph =
        l->executable && l->executable->graph && !device->is_capturing(device, stream);
    if (by_graph ? launch_graph(l->executable, diag, call, &memory)
                 : device->launch(device, diag, call, &memory, ALL_KERNELS))
        return FUSEC_OK;
    return api_fail_diag_as(diag, FUSEC_WRONG_DIMS);
}

static FusecStatus launch_call(const Launching *n, const Call *call, Diag *diag) {
    const FusecCallOptions *o = n->l->options;
    FusecFunction *f = n->l->f;
    const size_t bytes = (size_t)call->workspace_bytes;
    if (!bytes) return launch_on(n, call, diag, NULL);
    if (brings_workspace(o)) {
        FusecCallOptions given = *o;
        FusecStatus status = take_given(f, &given, bytes);
        return status ? status : launch_on(n, call, diag, given.workspace);
    }
    Workspace *w = workspace_take(f, o ? o->stream : NULL);
    if (!w) return no_workspace(f);
    FusecStatus status =
        w->bytes < bytes ? too_small(f, w->bytes, bytes) : launch_on(n, call, diag, w->memory);
    workspace_return(w);
    return status;
}

static FusecStatus launch_ready(void *of) {
    Launching *n = of;
    Diag diag = {.arena = &n->arena, .error_limit = 1};
    return launch_call(n, n->l->ready, &diag);
}

static FusecStatus launch_any(void *of) {
    Launching *n = of;
    const Launch *l = n->l;
    Device *device = l->f->model->context->device;
    _Alignas(16) char room[ROOM];
    int64_t dims[DIMS_MOST];
    Diag diag = {.arena = &n->arena, .error_limit = 1};
    if (device->kind == DEVICE_CUDA) n->arena = arena_over(room, sizeof room);
    variant_dims(l->variant, l->dims, dims);
    Call call = {.program = l->variant->program, .dims = dims};
    if (device->prepare(device, &diag, &call)) return launch_call(n, &call, &diag);
    return api_fail_diag_as(&diag, FUSEC_WRONG_DIMS);
}

FusecStatus launch(const Launch *l) {
    Launching n = {.l = l};
    FusecStatus status =
        device_run(l->f->model->context, false, l->ready ? launch_ready : launch_any, &n);
    arena_clear(&n.arena);
    return status;
}
