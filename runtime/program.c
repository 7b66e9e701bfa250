/* program.c: a compiled function behind one calling convention, so that it runs without the
 * compiler. In: C text with the two entry points of runtime.h. Out: a function to call. */
#include "runtime/runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WORKSPACE_ALIGN = 64 };

/* ISO C has no cast from an object pointer to a function pointer; POSIX has them equal in size. */
static bool find_entry(Diag *diag, const Program *program, const char *kind, void *function) {
    char *name = arena_printf(diag->arena, "fusec_%s_%s", kind, program->name);
    void *address = cpu_symbol(program->module, name);
    if (!address) diag_refuse(diag, "dlsym %s: not in the compiled library", name);
    memcpy(function, &address, sizeof address);
    return address;
}

bool program_load(Diag *diag, Program *program, const char *keep, const CpuOptions *options) {
    program->module = cpu_compile(diag, program->source, keep, options);
    if (!program->module) return false;
    if (find_entry(diag, program, "entry", &program->entry) &&
        find_entry(diag, program, "workspace", &program->workspace))
        return true;
    program_free(program);
    return false;
}

void *program_workspace(Diag *diag, const Program *program, const int64_t *dims) {
    int64_t bytes = program->workspace(dims);
    void *memory = NULL;
    if (bytes < 0 || (uint64_t)bytes > PTRDIFF_MAX) {
        diag_error(diag, NOWHERE, "%s: the workspace does not fit into memory", program->name);
        return NULL;
    }
    int error = posix_memalign(&memory, WORKSPACE_ALIGN, bytes ? (size_t)bytes : 1);
    if (!error) return memory;
    diag_refuse(diag, "posix_memalign of %lld bytes of workspace: %s", (long long)bytes,
                strerror(error));
    return NULL;
}

bool program_run(Diag *diag, const Program *program, Tensor *const *inputs, Tensor *const *outputs,
                 const int64_t *dims, void *workspace) {
    int inputs_count = program->input_count, count = inputs_count + program->output_count;
    void **tensors = calloc((size_t)count + 1, sizeof *tensors);
    if (!tensors) {
        diag_refuse(diag, "calloc: %s", strerror(ENOMEM));
        return false;
    }
    for (int i = 0; i < count; i++)
        tensors[i] = i < inputs_count ? inputs[i]->data : outputs[i - inputs_count]->data;
    int status = program->entry(tensors, dims, workspace);
    free(tensors);
    if (status)
        diag_error(diag, NOWHERE, "%s: a condition on its dims does not hold", program->name);
    return status == 0;
}

void program_free(Program *program) {
    cpu_free(program->module);
    program->module = NULL;
    program->entry = NULL;
    program->workspace = NULL;
}
