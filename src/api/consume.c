/* consume.c: inputs that a call overwrites: what shares their memory would be overwritten, too.
 * In: the memory of the arguments, and the dims. Out: a status. */
#include "api/api.h"

/* Bytes of an argument; as many as there are where that overflows. */
static uintptr_t bytes_of(const FusecFunction *f, const Argument *a, const int64_t *dims) {
    int64_t bytes = (int64_t)dtype_size(a->type), size;
    for (int axis = 0; axis < a->rank; axis++)
        if (!dim_value(f->g->dims, a->shape[axis], dims, &size) ||
            __builtin_mul_overflow(bytes, size, &bytes))
            return UINTPTR_MAX;
    return (uintptr_t)bytes;
}

static bool overlap(const FusecFunction *f, int x, int y, const int64_t *dims,
                    void *const *memory) {
    const uintptr_t a = (uintptr_t)memory[x], b = (uintptr_t)memory[y];
    return a <= b ? b - a < bytes_of(f, &f->arguments[x], dims)
                  : a - b < bytes_of(f, &f->arguments[y], dims);
}

static FusecStatus check_input(const FusecFunction *f, int i, const int64_t *dims,
                               void *const *memory) {
    const char *name = f->arguments[i].name;
    for (int k = 0; k < f->argument_count; k++)
        if (k != i && memory[k] && overlap(f, i, k, dims, memory))
            return api_fail_argument(name, "%s is consumed, and overlaps %s", name,
                                     f->arguments[k].name);
    return FUSEC_OK;
}

FusecStatus consumed_check(const FusecFunction *f, const int64_t *dims, void *const *memory) {
    FusecStatus status = FUSEC_OK;
    for (int i = 0; i < f->input_count && !status; i++)
        if (f->arguments[i].is_consumed) status = check_input(f, i, dims, memory);
    return status;
}

FusecStatus consumed_check_for(const FusecExecutable *x, void *const *memory) {
    const FusecFunction *f = x->function;
    const Variant *v = x->variant;
    int64_t dims[DIMS_MOST];
    if (!f->consumed_count) return FUSEC_OK;
    for (int i = 0; i < f->dim_count; i++) dims[i] = v->of.fixed[i];
    for (int s = 0; s < v->c->functions.at[0].lowered->dims->symbols.count; s++)
        dims[v->dim_of[s]] = x->dims[s];
    return consumed_check(f, dims, memory);
}
