/* call.c: calls: checks the arguments and chooses the variant.
 * In: tensors, or bare pointers. Out: what the kernels compute. Nothing here locks or allocates. */
#include "api/api.h"

#include <string.h>

static void *memory_of(const DLTensor *t) { return (char *)t->data + t->byte_offset; }

static void count_use(FusecFunction *f, Variant *v, const int64_t *dims) {
    bool may_improve =
        !v->is_exact && f->options.policy == FUSEC_AUTOMATIC && f->model->context->workers;
    if (may_improve && policy_note_hit(f, dims)) workers_ask(f);
    atomic_fetch_add_explicit(&v->hits, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&f->hits, 1, memory_order_relaxed);
    uint64_t clock = atomic_fetch_add_explicit(&f->clock, 1, memory_order_relaxed);
    atomic_store_explicit(&v->last_use, clock + 1, memory_order_relaxed);
}

/* Flags that are not known are not ignored: a later version may mean something by them. */
bool call_options_take(FusecCallOptions *own, const FusecCallOptions *given) {
    if (!options_take(own, sizeof *own, given, "options")) return false;
    unsigned unknown = own->flags & ~(unsigned)FUSEC_CALL_MAY_PREPARE;
    if (unknown)
        api_fail_argument("options.flags",
                          "options.flags is 0x%x, of which 0x%x is no FusecCallFlags", own->flags,
                          unknown);
    return !unknown;
}

/* ---- by tensors --------------------------------------------------------------------------- */

static FusecStatus check_count(const FusecFunction *f, const void *given, const char *name,
                               size_t count) {
    const int inputs = f->input_count, outputs = f->argument_count - inputs;
    if (count != (size_t)f->argument_count)
        return api_fail_argument("count", "count is %zu, but %s has %d input%s and %d output%s%s",
                                 count, f->name, inputs, inputs == 1 ? "" : "s", outputs,
                                 outputs == 1 ? "" : "s",
                                 f->constant_count ? "; constants count, as NULL" : "");
    if (count && !given) return api_fail_argument(name, "%s is NULL", name);
    return FUSEC_OK;
}

/* Where there are parameters, their values. */
static FusecStatus take_parameters(const FusecFunction *f, const FusecCallOptions *o,
                                   int64_t *dims) {
    int s = 0;
    if (!f->parameters) return FUSEC_OK;
    while (!(f->parameters >> s & 1)) s++;
    if (!o || !o->dims)
        return api_fail_argument("options.dims",
                                 "no input of %s says how large %s is: options.dims has to",
                                 f->name, f->g->dims->symbols.at[s].name);
    memcpy(dims, o->dims, sizeof *dims * (size_t)f->dim_count);
    return FUSEC_OK;
}

static FusecStatus miss(FusecFunction *f, const int64_t *dims) {
    char why[256];
    Span span;
    atomic_fetch_add_explicit(&f->misses, 1, memory_order_relaxed);
    policy_note_miss(f, dims);
    policy_print_miss(f, dims, why, sizeof why, &span);
    return api_fail_at(FUSEC_NOT_PREPARED, f->g->diag, span,
                       "%s is not prepared for %s; see fusec_prepare", f->name, why);
}

/* An exact variant knows the sizes of all arguments; of these dims the model's conditions hold. */
static bool has_sizes(const FusecFunction *f, const Variant *v, const DLTensor *const *tensors) {
    for (int i = 0; i < f->argument_count; i++) {
        const Argument *a = &f->arguments[i];
        for (int axis = 0; !a->is_constant && axis < a->rank; axis++)
            if (tensors[i]->shape[axis] != v->sizes[i][axis]) return false;
    }
    return true;
}

typedef struct Capture {
    Device *device;
    void *stream;
    bool is_capturing;
} Capture;

static FusecStatus ask_capturing(void *of) {
    Capture *c = of;
    c->is_capturing = c->device->is_capturing(c->device, c->stream);
    return FUSEC_OK;
}

/* What a captured stream records must not wait for a compiler. */
static bool is_capturing(const FusecFunction *f, const FusecCallOptions *o) {
    Capture c = {f->model->context->device, o->stream, false};
    if (c.device->is_capturing) device_run(f->model->context, false, ask_capturing, &c);
    return c.is_capturing;
}

static FusecStatus captures(const FusecFunction *f) {
    return api_fail(FUSEC_NOT_PREPARED,
                    "%s is not prepared for these dims, and the stream captures: prepare it before",
                    f->name);
}

static bool may_prepare(const FusecCallOptions *o) {
    return o && o->flags & FUSEC_CALL_MAY_PREPARE;
}

/* The first argument that is not aligned to TENSOR_ALIGNED; -1: all are. */
static int alignment_fails(const FusecFunction *f, void *const *memory) {
    for (int i = 0; i < f->argument_count; i++)
        if ((uintptr_t)memory[i] % TENSOR_ALIGNED) return i;
    return -1;
}

static FusecStatus is_unaligned(const FusecFunction *f, int i) {
    const char *name = f->arguments[i].name;
    return api_fail_argument(name,
                             "%s is not aligned to %d bytes, which %s was prepared for: see "
                             "FusecPrepareOptions.any_alignment",
                             name, TENSOR_ALIGNED, f->name);
}

static Variant *find_variant(const FusecFunction *f, const int64_t *dims, bool is_aligned) {
    const VariantTable *table = atomic_load_explicit(&f->table, memory_order_acquire);
    return variant_find(table, dims, f->dim_count, is_aligned);
}

/* The variant lives as long as the function, also when another thread's preparation evicts it. */
static FusecStatus prepare_new(FusecFunction *f, const int64_t *dims, bool is_aligned,
                               const FusecCallOptions *o, Variant **v) {
    return is_capturing(f, o) ? captures(f) : prepare_for_call(f, dims, !is_aligned, o, v);
}

/* A variant that accepts the dims and the memory, compiled if the options request it. */
static FusecStatus dispatch(FusecFunction *f, const DLTensor *const *tensors, const int64_t *dims,
                            void *const *memory, const FusecCallOptions *o, Variant **v) {
    const int unaligned = alignment_fails(f, memory);
    *v = find_variant(f, dims, unaligned < 0);
    if (*v && (*v)->is_exact && has_sizes(f, *v, tensors)) return FUSEC_OK;
    FusecStatus status = sizes_check(f, tensors, f->argument_count, dims);
    if (*v || status) return status;
    const bool is_near = unaligned >= 0 && find_variant(f, dims, true);
    if (!may_prepare(o)) return is_near ? is_unaligned(f, unaligned) : miss(f, dims);
    return prepare_new(f, dims, unaligned < 0, o, v);
}

static FusecStatus launch_variant(FusecFunction *f, Variant *v, const int64_t *dims,
                                  void *const *memory, const FusecCallOptions *o) {
    const FusecStatus status = f->consumed_count ? in_place_check(f, v, memory) : FUSEC_OK;
    return status ? status : launch(&(Launch){f, v, v->call, dims, memory, o, NULL});
}

/* A variant may take dims that the workspaces are too small for: preparing makes them larger. */
static FusecStatus call_variant(FusecFunction *f, Variant *v, const int64_t *dims,
                                void *const *memory, const FusecCallOptions *o) {
    count_use(f, v, dims);
    FusecStatus status = launch_variant(f, v, dims, memory, o);
    if (status != FUSEC_NOT_PREPARED || !may_prepare(o)) return status;
    status = prepare_new(f, dims, v->program->needs_aligned, o, &v);
    return status ? status : launch_variant(f, v, dims, memory, o);
}

/* A dim is 0. There is nothing to do where no output has elements. */
static FusecStatus call_empty(const FusecFunction *f, const DLTensor *const *tensors,
                              const int64_t *dims) {
    FusecStatus status = sizes_check(f, tensors, f->argument_count, dims);
    for (int i = f->input_count; !status && i < f->argument_count; i++) {
        bool has_elements = true;
        for (int axis = 0; axis < tensors[i]->ndim; axis++)
            has_elements = has_elements && tensors[i]->shape[axis];
        if (has_elements) status = dims_refuse(f, dims);
    }
    return status;
}

/* A constant is read where it is bound; NULL or that memory stands for it in a call. */
static FusecStatus constant_check(const FusecFunction *f, int i, const void *given) {
    const char *name = f->arguments[i].name;
    if (!given || given == bound_memory(f, i)) return FUSEC_OK;
    return api_fail_argument(name, "%s is a constant, and this is not what is bound: pass NULL",
                             name);
}

static FusecStatus take_memory(const FusecFunction *f, const DLTensor *const *tensors,
                               void **memory) {
    FusecStatus status = FUSEC_OK;
    for (int i = 0; !status && i < f->argument_count; i++) {
        memory[i] = tensors[i] ? memory_of(tensors[i]) : NULL;
        if (!f->arguments[i].is_constant) continue;
        status = constant_check(f, i, memory[i]);
        memory[i] = bound_memory(f, i);
    }
    return status;
}

FusecStatus fusec_call(FusecFunction *f, const DLTensor *const *tensors, size_t count,
                       const FusecCallOptions *options) {
    FusecCallOptions own;
    int64_t dims[DIMS_MOST];
    void *memory[ARGUMENTS_MOST];
    Variant *v;
    if (!handle_is(f, HANDLE_FUNCTION, "function")) return FUSEC_WRONG_ARGUMENT;
    if (options && !call_options_take(&own, options)) return FUSEC_WRONG_ARGUMENT;
    const FusecCallOptions *o = options ? &own : NULL;
    const bool was_prepared = atomic_load_explicit(&f->table, memory_order_acquire)->count;
    FusecStatus status = check_count(f, tensors, "tensors", count);
    if (!status) status = take_parameters(f, o, dims);
    if (!status) status = arguments_solve(f, tensors, (int)count, dims);
    if (status) return status;
    if (dims_are_empty(f, dims)) return call_empty(f, tensors, dims);
    if ((status = take_memory(f, tensors, memory))) return status;
    if (f->consumed_count && (status = consumed_check(f, dims, memory))) return status;
    status = dispatch(f, tensors, dims, memory, o, &v);
    /* Until there was a variant, constants may have been bound after they were read above. */
    if (!status && !was_prepared && f->constant_count)
        return fusec_call(f, tensors, count, options);
    return status ? status : call_variant(f, v, dims, memory, o);
}

/* ---- by pointers -------------------------------------------------------------------------- */

FusecStatus pointers_check(const FusecFunction *f, void *const *pointers, size_t count) {
    FusecStatus status = check_count(f, pointers, "pointers", count);
    for (int i = 0; !status && i < f->argument_count; i++) {
        const Argument *a = &f->arguments[i];
        if (a->is_constant) {
            status = constant_check(f, i, pointers[i]);
            continue;
        }
        if (!pointers[i]) return api_fail_argument(a->name, "%s is NULL", a->name);
        if ((uintptr_t)pointers[i] % dtype_size(a->type))
            return api_fail_argument(a->name, "%s is not aligned to its elements of %zu bytes",
                                     a->name, dtype_size(a->type));
    }
    return status;
}

FusecStatus alignment_check(const FusecExecutable *x, void *const *memory) {
    if (!x->variant->program->needs_aligned) return FUSEC_OK;
    const int unaligned = alignment_fails(x->function, memory);
    return unaligned < 0 ? FUSEC_OK : is_unaligned(x->function, unaligned);
}

void pointers_merge(const FusecFunction *f, void *const *pointers, void **memory) {
    for (int i = 0; i < f->argument_count; i++)
        memory[i] = f->arguments[i].is_constant ? bound_memory(f, i) : pointers[i];
}

FusecStatus fusec_execute(FusecExecutable *x, void *const *pointers, size_t count,
                          const FusecCallOptions *options) {
    FusecCallOptions own;
    void *memory[ARGUMENTS_MOST];
    if (!handle_is(x, HANDLE_EXECUTABLE, "executable")) return FUSEC_WRONG_ARGUMENT;
    if (options && !call_options_take(&own, options)) return FUSEC_WRONG_ARGUMENT;
    FusecFunction *f = x->function;
    FusecStatus status = pointers_check(f, pointers, count);
    if (status) return status;
    if (f->constant_count) pointers_merge(f, pointers, memory);
    if ((status = alignment_check(x, f->constant_count ? memory : pointers))) return status;
    status = consumed_check_for(x, f->constant_count ? memory : pointers);
    if (status) return status;
    return launch(&(Launch){f, x->variant, x->call, NULL, f->constant_count ? memory : pointers,
                            options ? &own : NULL, x});
}
