/* consume.c: inputs that a call overwrites: what shares their memory would be overwritten, too, but
 * an output that is written over one of them in place may be given its memory.
 * In: the memory of the arguments, the dims, a variant. Out: a status. */
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

/* Does an output have all of an input's memory? A variant decides whether it may. */
static bool is_over(const FusecFunction *f, int input, int output, void *const *memory) {
    return f->arguments[output].is_output && memory[input] == memory[output] &&
           f->arguments[input].type == f->arguments[output].type;
}

static FusecStatus check_input(const FusecFunction *f, int i, const int64_t *dims,
                               void *const *memory) {
    const char *name = f->arguments[i].name;
    for (int k = 0; k < f->argument_count; k++)
        if (k != i && memory[k] && !is_over(f, i, k, memory) && overlap(f, i, k, dims, memory))
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

int variant_may_be(const Variant *v, int argument) {
    return v->c->functions.at[0].plan->buffers.at[argument].may_be;
}

static FusecStatus check_over(const FusecFunction *f, const Variant *v, int input,
                              void *const *memory) {
    for (int k = f->input_count; k < f->argument_count; k++) {
        if (!is_over(f, input, k, memory) || variant_may_be(v, k) == input) continue;
        const char *name = f->arguments[k].name, *given = f->arguments[input].name;
        return api_fail_argument(name,
                                 "%s is given the memory of %s, but is not written in place over "
                                 "it; the plan of %s says what is",
                                 name, given, f->name);
    }
    return FUSEC_OK;
}

FusecStatus in_place_check(const FusecFunction *f, const Variant *v, void *const *memory) {
    FusecStatus status = FUSEC_OK;
    for (int i = 0; i < f->input_count && !status; i++)
        if (f->arguments[i].is_consumed) status = check_over(f, v, i, memory);
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
    const FusecStatus status = consumed_check(f, dims, memory);
    return status ? status : in_place_check(f, v, memory);
}
