/* program.c: prepares a compiled function for given sizes.
 * In: a Program and the values of its dims. Out: a Call, from which a device launches. */
#include "runtime/runtime.h"

#include <string.h>

bool kernel_has_code(const ProgramKernel *kernel) {
    return !kernel->function || !strcmp(kernel->function, kernel->name);
}

static bool guards_hold(Diag *diag, const Program *program, const FormulaDims *dims) {
    for (int i = 0; i < program->guard_count; i++) {
        const ProgramGuard *guard = &program->guards[i];
        Scalar broken;
        if (formula_value(guard->broken_if, dims, T_BOOL, &broken) && !broken.i) continue;
        diag_error(diag, NOWHERE, "%s refuses its dims: %s (%s)", program->model_name, guard->shown,
                   guard->why);
        return false;
    }
    return true;
}

static bool fits(int64_t bytes) { return bytes >= 0 && (uint64_t)bytes <= PTRDIFF_MAX; }

Call *program_prepare(Diag *diag, Device *device, const Program *program, const int64_t *dims) {
    const FormulaDims formula_dims = {program->symbols, dims, program->symbol_count};
    if (!guards_hold(diag, program, &formula_dims)) return NULL;
    Call *call = arena_new_of(diag->arena, Call);
    *call = (Call){.program = program, .dims = dims};
    if (!device->prepare(device, diag, call)) return NULL;
    if (fits(call->workspace_bytes) && fits(call->prepared_bytes)) return call;
    diag_error(diag, NOWHERE, "%s: %s does not fit into memory", program->model_name,
               fits(call->workspace_bytes) ? "what is prepared" : "the workspace");
    return NULL;
}
