/* prepare.c: a function made ready for certain dims.
 * In: dims. Out: a variant that takes them, workspaces that suffice, and on request a handle for
 * calls with these dims by bare pointers. All that may take long is here. */
#include "api/api.h"

#include <string.h>

typedef struct Preparation {
    FusecFunction *f;
    const int64_t *dims;
    FusecPrepareOptions options;
    FusecExecutable *executable; /* being made; NULL: none is wanted */
    Variant *variant;
} Preparation;

static bool goes_on(const Preparation *p, const char *step, double done) {
    const FusecPrepareOptions *o = &p->options;
    return !o->progress || !o->progress(o->progress_user, step, done);
}

static FusecStatus cancelled(void) {
    return api_fail(FUSEC_CANCELLED, "cancelled by the progress callback");
}

/* ---- constants ---------------------------------------------------------------------------- */

static FusecStatus check_bound(const FusecFunction *f) {
    for (int i = 0; i < f->input_count; i++)
        if (f->arguments[i].is_constant && !f->bound[i])
            return api_fail_argument(f->arguments[i].name,
                                     "%s is a constant, and is not bound: see fusec_function_bind",
                                     f->arguments[i].name);
    return FUSEC_OK;
}

/* ---- the variant -------------------------------------------------------------------------- */

static FusecStatus choose_variant(Preparation *p) {
    static const int64_t all_open[DIMS_MOST];
    FusecFunction *f = p->f;
    const VariantTable *table = atomic_load(&f->table);
    bool general = f->options.policy == FUSEC_GENERAL;
    p->variant = variant_find(table, p->dims, f->dim_count);
    if (p->variant && (general || p->variant->is_exact)) return FUSEC_OK;
    if (!goes_on(p, "compile", 0)) return cancelled();
    return variant_add(f, general ? all_open : p->dims, &p->variant);
}

/* Of the variant with these dims; lives in `diag`'s arena. */
static FusecStatus make_call(const Preparation *p, Diag *diag, const int64_t *of_program,
                             Call **call) {
    Device *device = p->f->model->context->device;
    *call = program_prepare(diag, device, p->variant->program, of_program);
    return *call ? FUSEC_OK : api_fail_diag(diag);
}

static FusecStatus make_ready(void *of) {
    Preparation *p = of;
    FusecExecutable *x = p->executable;
    variant_dims(p->variant, p->dims, x->dims);
    FusecStatus status = make_call(p, diag_new(x->handle.arena, 1), x->dims, &x->call);
    if (status) return status == FUSEC_WRONG_MODEL ? FUSEC_WRONG_DIMS : status;
    return workspaces_grow(p->f, (size_t)x->call->workspace_bytes);
}

static FusecStatus prepare(Preparation *p) {
    FusecStatus status = dims_refuse(p->f, p->dims);
    if (!status) status = check_bound(p->f);
    if (!status) status = choose_variant(p);
    if (!status) status = api_run(make_ready, p);
    if (!status && !goes_on(p, "ready", 1)) status = cancelled();
    return status;
}

FusecStatus fusec_prepare(FusecFunction *f, const int64_t *dims, const FusecPrepareOptions *options,
                          FusecExecutable **executable) {
    Preparation p = {.f = f, .dims = dims};
    if (executable) *executable = NULL;
    if (!handle_is(f, HANDLE_FUNCTION, "function") ||
        !options_take(&p.options, sizeof p.options, options, "options"))
        return FUSEC_WRONG_ARGUMENT;
    FusecExecutable *x = p.executable =
        handle_new(f->model->context->host_allocator, 0, HANDLE_EXECUTABLE, sizeof *x);
    if (!x) return api_fail_memory();
    pthread_mutex_lock(&f->lock);
    FusecStatus status = prepare(&p);
    pthread_mutex_unlock(&f->lock);
    x->function = f;
    x->variant = p.variant;
    if (status || !executable) {
        handle_free(&x->handle);
        return status;
    }
    function_keep(f);
    *executable = x;
    return FUSEC_OK;
}

void fusec_executable_release(FusecExecutable *x) {
    if (!x || !handle_drop(&x->handle)) return;
    FusecFunction *f = x->function;
    handle_free(&x->handle);
    fusec_function_release(f);
}

FusecStatus fusec_executable_workspace(const FusecExecutable *x, size_t *bytes) {
    if (!handle_is(x, HANDLE_EXECUTABLE, "executable")) return FUSEC_WRONG_ARGUMENT;
    if (!bytes) return api_fail_argument("bytes", "bytes is NULL");
    *bytes = (size_t)x->call->workspace_bytes;
    return FUSEC_OK;
}
