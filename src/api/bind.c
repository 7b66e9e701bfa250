/* bind.c: constants of a function.
 * In: a tensor for a @constant input. Out: the function reads it from there, and knows its sizes.
 */
#include "api/api.h"

#include <string.h>

static int find_constant(const FusecFunction *f, const char *name) {
    for (int i = 0; i < f->input_count; i++)
        if (f->arguments[i].is_constant && !strcmp(f->arguments[i].name, name)) return i;
    return -1;
}

void *bound_memory(const FusecFunction *f, int input) {
    const BoundConstant *bound = atomic_load(&f->bound[input]);
    return bound ? bound->memory : NULL;
}

typedef struct Binding {
    FusecFunction *f;
    int input;
    const DLTensor *tensor;
} Binding;

static FusecStatus bind(void *of) {
    const Binding *b = of;
    FusecFunction *f = b->f;
    const Argument *a = &f->arguments[b->input];
    if (f->variants)
        return api_fail_argument("name", "%s was prepared before %s was bound", f->name, a->name);
    BoundConstant *bound = arena_new_of(f->handle.arena, BoundConstant);
    bound->memory = (char *)b->tensor->data + b->tensor->byte_offset;
    for (int axis = 0; axis < a->rank; axis++) bound->shape[axis] = b->tensor->shape[axis];
    atomic_store(&f->bound[b->input], bound);
    return FUSEC_OK;
}

FusecStatus fusec_function_bind(FusecFunction *f, const char *name, const DLTensor *tensor) {
    if (!handle_is(f, HANDLE_FUNCTION, "function")) return FUSEC_WRONG_ARGUMENT;
    if (!name) return api_fail_argument("name", "name is NULL");
    Binding b = {f, find_constant(f, name), tensor};
    if (b.input < 0) return api_fail_argument("name", "%s has no constant input %s", f->name, name);
    FusecStatus status = tensor_check(f, &f->arguments[b.input], tensor);
    if (!status) status = function_lock(f);
    if (status) return status;
    status = api_run(bind, &b);
    function_unlock(f);
    return status;
}
