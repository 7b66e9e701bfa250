/* model.c: models: a text is parsed, lowered and checked, and all shapes are inferred.
 * In: a text, a file or an artifact. Out: messages, and a model: immutable, except that compiled
 * code is added. */
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

void model_keep(FusecModel *model) { handle_keep(&model->handle); }

/* ---- compiling its text ------------------------------------------------------------------- */

static int opt_level(const FusecModelOptions *o) {
    return o->optimise == FUSEC_O_DEFAULT ? 2 : (int)o->optimise - 1;
}

/* "sm_90a" */
static bool has_dependent_launch(const Device *device) {
    return device->arch && atoi(device->arch + strlen("sm_")) >= 90;
}

/* NULL: that of the device. */
static const MachineSize *size_saved(const FusecModel *model, const char *arch) {
    for (int i = 0; arch && i < model->sizes.count; i++)
        if (!strcmp(model->sizes.at[i].arch, arch)) return &model->sizes.at[i].size;
    return NULL;
}

CompileOptions model_options(const FusecModel *model) {
    const FusecContext *context = model->context;
    CompileOptions o = compile_options_default();
    o.opt = opt_level(&model->options);
    o.emit.command = "libfusec";
    compile_for_device(&o, context->device);
    const MachineSize *size = size_saved(model, o.emit.arch);
    if (size) o.size = *size;
    o.emit.dependent = context->options.dependent_launch && has_dependent_launch(context->device);
    o.warnings_are_errors = model->options.warnings_are_errors;
    o.perf_remarks = model->options.perf_remarks;
    o.import_dirs = model->options.import_dirs;
    o.limits = context->limits;
    return o;
}

void model_compile(const FusecModel *model, const char *fn, const DimValues *values, Stage until,
                   Compiled *compiled) {
    const FusecContext *context = model->context;
    compiled->arena = arena_new_in(context->host_allocator, (size_t)context->limits.memory_bytes);
    if (!compiled->arena) leave_for_memory(__FILE__, __LINE__);
    CompileOptions *o = arena_new_of(compiled->arena, CompileOptions); /* graphs keep its limits */
    *o = model_options(model);
    o->fn = fn;
    o->bindings = values->fixed;
    o->binding_count = values->fixed_count;
    o->multiples = values->multiples;
    o->multiple_count = values->multiple_count;
    o->until = until;
    o->is_no_file = !model->is_file;
    o->emit.aligned = !values->any_alignment;
    o->imported = model->c && model->c->model ? model->c->model->imports : model->imports;
    compiled->diag = diag_new(compiled->arena, (int)context->limits.errors);
    uint32_t file = diag_source(compiled->diag, model->name, model->text, model->size);
    compiled->options = o;
    compiled->c = compile(compiled->arena, compiled->diag, file, o);
}

/* ---- loading ------------------------------------------------------------------------------ */

typedef struct Load {
    FusecContext *context;
    const char *name, *text;
    const char *named; /* the argument that `name` is */
    size_t size;
    FusecModelOptions options;
    FusecMessages **messages;
    FusecModel *model;
    Compiled compiled;
    char *bytes; /* of a file */
    Artifact artifact;
    Arena *arena; /* that holds it; NULL: none */
} Load;

static bool is_given(const FusecDim *dims, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(dims[i].name, name)) return true;
    return false;
}

static bool take_dims(FusecModel *model, const FusecModelOptions *o) {
    Arena *arena = model->handle.arena;
    DimBinding *dims = arena_array(arena, DimBinding, o->dim_count + 1);
    for (size_t i = 0; i < o->dim_count; i++) {
        if (!o->dims[i].name || o->dims[i].value < 1) {
            api_fail_argument("options.dims",
                              "options.dims[%zu]: %s is %lld: a dim has a name, and is at least 1",
                              i, o->dims[i].name ? o->dims[i].name : "(no name)",
                              (long long)o->dims[i].value);
            return false;
        }
        if (is_given(o->dims, i, o->dims[i].name)) {
            api_fail_argument("options.dims", "options.dims[%zu]: %s has a value already", i,
                              o->dims[i].name);
            return false;
        }
        dims[i] = (DimBinding){arena_strdup(arena, o->dims[i].name), o->dims[i].value};
    }
    model->dims.at = dims;
    model->dims.count = (int)o->dim_count;
    return true;
}

static void take_import_dirs(FusecModel *model, const char *const *given) {
    Arena *arena = model->handle.arena;
    int count = 0;
    model->options.import_dirs = NULL;
    if (!given) return;
    while (given[count]) count++;
    const char **dirs = arena_array(arena, const char *, count + 1);
    for (int i = 0; i < count; i++) dirs[i] = arena_strdup(arena, given[i]);
    model->options.import_dirs = dirs;
}

static FusecStatus load_text(void *of) {
    Load *l = of;
    l->model = handle_new(l->context->host_allocator, 0, HANDLE_MODEL, sizeof *l->model);
    if (!l->model) return api_fail_memory();
    FusecModel *model = l->model;
    Arena *arena = model->handle.arena;
    model->context = l->context;
    model->options = l->options;
    model->codes.build = artifact_build();
    model->name = arena_strdup(arena, l->name);
    model->text = arena_strndup(arena, l->text, l->size);
    model->size = l->size;
    model->is_file = l->bytes || l->artifact.is_file;
    model->imports = l->artifact.imports;
    model->sizes = l->artifact.sizes;
    take_import_dirs(model, l->options.import_dirs);
    if (!take_dims(model, &l->options)) return FUSEC_WRONG_ARGUMENT;
    const DimValues values = {model->dims.at, model->dims.count, NULL, 0, false};
    model_compile(model, NULL, &values, STAGE_GRAPH, &l->compiled);
    model->c = l->compiled.c;
    FusecStatus status = api_fail_diag(l->compiled.diag);
    messages_deliver(l->context, l->compiled.diag, NULL, l->messages);
    return status;
}

static FusecStatus load_file(void *of) {
    Load *l = of;
    Arena *arena = arena_new(0);
    if (!arena) return api_fail_memory();
    Diag *diag = diag_new(arena, 1);
    l->bytes = file_read(diag, l->name, (size_t)l->context->limits.source_bytes, &l->size);
    FusecStatus status = l->bytes ? FUSEC_OK : api_fail_diag_as(diag, FUSEC_REFUSED);
    arena_free(arena);
    if (status) return status;
    if (artifact_is(l->bytes, l->size))
        return api_fail_argument("path", "%s is a saved model: fusec_model_from_artifact loads it",
                                 l->name);
    l->text = l->bytes;
    return load_text(l);
}

static FusecStatus load_artifact(void *of) {
    Load *l = of;
    Artifact *a = &l->artifact;
    l->arena = arena_new_in(l->context->host_allocator, 0);
    if (!l->arena) return api_fail_memory();
    Diag *diag = diag_new(l->arena, 1);
    if (!artifact_read(diag, l->name, (size_t)l->context->limits.memory_bytes, a))
        return api_fail_diag_as(diag, FUSEC_REFUSED);
    l->name = a->name;
    l->text = a->text;
    l->size = a->size;
    l->options = a->options;
    FusecStatus status = load_text(l);
    if (status) return status;
    atomic_store(&l->model->codes.newest, atomic_exchange(&a->codes.newest, NULL));
    l->model->artifact = l->arena;
    l->arena = NULL;
    return FUSEC_OK;
}

static FusecStatus load(Load *l, const FusecModelOptions *options, FusecStatus (*body)(void *),
                        FusecModel **model) {
    if (l->messages) *l->messages = NULL;
    if (!model) return api_fail_argument("model", "model is NULL");
    *model = NULL;
    if (!l->name) return api_fail_argument(l->named, "%s is NULL", l->named);
    if (!l->text && body == load_text) return api_fail_argument("text", "text is NULL");
    if (!handle_is(l->context, HANDLE_CONTEXT, "context") ||
        !options_take(&l->options, sizeof l->options, options, "options"))
        return FUSEC_WRONG_ARGUMENT;
    if ((unsigned)l->options.optimise > FUSEC_O3)
        return api_fail_argument("options.optimise", "options.optimise is out of range");
    if (l->options.dim_count && !l->options.dims)
        return api_fail_argument("options.dims", "options.dims is NULL");
    FusecStatus status = api_run(body, l);
    free(l->bytes);
    arena_free(l->arena);
    code_table_free(&l->artifact.codes);
    if (!status) {
        context_keep(l->context);
        *model = l->model;
        return FUSEC_OK;
    }
    arena_free(l->compiled.arena);
    if (l->model) handle_free(&l->model->handle);
    return status;
}

FusecStatus fusec_model_from_text(FusecContext *context, const char *name, const char *text,
                                  size_t size, const FusecModelOptions *options,
                                  FusecMessages **messages, FusecModel **model) {
    Load l = {.context = context,
              .name = name,
              .named = "name",
              .text = text,
              .size = size,
              .messages = messages};
    return load(&l, options, load_text, model);
}

FusecStatus fusec_model_from_file(FusecContext *context, const char *path,
                                  const FusecModelOptions *options, FusecMessages **messages,
                                  FusecModel **model) {
    Load l = {.context = context, .name = path, .named = "path", .messages = messages};
    return load(&l, options, load_file, model);
}

FusecStatus fusec_model_from_artifact(FusecContext *context, const char *path,
                                      FusecMessages **messages, FusecModel **model) {
    Load l = {.context = context, .name = path, .named = "path", .messages = messages};
    return load(&l, NULL, load_artifact, model);
}

void fusec_model_release(FusecModel *model) {
    if (!model || !handle_is(model, HANDLE_MODEL, "model") || !handle_drop(&model->handle)) return;
    FusecContext *context = model->context;
    if (!model->is_adopted) arena_free(model->c->arena);
    arena_free(model->artifact);
    code_table_free(&model->codes);
    handle_release(context, &model->handle);
    fusec_context_release(context);
}

/* ---- its functions ------------------------------------------------------------------------ */

size_t fusec_model_function_count(const FusecModel *model) {
    return handle_is(model, HANDLE_MODEL, "model") ? (size_t)model->c->functions.count : 0;
}

const char *fusec_model_function_name(const FusecModel *model, size_t index) {
    return index < fusec_model_function_count(model) ? model->c->functions.at[index].lowered->name
                                                     : NULL;
}
