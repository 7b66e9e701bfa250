/* prepare.c: prepares a function for given dims.
 * In: dims. Out: a variant that accepts them, large enough workspaces, and on request a handle for
 * calls with these dims by bare pointers. All slow steps are here. */
#include "api/api.h"

#include <math.h>
#include <string.h>

typedef struct Preparation {
    FusecFunction *f;
    const int64_t *dims;
    FusecPrepareOptions options;
    FusecExecutable *executable; /* being made; NULL: none is wanted */
    Variant *variant;
    bool is_cancelled;
    bool is_for_call; /* which has no options of its own for tuning */
} Preparation;

/* Asks no more once it is cancelled. */
static bool goes_on(Preparation *p, const char *step, double done) {
    const FusecPrepareOptions *o = &p->options;
    if (!p->is_cancelled && o->progress)
        p->is_cancelled = o->progress(o->progress_user, step, done) != 0;
    return !p->is_cancelled;
}

static bool compiler_goes_on(void *of) { return goes_on(of, "compile", 0); }

static FusecStatus cancelled(void) {
    return api_fail(FUSEC_CANCELLED, "cancelled by the progress callback");
}

/* ---- the variant -------------------------------------------------------------------------- */

static bool is_served(const FusecFunction *f, const Variant *v) {
    return v && (v->is_exact || f->options.policy != FUSEC_EXACT);
}

static bool has_unaligned_constant(const FusecFunction *f) {
    for (int i = 0; i < f->input_count; i++)
        if ((uintptr_t)bound_memory(f, i) % TENSOR_ALIGNED) return true;
    return false;
}

static FusecStatus choose_variant(Preparation *p) {
    FusecFunction *f = p->f;
    bool later =
        p->options.background && f->model->context->workers && f->options.policy != FUSEC_GENERAL;
    const bool any_alignment = p->options.any_alignment || has_unaligned_constant(f);
    FusecStatus status = FUSEC_OK;
    p->variant = variant_find(atomic_load(&f->table), p->dims, f->dim_count, !any_alignment);
    if (is_served(f, p->variant)) return FUSEC_OK;
    if (!goes_on(p, "compile", 0)) return cancelled();
    if (!later || !p->variant) {
        Specialisation of =
            later ? (Specialisation){.any_alignment = false} : policy_choose(f, p->dims);
        of.any_alignment = any_alignment;
        const Watch watch = {compiler_goes_on, p};
        const VariantOptions how = {p->options.progress ? &watch : NULL, p->options.keep,
                                    &p->options.stream};
        status = variant_add(f, &of, p->dims, &how, &p->variant);
        if (p->is_cancelled) status = cancelled();
    }
    if (!status && later && !p->variant->is_exact) {
        policy_want(f, p->dims);
        workers_ask(f);
    }
    return status;
}

/* Of the variant with these dims; lives in `diag`'s arena. */
static FusecStatus make_call(const Preparation *p, Diag *diag, const int64_t *of_program,
                             Call **call) {
    Device *device = p->f->model->context->device;
    *call = program_prepare(diag, device, p->variant->program, of_program);
    return *call ? FUSEC_OK : api_fail_diag_as(diag, FUSEC_WRONG_DIMS);
}

static FusecStatus make_graph(FusecExecutable *x) {
    Device *device = x->function->model->context->device;
    Diag *diag = diag_new(x->handle.arena, 1);
    if (!device->graph_make || device->graph_make(device, diag, x->call, &x->graph))
        return FUSEC_OK;
    return api_fail_diag(diag);
}

static FusecStatus make_ready(void *of) {
    Preparation *p = of;
    FusecExecutable *x = p->executable;
    x->function = p->f;
    x->variant = p->variant;
    variant_dims(p->variant, p->dims, x->dims);
    FusecStatus status = make_call(p, diag_new(x->handle.arena, 1), x->dims, &x->call);
    if (status) return status;
    if (!p->options.no_workspaces) status = workspaces_grow(p->f, (size_t)x->call->workspace_bytes);
    return status || !p->options.graph ? status : make_graph(x);
}

static FusecStatus free_graph(void *of) {
    FusecExecutable *x = of;
    Device *device = x->function->model->context->device;
    device->graph_free(device, x->graph);
    return FUSEC_OK;
}

static void executable_free(FusecExecutable *x) {
    if (x->graph) device_run(x->function->model->context, true, free_graph, x);
    handle_release(x->function->model->context, &x->handle);
}

static FusecStatus make_executable(Preparation *p) {
    p->executable = handle_new(p->f->model->context->host_allocator, 0, HANDLE_EXECUTABLE,
                               sizeof *p->executable);
    return p->executable ? api_run(make_ready, p) : api_fail_memory();
}

FusecStatus prepare_specialised(FusecFunction *f, const int64_t *dims, Specialisation of) {
    Preparation p = {.f = f, .dims = dims};
    FusecStatus status = variant_add(f, &of, dims, &(VariantOptions){NULL, NULL, NULL}, &p.variant);
    if (!status) status = make_executable(&p);
    if (p.executable) executable_free(p.executable);
    return status;
}

/* The function keeps them, for variants that calls and workers make later. */
static void take_tuning(FusecFunction *f, const FusecPrepareOptions *o) {
    const char *lock = f->tuning.lock;
    if (!o->tune_lock)
        lock = NULL;
    else if (!lock || strcmp(lock, o->tune_lock) != 0)
        lock = arena_strdup(f->handle.arena, o->tune_lock);
    f->tuning = (TuningOptions){o->tuning, o->tuning_budget, lock};
}

static FusecStatus prepare(void *of) {
    Preparation *p = of;
    if (!p->is_for_call) take_tuning(p->f, &p->options);
    FusecStatus status = dims_refuse(p->f, p->dims);
    if (!status) status = constants_check(p->f, p->dims);
    if (!status) status = choose_variant(p);
    if (!status) status = make_executable(p);
    if (!status && !goes_on(p, "ready", 1)) status = cancelled();
    return status;
}

static FusecStatus prepare_locked(Preparation *p) {
    FusecStatus status = function_lock(p->f);
    if (status) return status;
    status = device_run(p->f->model->context, true, prepare, p);
    function_unlock(p->f);
    return status;
}

FusecStatus fusec_prepare(FusecFunction *f, const int64_t *dims, const FusecPrepareOptions *options,
                          FusecExecutable **executable) {
    Preparation p = {.f = f, .dims = dims};
    if (executable) *executable = NULL;
    if (!handle_is(f, HANDLE_FUNCTION, "function") ||
        !options_take(&p.options, sizeof p.options, options, "options"))
        return FUSEC_WRONG_ARGUMENT;
    if ((unsigned)p.options.tuning > FUSEC_TUNING_AUTO)
        return api_fail_argument("options.tuning", "options.tuning is out of range");
    if (!isfinite(p.options.tuning_budget) || p.options.tuning_budget < 0)
        return api_fail_argument("options.tuning_budget", "options.tuning_budget is out of range");
    FusecStatus status = prepare_locked(&p);
    if (status || !executable) {
        if (p.executable) executable_free(p.executable);
        return status;
    }
    function_keep(f);
    *executable = p.executable;
    return FUSEC_OK;
}

FusecStatus prepare_for_call(FusecFunction *f, const int64_t *dims, bool any_alignment,
                             const FusecCallOptions *call, Variant **variant) {
    Preparation p = {.f = f, .dims = dims, .is_for_call = true};
    p.options.any_alignment = any_alignment;
    p.options.stream = call->stream;
    p.options.no_workspaces = brings_workspace(call);
    FusecStatus status = prepare_locked(&p);
    if (p.executable) executable_free(p.executable);
    if (!status) *variant = p.variant;
    return status;
}

void fusec_executable_release(FusecExecutable *x) {
    if (!x || !handle_is(x, HANDLE_EXECUTABLE, "executable") || !handle_drop(&x->handle)) return;
    FusecFunction *f = x->function;
    executable_free(x);
    fusec_function_release(f);
}

FusecStatus fusec_executable_workspace(const FusecExecutable *x, size_t *bytes) {
    if (!handle_is(x, HANDLE_EXECUTABLE, "executable")) return FUSEC_WRONG_ARGUMENT;
    if (!bytes) return api_fail_argument("bytes", "bytes is NULL");
    *bytes = (size_t)x->call->workspace_bytes;
    return FUSEC_OK;
}
