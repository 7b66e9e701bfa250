/* solve.c: checks the arguments of a call and finds the values of the dims.
 * In: tensors. Out: a value for each dim, or the argument that is wrong and why. Allocates nothing:
 * it is the first half of every call. */
#include "api/api.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHAPE_TEXT = 256 };

/* ---- words -------------------------------------------------------------------------------- */

static void append(char *text, const char *format, ...) PRINTF_LIKE(2, 3);
static void append(char *text, const char *format, ...) {
    size_t size = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + size, SHAPE_TEXT - size, format, args);
    va_end(args);
}

static void print_type(DLDataType type, char *text) {
    static const char *const names[] = {[kDLInt] = "i",
                                        [kDLUInt] = "u",
                                        [kDLFloat] = "f",
                                        [kDLBfloat] = "bf",
                                        [kDLBool] = "bool",
                                        [kDLFloat8_e4m3fn] = "f8e4m3",
                                        [kDLFloat8_e5m2] = "f8e5m2"};
    const char *name = type.code < sizeof names / sizeof *names ? names[type.code] : NULL;
    if (name)
        append(text, "%s", name);
    else
        append(text, "type %d of ", type.code);
    if (!name || type.code < kDLBool) append(text, "%d", type.bits);
    if (type.lanes != 1) append(text, "x%d", type.lanes);
}

static void print_tensor(const DLTensor *t, char *text) {
    text[0] = 0;
    print_type(t->dtype, text);
    if (t->ndim < 0 || t->ndim > RANK_MAX) { /* its shape may not be one */
        append(text, " of %d axes", t->ndim);
        return;
    }
    for (int i = 0; i < t->ndim; i++) append(text, "%s%" PRId64, i ? ", " : "[", t->shape[i]);
    append(text, t->ndim ? "]" : "");
}

static void print_argument(const Argument *a, char *text) {
    text[0] = 0;
    append(text, "%s", a->type_name);
    for (int i = 0; i < a->rank; i++) append(text, "%s%s", i ? ", " : "[", a->shape_text[i]);
    append(text, a->rank ? "]" : "");
}

static FusecStatus mismatch(const FusecFunction *f, const Argument *a, const DLTensor *t,
                            const int64_t *dims) {
    char is[SHAPE_TEXT], says[SHAPE_TEXT], values[SHAPE_TEXT] = "";
    print_tensor(t, is);
    print_argument(a, says);
    for (int s = 0; dims && s < f->dim_count; s++)
        for (int axis = 0; axis < a->rank; axis++)
            if (dims[s] > 0 && dim_uses(f->g->dims, a->shape[axis], s)) {
                append(values, "%s%s = %" PRId64, values[0] ? ", " : ", where ",
                       f->g->dims->symbols.at[s].name, dims[s]);
                break;
            }
    return api_fail_argument(a->name, "%s is %s, but the model says %s%s", a->name, is, says,
                             values);
}

/* ---- one tensor --------------------------------------------------------------------------- */

/* DLPack has one CPU, number 0; some give pinned and managed memory the number of a GPU. */
static bool is_on_device(const FusecContext *context, DLDevice at) {
    if (context->device->kind == DEVICE_CPU)
        return (at.device_type == kDLCPU && !at.device_id) || at.device_type == kDLCUDAHost ||
               at.device_type == kDLCUDAManaged;
    return (at.device_type == kDLCUDA || at.device_type == kDLCUDAManaged) &&
           at.device_id == context->options.device_number;
}

static FusecStatus wrong_device(const FusecFunction *f, const Argument *a, DLDevice at) {
    const FusecContext *context = f->model->context;
    const char *name = context->device->name;
    char is[SHAPE_TEXT] = "", wants[SHAPE_TEXT] = "";
    if (at.device_type == kDLCUDA || at.device_type == kDLCUDAManaged)
        append(is, "CUDA device %d", (int)at.device_id);
    else if (at.device_type == kDLCPU && at.device_id)
        append(is, "CPU %d of DLPack, whose only one is 0", (int)at.device_id);
    else if (at.device_type == kDLCPU || at.device_type == kDLCUDAHost)
        append(is, "the CPU");
    else
        append(is, "device %d of DLPack's type %d", (int)at.device_id, (int)at.device_type);
    if (context->device->kind == DEVICE_CUDA)
        append(wants, "CUDA device %d, %s", context->options.device_number, name);
    else
        append(wants, "the CPU, %s", name);
    return api_fail_argument(a->name, "%s is on %s, but the context is for %s", a->name, is, wants);
}

/* Axes of size 1 may have any stride. */
static int strided_axis(const DLTensor *t) {
    int64_t step = 1;
    for (int axis = t->ndim - 1; t->strides && axis >= 0; axis--) {
        if (t->shape[axis] != 1 && t->strides[axis] != step) return axis;
        if (__builtin_mul_overflow(step, t->shape[axis], &step) && axis) return axis - 1;
    }
    return -1;
}

static bool has_no_elements(const DLTensor *t) {
    for (int axis = 0; axis < t->ndim; axis++)
        if (!t->shape[axis]) return true;
    return false;
}

static void *memory_of(const DLTensor *t) { return (char *)t->data + t->byte_offset; }

static FusecStatus check_memory(const FusecFunction *f, const Argument *a, const DLTensor *t) {
    const bool is_empty = has_no_elements(t);
    int axis = is_empty ? -1 : strided_axis(t);
    if (!t->data && !is_empty)
        return api_fail_argument(a->name, "%s has no memory: data is NULL", a->name);
    if (!is_on_device(f->model->context, t->device)) return wrong_device(f, a, t->device);
    if (axis >= 0)
        return api_fail_argument(
            a->name, "%s is not row-major: axis %d has stride %" PRId64 "; pass a contiguous copy",
            a->name, axis, t->strides[axis]);
    if ((uintptr_t)memory_of(t) % dtype_size(a->type))
        return api_fail_argument(a->name, "%s is not aligned to its elements of %zu bytes", a->name,
                                 dtype_size(a->type));
    return FUSEC_OK;
}

static bool has_type(const Argument *a, const DLTensor *t) {
    return t->ndim == a->rank && t->dtype.code == a->dl_type.code &&
           t->dtype.bits == a->dl_type.bits && t->dtype.lanes == 1;
}

FusecStatus tensor_check(const FusecFunction *f, const Argument *a, const DLTensor *t) {
    if (!t) return api_fail_argument(a->name, "%s is NULL", a->name);
    if (t->ndim && !t->shape) return api_fail_argument(a->name, "%s has no shape", a->name);
    return has_type(a, t) ? check_memory(f, a, t) : mismatch(f, a, t, NULL);
}

/* ---- dims --------------------------------------------------------------------------------- */

/* Of a constant; NULL: it is none, or not bound. */
static int64_t *bound_shape(const FusecFunction *f, int i) {
    BoundConstant *bound = f->arguments[i].is_constant ? atomic_load(&f->bound[i]) : NULL;
    return bound ? bound->shape : NULL;
}

static const int64_t *shape_given(const FusecFunction *f, const DLTensor *const *tensors, int i) {
    return f->arguments[i].is_constant ? bound_shape(f, i) : tensors[i]->shape;
}

static uint64_t solve_plain(const FusecFunction *f, const DLTensor *const *tensors, uint64_t known,
                            int64_t *dims) {
    for (int i = 0; i < f->input_count; i++) {
        const Argument *a = &f->arguments[i];
        const int64_t *shape = shape_given(f, tensors, i);
        for (int axis = 0; shape && axis < a->rank; axis++) {
            int s = a->symbol[axis];
            if (s < 0 || known >> s & 1) continue;
            dims[s] = shape[axis];
            known |= (uint64_t)1 << s;
        }
    }
    return known;
}

/* Sizes such as 8*D, repeated while new dims are found. */
static void solve_rest(const FusecFunction *f, const DLTensor *const *tensors, uint64_t known,
                       int64_t *dims) {
    bool is_known[DIMS_MOST];
    int before, count = 0;
    for (int s = 0; s < f->dim_count; s++) is_known[s] = known >> s & 1;
    do {
        before = count;
        count = 0;
        for (int i = 0; i < f->input_count; i++) {
            const int64_t *shape = shape_given(f, tensors, i);
            for (int axis = 0; shape && axis < f->arguments[i].rank; axis++)
                dim_solve(f->g->dims, f->arguments[i].shape[axis], shape[axis], dims, is_known);
        }
        for (int s = 0; s < f->dim_count; s++) count += is_known[s];
    } while (count > before);
}

static FusecStatus check_sizes(const FusecFunction *f, int i, const DLTensor *t,
                               const int64_t *dims) {
    const Argument *a = &f->arguments[i];
    const DLTensor bound = {.ndim = a->rank, .dtype = a->dl_type, .shape = bound_shape(f, i)};
    if (bound.shape) t = &bound;
    for (int axis = 0; axis < a->rank; axis++) {
        int64_t size = a->known[axis];
        if (a->symbol[axis] >= 0)
            size = dims[a->symbol[axis]];
        else if (!size && !dim_value(f->g->dims, a->shape[axis], dims, &size))
            size = -1;
        if (t->shape[axis] != size) return mismatch(f, a, t, dims);
    }
    return FUSEC_OK;
}

/* Every dim, those of constants that are not bound aside, is known, and at least `least`. */
static FusecStatus check_known(const FusecFunction *f, const int64_t *dims, int64_t least) {
    for (int s = 0; s < f->dim_count; s++) {
        const DimSymbol *symbol = &f->g->dims->symbols.at[s];
        if (dims[s] >= (f->parameters >> s & 1 ? 1 : least)) continue;
        if (f->parameters >> s & 1)
            return api_fail_argument("dims",
                                     "%s is %" PRId64 " in dims, but must be at least 1: no input "
                                     "says how large it is",
                                     symbol->name, dims[s]);
        return api_fail_at(FUSEC_WRONG_DIMS, f->g->diag, symbol->span,
                           "dim %s is %" PRId64 ", but must be at least 1", symbol->name, dims[s]);
    }
    return FUSEC_OK;
}

static FusecStatus refuse(const FusecFunction *f, const DimGuard *guard, const int64_t *dims) {
    char values[SHAPE_TEXT] = "";
    const Dims *d = f->g->dims;
    for (int s = 0; s < f->dim_count; s++)
        if (dim_uses(d, guard->a, s) || dim_uses(d, guard->b, s))
            append(values, "%s%s = %" PRId64, values[0] ? ", " : "", d->symbols.at[s].name,
                   dims[s]);
    return api_fail_at(FUSEC_WRONG_DIMS, f->g->diag, guard->span, "%s does not hold for %s",
                       f->conditions[guard - d->guards.at], values);
}

static bool is_too_large(const FusecFunction *f, const Node *n, const int64_t *dims) {
    int64_t count = 1, size;
    for (int axis = 0; axis < n->rank; axis++)
        if (!dim_value(f->g->dims, n->shape[axis], dims, &size) ||
            __builtin_mul_overflow(count, size, &count) || count >> ELEMENTS_LOG2)
            return true;
    return false;
}

static FusecStatus refuse_large(const FusecFunction *f, const int64_t *dims) {
    char values[SHAPE_TEXT] = "";
    int i = 0;
    while (i < f->shapes.count && !is_too_large(f, f->shapes.at[i].of, dims)) i++;
    if (i == f->shapes.count) return FUSEC_OK;
    for (int s = 0; s < f->dim_count; s++)
        append(values, "%s%s = %" PRId64, s ? ", " : "", f->g->dims->symbols.at[s].name, dims[s]);
    return api_fail_at(FUSEC_WRONG_DIMS, f->g->diag, f->shapes.at[i].of->span,
                       "%s has 2^%d elements or more for %s", f->shapes.at[i].text, ELEMENTS_LOG2,
                       values);
}

static FusecStatus refuse_below(const FusecFunction *f, const int64_t *dims, int64_t least) {
    const DimGuard *failed;
    if (!dims && f->dim_count) return api_fail_argument("dims", "dims is NULL");
    FusecStatus status = check_known(f, dims, least);
    if (status) return status;
    return dims_check(f->g->dims, dims, &failed) ? refuse_large(f, dims) : refuse(f, failed, dims);
}

FusecStatus dims_refuse(const FusecFunction *f, const int64_t *dims) {
    return refuse_below(f, dims, 1);
}

FusecStatus dims_refuse_shapes(const FusecFunction *f, const int64_t *dims) {
    return refuse_below(f, dims, 0);
}

bool dims_are_empty(const FusecFunction *f, const int64_t *dims) {
    for (int s = 0; s < f->dim_count; s++)
        if (!dims[s]) return true;
    return false;
}

/* The one of these dims that a size has, if the size determines it; none: 0. */
static uint64_t determined_by(const FusecFunction *f, Dim size, uint64_t open) {
    int only = -1;
    for (int s = 0; s < f->dim_count; s++) {
        if (!(open >> s & 1) || !dim_uses(f->g->dims, size, s)) continue;
        if (only >= 0) return 0;
        only = s;
    }
    return only >= 0 && dim_determines(f->g->dims, size, only) ? (uint64_t)1 << only : 0;
}

uint64_t parameters_of(const FusecFunction *f) {
    uint64_t open = f->dim_count ? UINT64_MAX >> (64 - f->dim_count) : 0, before;
    do {
        before = open;
        for (int i = 0; i < f->input_count; i++)
            for (int axis = 0; axis < f->arguments[i].rank; axis++)
                open &= ~determined_by(f, f->arguments[i].shape[axis], open);
    } while (open != before);
    return open;
}

/* ---- all ---------------------------------------------------------------------------------- */

FusecStatus arguments_solve(const FusecFunction *f, const DLTensor *const *tensors, int count,
                            int64_t *dims) {
    const uint64_t all = f->dim_count ? UINT64_MAX >> (64 - f->dim_count) : 0;
    FusecStatus status = FUSEC_OK;
    for (int i = 0; i < count && !status; i++)
        if (!f->arguments[i].is_constant) status = tensor_check(f, &f->arguments[i], tensors[i]);
    if (status) return status;
    for (int s = 0; s < f->dim_count; s++)
        if (!(f->parameters >> s & 1)) dims[s] = 0;
    uint64_t known = solve_plain(f, tensors, f->parameters, dims);
    if (known != all) solve_rest(f, tensors, known, dims);
    return check_known(f, dims, 0);
}

FusecStatus constants_check(const FusecFunction *f, const int64_t *dims) {
    FusecStatus status = FUSEC_OK;
    for (int i = 0; i < f->input_count && !status; i++) {
        const Argument *a = &f->arguments[i];
        if (!a->is_constant) continue;
        status = bound_shape(f, i) ? check_sizes(f, i, NULL, dims)
                                   : api_fail_argument(a->name,
                                                       "%s is a constant, and is not bound: see "
                                                       "fusec_function_bind",
                                                       a->name);
    }
    return status;
}

FusecStatus sizes_check(const FusecFunction *f, const DLTensor *const *tensors, int count,
                        const int64_t *dims) {
    FusecStatus status = FUSEC_OK;
    for (int i = 0; i < count && !status; i++)
        if (!f->arguments[i].is_constant || bound_shape(f, i))
            status = check_sizes(f, i, tensors[i], dims);
    return status ? status : dims_refuse_shapes(f, dims);
}

FusecStatus fusec_function_solve(const FusecFunction *f, const DLTensor *const *inputs,
                                 size_t count, int64_t *dims) {
    if (!handle_is(f, HANDLE_FUNCTION, "function")) return FUSEC_WRONG_ARGUMENT;
    if (count != (size_t)f->input_count)
        return api_fail_argument("count", "count is %zu, but %s has %d inputs", count, f->name,
                                 f->input_count);
    if (count && !inputs) return api_fail_argument("inputs", "inputs is NULL");
    if (f->dim_count && !dims) return api_fail_argument("dims", "dims is NULL");
    FusecStatus status = arguments_solve(f, inputs, (int)count, dims);
    return status ? status : sizes_check(f, inputs, (int)count, dims);
}
