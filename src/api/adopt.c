/* adopt.c: a function of a model that the caller has compiled.
 * In: a compilation up to its source. Out: a function like any other. The command line uses it,
 * because it shows and checks more of a compilation than fusec.h offers. */
#include "api/api.h"

typedef struct Adoption {
    FusecContext *context;
    const Compilation *c;
    int number;
    FusecModel *model;
    FusecFunction *function;
} Adoption;

/* The same compilation, as if it had one function. */
static const Compilation *only(const Adoption *a, Arena *arena) {
    Compilation *one = arena_new_of(arena, Compilation);
    *one = *a->c;
    one->functions.at += a->number;
    one->functions.count = 1;
    one->plans += a->number;
    one->programs += a->number;
    return one;
}

static FusecStatus adopt(void *of) {
    Adoption *a = of;
    const Allocator *allocator = a->context->host_allocator;
    FusecModel *model = a->model = handle_new(allocator, 0, HANDLE_MODEL, sizeof *model);
    FusecFunction *f = a->function = handle_new(allocator, 0, HANDLE_FUNCTION, sizeof *f);
    if (!model || !f) return api_fail_memory();
    model->context = a->context;
    model->is_adopted = true;
    model->codes.build = artifact_build();
    model->name = a->c->name;
    model->c = f->c = only(a, model->handle.arena);
    f->model = model;
    f->name = f->c->functions.at[0].lowered->name;
    f->options.policy = FUSEC_GENERAL;
    FusecStatus status = function_describe(f);
    f->options.workspaces = 0;
    return status;
}

FusecStatus function_adopt(FusecContext *context, const Compilation *c, int number,
                           FusecFunction **function) {
    Adoption a = {.context = context, .c = c, .number = number};
    *function = NULL;
    FusecStatus status = api_run(adopt, &a);
    if (!status) {
        context_keep(context);
        *function = a.function;
        return FUSEC_OK;
    }
    if (a.function) handle_free(&a.function->handle);
    if (a.model) handle_free(&a.model->handle);
    return status;
}
