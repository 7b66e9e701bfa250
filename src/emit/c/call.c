/* call.c: calls of emitted functions. In: a kernel as it was emitted. Out: another kernel that
 * calls its functions; statements. */
#include "emit/c/c.h"

void c_put_call(const CCall *call, const char *indent, Text *out) {
    text_printf(out, "%s%s(%s);\n", indent, call->function,
                parameters_names(out->arena, &call->arguments));
}

static CCall call_by(const Kernel *k, const CCall *made, Arena *arena) {
    return (CCall){made->function, parameters_given(k, &made->arguments, arena)};
}

CKernel c_kernel_calling(const Kernel *k, const CKernel *made, Arena *arena) {
    CKernel own = {.scratch = made->scratch,
                   .packed = made->packed,
                   .dims = made->dims,
                   .packing_dims = made->packing_dims};
    for (int i = 0; i < made->calls.count; i++) {
        const CCall call = call_by(k, &made->calls.at[i], arena);
        vec_push(arena, &own.calls, call);
    }
    for (int i = 0; i < made->packings.count; i++) {
        CPacking packing = made->packings.at[i];
        packing.call = call_by(k, &packing.call, arena);
        vec_push(arena, &own.packings, packing);
    }
    return own;
}
