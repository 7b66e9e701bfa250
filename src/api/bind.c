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

FusecStatus fusec_function_bind(FusecFunction *f, const char *name, const DLTensor *tensor) {
    if (!handle_is(f, HANDLE_FUNCTION, "function")) return FUSEC_WRONG_ARGUMENT;
    if (!name) return api_fail_argument("name", "name is NULL");
    int i = find_constant(f, name);
    if (i < 0) return api_fail_argument("name", "%s has no constant input %s", f->name, name);
    FusecStatus status = tensor_check(f, &f->arguments[i], tensor);
    if (status) return status;
    status = function_lock(f);
    if (status) return status;
    if (f->variants) {
        status = api_fail_argument("name", "%s was prepared before %s was bound", f->name, name);
    } else {
        f->bound[i] = (char *)tensor->data + tensor->byte_offset;
        for (int axis = 0; axis < f->arguments[i].rank; axis++)
            f->bound_shape[i][axis] = tensor->shape[axis];
    }
    function_unlock(f);
    return status;
}
