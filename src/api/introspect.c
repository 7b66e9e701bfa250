/* introspect.c: queries about a function.
 * In: a function. Out: its arguments, dims, attributes, texts, and what a call moves and computes.
 */
#include "api/api.h"

static bool is_function(const FusecFunction *f) {
    return handle_is(f, HANDLE_FUNCTION, "function");
}

const char *fusec_function_name(const FusecFunction *f) { return is_function(f) ? f->name : NULL; }

size_t fusec_function_argument_count(const FusecFunction *f) {
    return is_function(f) ? (size_t)f->argument_count : 0;
}

size_t fusec_function_input_count(const FusecFunction *f) {
    return is_function(f) ? (size_t)f->input_count : 0;
}

static void place(const FusecFunction *f, Span span, int *line, int *column) {
    const Diag *diag = f->g->diag;
    if (span.file < (uint32_t)diag->sources.count)
        source_place(&diag->sources.at[span.file], span.lo, line, column);
}

bool index_is_right(size_t index, int count, const char *what) {
    if (index < (size_t)count) return true;
    api_fail_argument("index", "index is %zu, of %d %s", index, count, what);
    return false;
}

FusecStatus fusec_function_argument(const FusecFunction *f, size_t index, FusecArgument *argument) {
    if (!is_function(f) || !index_is_right(index, f->argument_count, "arguments"))
        return FUSEC_WRONG_ARGUMENT;
    const Argument *a = &f->arguments[index];
    FusecArgument own = {.name = a->name,
                         .is_output = a->is_output,
                         .is_constant = a->is_constant,
                         .is_consumed = a->is_consumed,
                         .type = a->dl_type,
                         .type_name = a->type_name,
                         .rank = a->rank,
                         .shape = a->shape_text};
    place(f, a->span, &own.line, &own.column);
    return options_give(&own, sizeof own, argument, "argument") ? FUSEC_OK : FUSEC_WRONG_ARGUMENT;
}

size_t fusec_function_dim_count(const FusecFunction *f) {
    return is_function(f) ? (size_t)f->dim_count : 0;
}

FusecStatus fusec_function_dim(const FusecFunction *f, size_t index, FusecDimInfo *dim) {
    if (!is_function(f) || !index_is_right(index, f->dim_count, "dims"))
        return FUSEC_WRONG_ARGUMENT;
    const DimSymbol *s = &f->g->dims->symbols.at[index];
    FusecDimInfo own = {.name = s->name,
                        .is_parameter = (f->parameters >> index & 1) != 0,
                        .least = s->lo,
                        .most = s->hi,
                        .multiple = s->multiple};
    place(f, s->span, &own.line, &own.column);
    return options_give(&own, sizeof own, dim, "dim") ? FUSEC_OK : FUSEC_WRONG_ARGUMENT;
}

FusecStatus fusec_function_attributes(const FusecFunction *f, FusecAttributes *attributes) {
    if (!is_function(f)) return FUSEC_WRONG_ARGUMENT;
    const FnAttrs *a = &f->g->attrs;
    const FusecAttributes own = {.max_kernels = a->max_kernels,
                                 .strict = a->strict,
                                 .autocast = a->autocast ? dtype_name(a->autocast) : NULL,
                                 .precision = precision_name(a->precision),
                                 .kernel_count = f->c->programs[0].kernel_count,
                                 .nondeterministic = a->nondeterministic};
    return options_give(&own, sizeof own, attributes, "attributes") ? FUSEC_OK
                                                                    : FUSEC_WRONG_ARGUMENT;
}

/* ---- texts -------------------------------------------------------------------------------- */

/* The text of a stage; lives in the arena of c. NULL: out of memory. */
static const char *compilation_text(const Compilation *c, FusecText kind) {
    Text text = text_new(c->arena);
    switch (kind) {
    case FUSEC_TEXT_SOURCE: return text_get(&c->source);
    case FUSEC_TEXT_PLAN: compilation_print(c, STAGE_PLAN, &text); break;
    case FUSEC_TEXT_GRAPH: compilation_print(c, STAGE_GRAPH, &text); break;
    case FUSEC_TEXT_EXPLAIN: plan_explain(c->plans[0], compilation_kernels(c)[0], &text); break;
    case FUSEC_TEXT_PLAN_JSON:
        if (!compilation_json(c, &text)) return NULL;
    }
    return text_get(&text);
}

typedef struct TextRequest {
    FusecFunction *f;     /* whose text it is; NULL: that of .. */
    const Compilation *c; /* .. a variant */
    FusecText kind;
    const char **kept;       /* by kind: those that have been asked for before */
    FusecFunction *has_lock; /* of what is written */
} TextRequest;

static FusecStatus compile_shown(FusecFunction *f) {
    const DimValues values = {f->dims.at, f->dims.count, NULL, 0, false};
    if (f->shown.c && !api_fail_diag(f->shown.diag)) return FUSEC_OK;
    arena_free(f->shown.arena);
    f->shown = (Compiled){NULL, NULL, NULL, NULL};
    model_compile(f->model, f->name, &values, STAGE_SOURCE, &f->shown);
    return api_fail_diag(f->shown.diag);
}

static FusecStatus make_text(void *of) {
    TextRequest *r = of;
    if (!r->kept[r->kind] && r->f) {
        FusecStatus status = compile_shown(r->f);
        if (status) return status;
        r->c = r->f->shown.c;
    }
    if (!r->kept[r->kind]) r->kept[r->kind] = compilation_text(r->c, r->kind);
    return r->kept[r->kind] ? FUSEC_OK : api_fail_memory();
}

static FusecStatus get_text(TextRequest *r, const char **text) {
    if (!text) return api_fail_argument("text", "text is NULL");
    *text = NULL;
    if ((unsigned)r->kind > FUSEC_TEXT_GRAPH)
        return api_fail_argument("kind", "kind is out of range");
    FusecStatus status = function_lock(r->has_lock);
    if (status) return status;
    status = api_run(make_text, r);
    function_unlock(r->has_lock);
    *text = r->kept[r->kind];
    return status;
}

FusecStatus fusec_function_text(FusecFunction *f, FusecText kind, const char **text) {
    if (!is_function(f)) return FUSEC_WRONG_ARGUMENT;
    TextRequest r = {f, NULL, kind, f->text, f};
    return get_text(&r, text);
}

FusecStatus fusec_executable_text(FusecExecutable *x, FusecText kind, const char **text) {
    if (!handle_is(x, HANDLE_EXECUTABLE, "executable")) return FUSEC_WRONG_ARGUMENT;
    if (x->variant->c == x->function->c) return fusec_function_text(x->function, kind, text);
    TextRequest r = {NULL, x->variant->c, kind, x->variant->text, x->function};
    return get_text(&r, text);
}

/* ---- sizes -------------------------------------------------------------------------------- */

static FusecStatus too_large(const char *what) {
    return api_fail(FUSEC_WRONG_DIMS, "%s do not fit 64 bits with these dims", what);
}

FusecStatus fusec_function_work(const FusecFunction *f, const int64_t *dims, int64_t *bytes,
                                int64_t *operations) {
    if (!is_function(f)) return FUSEC_WRONG_ARGUMENT;
    FusecStatus status = dims_refuse(f, dims);
    if (status) return status;
    const Plan *plan = f->c->plans[0];
    const Dims *d = plan->g->dims;
    int64_t moved = 0, computed = 0, read, written, flops;
    for (int i = 0; i < plan->groups.count; i++) {
        const Group *group = &plan->groups.at[i];
        if (group->once) continue;
        if (!dim_value(d, group->bytes_read, dims, &read) ||
            !dim_value(d, group->bytes_written, dims, &written) ||
            __builtin_add_overflow(moved, read, &moved) ||
            __builtin_add_overflow(moved, written, &moved))
            return too_large("the bytes");
        if (!dim_value(d, group->flops, dims, &flops) ||
            __builtin_add_overflow(computed, flops, &computed))
            return too_large("the operations");
    }
    if (bytes) *bytes = moved;
    if (operations) *operations = computed;
    return FUSEC_OK;
}

FusecStatus fusec_function_shape(const FusecFunction *f, size_t argument, const int64_t *dims,
                                 int64_t *shape) {
    if (!is_function(f) || !index_is_right(argument, f->argument_count, "arguments"))
        return FUSEC_WRONG_ARGUMENT;
    if (!shape) return api_fail_argument("shape", "shape is NULL");
    FusecStatus status = dims_refuse_shapes(f, dims);
    const Argument *a = &f->arguments[argument];
    for (int axis = 0; !status && axis < a->rank; axis++)
        if (!dim_value(f->g->dims, a->shape[axis], dims, &shape[axis]))
            status = api_fail(FUSEC_WRONG_DIMS, "axis %d of %s, %s, is no whole number", axis,
                              a->name, a->shape_text[axis]);
    return status;
}
