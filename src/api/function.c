/* function.c: a function of a model: its inputs, its outputs, and its plan.
 * In: a model and a name. Out: a function, its plan and source with open dims; no code yet. */
#include "api/api.h"

#include <string.h>

enum { QUOTE_MOST = 80 };

void function_keep(FusecFunction *function) { handle_keep(&function->handle); }

/* ---- arguments ---------------------------------------------------------------------------- */

static DLDataType dl_type_of(Dtype type) {
    static const DLDataType of[T_COUNT] = {
        [T_BOOL] = {kDLBool, 8, 1},
        [T_U8] = {kDLUInt, 8, 1},
        [T_I8] = {kDLInt, 8, 1},
        [T_I32] = {kDLInt, 32, 1},
        [T_I64] = {kDLInt, 64, 1},
        [T_F8E4M3] = {kDLFloat8_e4m3fn, 8, 1},
        [T_F8E5M2] = {kDLFloat8_e5m2, 8, 1},
        [T_BF16] = {kDLBfloat, 16, 1},
        [T_F16] = {kDLFloat, 16, 1},
        [T_F32] = {kDLFloat, 32, 1},
        [T_F64] = {kDLFloat, 64, 1},
    };
    return of[type];
}

static Argument argument_of(const FusecFunction *f, const char *name, NodeId id, Span span) {
    const Node *n = &f->g->node[id];
    Argument a = {.name = name,
                  .type = n->type,
                  .type_name = dtype_name(n->type),
                  .dl_type = dl_type_of(n->type),
                  .rank = n->rank,
                  .span = span};
    for (int axis = 0; axis < n->rank; axis++) {
        a.shape[axis] = n->shape[axis];
        a.symbol[axis] = dim_symbol_number(f->g->dims, n->shape[axis]);
        if (!dim_is_const(f->g->dims, n->shape[axis], &a.known[axis])) a.known[axis] = 0;
        a.shape_text[axis] = dim_text(f->g->dims, n->shape[axis], f->handle.arena);
    }
    return a;
}

static void list_arguments(FusecFunction *f) {
    const Graph *g = f->g;
    f->input_count = g->inputs.count;
    f->argument_count = g->inputs.count + g->outputs.count;
    f->arguments = arena_array(f->handle.arena, Argument, f->argument_count + 1);
    for (int i = 0; i < g->inputs.count; i++) {
        const GraphInput *input = &g->inputs.at[i];
        f->arguments[i] = argument_of(f, input->name, input->node, input->span);
        f->arguments[i].is_constant = g->attrs.constant && g->attrs.constant[i];
        f->constant_count += f->arguments[i].is_constant;
        f->arguments[i].is_consumed = g->attrs.consumed && g->attrs.consumed[i];
        f->consumed_count += f->arguments[i].is_consumed;
    }
    for (int i = 0; i < g->outputs.count; i++) {
        const GraphOutput *output = &g->outputs.at[i];
        f->arguments[f->input_count + i] = argument_of(f, output->name, output->node, output->span);
        f->arguments[f->input_count + i].is_output = true;
    }
}

/* ---- conditions on the dims --------------------------------------------------------------- */

/* As the text has it, if that is one line. */
static const char *quote(const Source *source, Span span, Arena *arena) {
    const size_t size = span.hi - span.lo;
    if (!size || size > QUOTE_MOST || memchr(source->text + span.lo, '\n', size)) return NULL;
    return arena_strndup(arena, source->text + span.lo, size);
}

/* "m.fx:3: assert N % 2 == 0", "m.fx:4: slice '2:6': 6 <= N" */
static const char *condition_of(const FusecFunction *f, const DimGuard *guard) {
    Arena *arena = f->handle.arena;
    const Diag *diag = f->g->diag;
    const char *text = dim_guard_text(f->g->dims, guard, arena);
    int line, column;
    if (guard->span.file >= (uint32_t)diag->sources.count)
        return arena_printf(arena, "%s: %s", guard->why, text);
    const Source *source = &diag->sources.at[guard->span.file];
    const char *quoted = quote(source, guard->span, arena);
    source_place(source, guard->span.lo, &line, &column);
    if (!strcmp(guard->why, "assert"))
        return arena_printf(arena, "%s:%d: assert %s", source->name, line, quoted ? quoted : text);
    return arena_printf(arena, quoted ? "%s:%d: %s '%s': %s" : "%s:%d: %s%s: %s", source->name,
                        line, guard->why, quoted ? quoted : "", text);
}

/* Made early, because a refused call does not allocate memory for its message. */
static void list_conditions(FusecFunction *f) {
    const Dims *d = f->g->dims;
    f->conditions = arena_array(f->handle.arena, const char *, d->guards.count + 1);
    for (int i = 0; i < d->guards.count; i++) f->conditions[i] = condition_of(f, &d->guards.at[i]);
}

static bool has_open_dims(const Dims *d, const Node *n) {
    int64_t size;
    for (int axis = 0; axis < n->rank; axis++)
        if (!dim_is_const(d, n->shape[axis], &size)) return true;
    return false;
}

static bool is_listed(const FusecFunction *f, const Node *n) {
    for (int i = 0; i < f->shapes.count; i++) {
        const Node *of = f->shapes.at[i].of;
        if (of->rank == n->rank && !memcmp(of->shape, n->shape, sizeof *n->shape * (size_t)n->rank))
            return true;
    }
    return false;
}

static void list_shapes(FusecFunction *f) {
    Arena *arena = f->handle.arena;
    OpenShape *shapes = arena_array(arena, OpenShape, f->g->count + 1);
    f->shapes.at = shapes;
    for (NodeId id = 1; id < f->g->count; id++) {
        const Node *n = &f->g->node[id];
        if (!has_open_dims(f->g->dims, n) || is_listed(f, n)) continue;
        Text text = text_new(arena);
        shape_print(f->g->dims, n->type, n->rank, n->shape, &text);
        shapes[f->shapes.count++] = (OpenShape){n, text_get(&text)};
    }
}

/* ---- making it ---------------------------------------------------------------------------- */

typedef struct Creation {
    FusecModel *model;
    const char *name;
    FusecFunctionOptions options;
    FusecFunction *function;
    Compiled compiled;
} Creation;

static bool has_name(const Ast *item, const char *name) {
    const bool pair =
        item->kind == A_DERIVED && item->kid_count > 1 && item->kid[1]->kind == A_NAME;
    return (item->kind == A_FN || item->kind == A_DERIVED) &&
           (!strcmp(item->text, name) || (pair && !strcmp(item->kid[1]->text, name)));
}

/* The function of that name, or the one that it is derived from: both have the same dims. */
static const Ast *find_fn(const FusecModel *model, const char *name) {
    const Ast *file = model->c->ast;
    for (int i = 0; i < file->kid_count; i++) {
        const Ast *item = file->kid[i];
        if (!has_name(item, name)) continue;
        if (item->kind == A_FN) return item;
        const Ast *base = item->kid[0];
        while (base->kind == A_CALL) base = base->kid[0];
        name = base->text, i = -1;
    }
    return NULL;
}

static FusecStatus choose_fn(Creation *c) {
    const Compilation *all = c->model->c;
    if (!c->name && all->functions.count == 1) c->name = all->functions.at[0].lowered->name;
    if (c->name && find_fn(c->model, c->name)) return FUSEC_OK;
    Text names = text_new(c->function->handle.arena);
    for (int i = 0; i < all->functions.count; i++)
        text_printf(&names, "%s%s", i ? ", " : "", all->functions.at[i].lowered->name);
    if (!c->name)
        return api_fail_argument("name", "%s has %d functions, so name is to be one of %s",
                                 c->model->name, all->functions.count, text_get(&names));
    return api_fail_argument("name", "%s has no function %s; it has %s", c->model->name, c->name,
                             text_get(&names));
}

/* Of the model's values of dims those of this function. */
static void take_dims(FusecFunction *f, const Ast *fn) {
    const Ast *declared = fn->kid[FN_DIMS];
    DimBinding *dims = arena_array(f->handle.arena, DimBinding, f->model->dims.count + 1);
    f->dims.at = dims;
    for (int i = 0; i < f->model->dims.count; i++)
        for (int j = 0; j < declared->kid_count; j++)
            if (!strcmp(declared->kid[j]->text, f->model->dims.at[i].name)) {
                dims[f->dims.count++] = f->model->dims.at[i];
                break;
            }
}

static FusecStatus check_counts(const FusecFunction *f) {
    if (f->dim_count > DIMS_MOST)
        return api_fail(FUSEC_WRONG_MODEL, "%s has %d open dims, more than %d", f->name,
                        f->dim_count, DIMS_MOST);
    if (f->argument_count > ARGUMENTS_MOST)
        return api_fail(FUSEC_WRONG_MODEL, "%s has %d arguments, more than %d", f->name,
                        f->argument_count, ARGUMENTS_MOST);
    return FUSEC_OK;
}

/* What a function of train keeps depends on the dims that are fixed: code for others would read and
 * write other arguments. */
static void settle_options(FusecFunction *f) {
    FusecFunctionOptions *o = &f->options;
    bool is_cpu = f->model->context->device->kind == DEVICE_CPU;
    if (!o->exact_most) o->exact_most = 8;
    if (!o->exact_hits) o->exact_hits = 3;
    if (!o->workspaces) o->workspaces = is_cpu ? 16 : 1;
    if (f->g->kept) o->policy = FUSEC_GENERAL;
}

static bool make_lock(pthread_mutex_t *lock) {
    pthread_mutexattr_t kind;
    if (pthread_mutexattr_init(&kind)) return false;
    bool ok = !pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK) &&
              !pthread_mutex_init(lock, &kind);
    pthread_mutexattr_destroy(&kind);
    return ok;
}

FusecStatus function_lock(FusecFunction *f) {
    if (!pthread_mutex_lock(&f->lock)) return FUSEC_OK;
    return api_fail(FUSEC_BUSY, "%s is being compiled, and this is a callback of that", f->name);
}

void function_unlock(FusecFunction *f) { pthread_mutex_unlock(&f->lock); }

FusecStatus function_describe(FusecFunction *f) {
    f->g = f->c->functions.at[0].lowered;
    f->dim_count = f->g->dims->symbols.count;
    settle_options(f);
    list_arguments(f);
    list_conditions(f);
    list_shapes(f);
    FusecStatus status = check_counts(f);
    if (status) return status;
    f->parameters = parameters_of(f);
    f->bound = arena_alloc(f->handle.arena, sizeof *f->bound * (size_t)(f->input_count + 1));
    atomic_init(&f->table, arena_new_of(f->handle.arena, VariantTable));
    f->has_lock = make_lock(&f->lock);
    return f->has_lock ? FUSEC_OK : api_fail_memory();
}

static FusecStatus create(void *of) {
    Creation *c = of;
    const FusecContext *context = c->model->context;
    FusecFunction *f = c->function =
        handle_new(context->host_allocator, 0, HANDLE_FUNCTION, sizeof *f);
    if (!f) return api_fail_memory();
    f->model = c->model;
    f->options = c->options;
    FusecStatus status = choose_fn(c);
    if (status) return status;
    f->name = arena_strdup(f->handle.arena, c->name);
    take_dims(f, find_fn(c->model, c->name));
    const DimValues values = {f->dims.at, f->dims.count, NULL, 0, false};
    model_compile(c->model, f->name, &values, STAGE_SOURCE, &c->compiled);
    status = api_fail_diag(c->compiled.diag);
    messages_deliver(context, c->compiled.diag, c->model->c->diag, NULL);
    if (status) return status;
    f->c = c->compiled.c;
    return function_describe(f);
}

static FusecStatus free_on_device(void *of) {
    FusecFunction *f = of;
    for (Variant *v = f->variants, *next; v; v = next) {
        next = v->next;
        variant_free(f, v);
    }
    workspaces_free(f);
    return FUSEC_OK;
}

/* A device that is lost has given back all there was. */
static void function_free(FusecFunction *f) {
    device_run(f->model->context, true, free_on_device, f);
    if (f->has_lock) pthread_mutex_destroy(&f->lock);
    arena_free(f->shown.arena);
    handle_release(f->model->context, &f->handle);
}

static bool options_are_right(const FusecFunctionOptions *o) {
    const char *wrong = NULL;
    if ((unsigned)o->policy > FUSEC_GENERAL) wrong = "options.policy";
    if (o->exact_most < 0 || o->exact_most > VARIANTS_MOST - 2) wrong = "options.exact_most";
    if (o->exact_hits < 0) wrong = "options.exact_hits";
    if (o->workspaces < 0 || o->workspaces > WORKSPACES_MOST) wrong = "options.workspaces";
    if (wrong) api_fail_argument(wrong, "%s is out of range", wrong);
    return !wrong;
}

FusecStatus fusec_function_create(FusecModel *model, const char *name,
                                  const FusecFunctionOptions *options, FusecFunction **function) {
    Creation c = {.model = model, .name = name};
    if (!function) return api_fail_argument("function", "function is NULL");
    *function = NULL;
    if (!handle_is(model, HANDLE_MODEL, "model") ||
        !options_take(&c.options, sizeof c.options, options, "options") ||
        !options_are_right(&c.options))
        return FUSEC_WRONG_ARGUMENT;
    FusecStatus status = api_run(create, &c);
    if (!status) {
        model_keep(model);
        workers_join(c.function);
        *function = c.function;
        return FUSEC_OK;
    }
    if (c.function) function_free(c.function);
    arena_free(c.compiled.arena);
    return status;
}

void fusec_function_release(FusecFunction *f) {
    if (!f || !handle_is(f, HANDLE_FUNCTION, "function") || !handle_drop(&f->handle)) return;
    FusecModel *model = f->model;
    Arena *compiled = model->is_adopted ? NULL : f->c->arena;
    workers_part(f);
    function_free(f);
    arena_free(compiled);
    fusec_model_release(model);
}
