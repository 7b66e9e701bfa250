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

/* What the constants that are bound say of the dims. */
static void learn_dims(FusecFunction *f, int input) {
    bool known[DIMS_MOST];
    for (int s = 0; s < f->dim_count; s++) known[s] = f->bound_dims[s] > 0;
    for (int axis = 0; axis < f->arguments[input].rank; axis++)
        dim_solve(f->g->dims, f->arguments[input].shape[axis], f->bound_shape[input][axis],
                  f->bound_dims, known);
}

FusecStatus fusec_function_bind(FusecFunction *f, const char *name, const DLTensor *tensor) {
    if (!handle_is(f, HANDLE_FUNCTION, "function")) return FUSEC_WRONG_ARGUMENT;
    if (!name) return api_fail_argument("name", "name is NULL");
    int i = find_constant(f, name);
    if (i < 0) return api_fail_argument("name", "%s has no constant input %s", f->name, name);
    FusecStatus status = tensor_check(f, &f->arguments[i], tensor);
    if (status) return status;
    pthread_mutex_lock(&f->lock);
    if (f->variants) {
        status = api_fail_argument("name", "%s was prepared before %s was bound", f->name, name);
    } else {
        f->bound[i] = (char *)tensor->data + tensor->byte_offset;
        for (int axis = 0; axis < f->arguments[i].rank; axis++)
            f->bound_shape[i][axis] = tensor->shape[axis];
        learn_dims(f, i);
    }
    pthread_mutex_unlock(&f->lock);
    return status;
}
