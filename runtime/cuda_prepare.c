/* cuda_prepare.c: launches with their numbers.
 * In: a program, dims. Out: grid, block, shared memory and
 * arguments of each launch. The formulas of a program are parsed once, in the order in which they
 * are computed: one walk does both. */
#include "runtime/cuda.h"

#include <limits.h>

enum { SHARED_USUAL = 48 << 10, FUNCTION_SHARED_MOST = 8 };

/* ---- formulas ----------------------------------------------------------------------------- */

bool cuda_formula(CudaFormulas *f, const char *text, Dtype type, Scalar *value) {
    if (!f->arena) return formula_run(f->codes[f->next++], f->dims, type, value);
    const FormulaCode *code =
        formula_compile(f->arena, text, f->program->symbols, f->program->symbol_count);
    vec_push(f->arena, &f->read, code);
    *value = (Scalar){.i = 1};
    return true;
}

/* ---- launches ----------------------------------------------------------------------------- */

typedef struct Preparation {
    const CudaDevice *c;
    Diag *diag;
    const Program *program;
    CudaFormulas formulas;
} Preparation;

static bool no_value(const Preparation *p, const char *formula) {
    diag_error(p->diag, NOWHERE, "%s: '%s' has no value with these dims", p->program->model_name,
               formula);
    return false;
}

static bool count(Preparation *p, const char *formula, unsigned *value) {
    Scalar number;
    if (!cuda_formula(&p->formulas, formula, T_I64, &number)) return no_value(p, formula);
    *value = (unsigned)number.i;
    if (number.i >= 0 && number.i <= INT_MAX) return true;
    diag_error(p->diag, NOWHERE, "%s: a launch of %s = %lld blocks or threads is too large",
               p->program->model_name, formula, (long long)number.i);
    return false;
}

static bool prepare_arguments(Preparation *p, const ProgramKernel *kernel, CudaLaunch *launch) {
    Arena *arena = p->diag->arena;
    int maps = 0;
    launch->value = arena_array(arena, uint64_t, kernel->argument_count + 1);
    for (int i = 0; i < kernel->argument_count; i++) maps += kernel->arguments[i].map != NULL;
    if (kernel->argument_count > CUDA_ARGUMENTS_MOST || maps > CUDA_MAPS_MOST)
        BUG("%s has %d arguments, %d of them maps", kernel->name, kernel->argument_count, maps);
    launch->map = arena_array(arena, CudaMap, maps + 1);
    maps = 0;
    for (int i = 0; i < kernel->argument_count; i++) {
        const ProgramArgument *a = &kernel->arguments[i];
        const char *failed;
        Scalar value;
        if (a->map && !cuda_map_prepare(a->map, &p->formulas, &launch->map[maps++], &failed))
            return no_value(p, failed);
        if (a->kind == ARG_TENSOR) continue;
        Dtype type = a->kind == ARG_SCALAR ? a->type : T_I64;
        if (!cuda_formula(&p->formulas, a->formula, type, &value)) return no_value(p, a->formula);
        dtype_store(type, &launch->value[i], value);
    }
    return true;
}

static bool prepare_zeroed(Preparation *p, const ProgramKernel *kernel, CudaLaunch *launch) {
    const ProgramArgument *a = kernel->zeroed;
    Scalar at = {0}, bytes = {0};
    if (!a) return true;
    if (a->kind != ARG_TENSOR && !cuda_formula(&p->formulas, a->formula, T_I64, &at))
        return no_value(p, a->formula);
    if (!cuda_formula(&p->formulas, kernel->zeroed_bytes, T_I64, &bytes))
        return no_value(p, kernel->zeroed_bytes);
    launch->zeroed = (uint64_t)at.i, launch->zeroed_bytes = (uint64_t)bytes.i;
    return true;
}

/* More dynamic shared memory than usual has to be asked for, once. */
static bool allow_shared(const Preparation *p, const char *name, CudaKernel *kernel,
                         unsigned bytes) {
    if (bytes <= SHARED_USUAL || bytes <= atomic_load(&kernel->shared)) return true;
    atomic_store(&kernel->shared, bytes);
    const char *call = arena_printf(p->diag->arena,
                                    "cuFuncSetAttribute: %s has %u bytes of shared "
                                    "memory",
                                    name, bytes);
    return cuda_ok(p->diag, p->c, call,
                   p->c->driver.function_set(kernel->function, FUNCTION_SHARED_MOST, (int)bytes));
}

/* As persistent_blocks of templates/cuda/launch.cuh. */
static unsigned persistent_blocks(const Preparation *p, unsigned tiles, int cluster) {
    const int processors = p->c->device.processors;
    const unsigned most =
        (unsigned)(processors < cluster ? cluster : processors / cluster * cluster);
    return tiles < most ? tiles : most;
}

static bool prepare_launch(Preparation *p, int number, CudaLaunch *launch) {
    const ProgramKernel *kernel = &p->program->kernels[number];
    CudaProgram *loaded = p->program->loaded;
    if (!count(p, kernel->grid, &launch->grid) || !count(p, kernel->block_x, &launch->block_x) ||
        !count(p, kernel->block_y, &launch->block_y) ||
        !count(p, kernel->shared, &launch->shared) || !prepare_arguments(p, kernel, launch) ||
        !prepare_zeroed(p, kernel, launch))
        return false;
    if (kernel->persistent) launch->grid = persistent_blocks(p, launch->grid, kernel->persistent);
    launch->name = kernel->name;
    return allow_shared(p, kernel->name, &loaded->kernel[number], launch->shared);
}

static bool prepare_all(Preparation *p, Call *call) {
    Scalar bytes;
    if (!cuda_formula(&p->formulas, p->program->workspace, T_I64, &bytes))
        return no_value(p, p->program->workspace);
    call->workspace_bytes = bytes.i;
    if (!cuda_formula(&p->formulas, p->program->prepared, T_I64, &bytes))
        return no_value(p, p->program->prepared);
    call->prepared_bytes = bytes.i;
    call->launches = arena_array(p->diag->arena, CudaLaunch, p->program->kernel_count + 1);
    for (int i = 0; i < p->program->kernel_count; i++)
        if (!prepare_launch(p, i, &call->launches[i])) return false;
    return true;
}

static CudaLaunch *prepare_once(Preparation *p) {
    CudaLaunch *launches = arena_array(p->diag->arena, CudaLaunch, p->program->once_count + 1);
    for (int i = 0; i < p->program->once_count; i++)
        if (!prepare_launch(p, p->program->kernel_count + i, &launches[i])) return NULL;
    return launches;
}

static Preparation preparation_of(Device *device, Diag *diag, const Call *call) {
    const CudaProgram *loaded = call->program->loaded;
    const CudaFormulas formulas = {.codes = loaded->formulas, .dims = call->dims};
    return (Preparation){cuda_of(device), diag, call->program, formulas};
}

bool cuda_prepare(Device *device, Diag *diag, Call *call) {
    Preparation p = preparation_of(device, diag, call);
    return prepare_all(&p, call);
}

const CudaLaunch *cuda_prepare_once(Device *device, Diag *diag, const Call *call) {
    Preparation p = preparation_of(device, diag, call);
    p.formulas.next = ((const CudaProgram *)call->program->loaded)->once_at;
    return prepare_once(&p);
}

bool cuda_read_formulas(CudaDevice *c, Diag *diag, const Program *program) {
    CudaProgram *loaded = program->loaded;
    Call call = {.program = program};
    loaded->arena = arena_new(0);
    if (!loaded->arena) leave_for_memory(__FILE__, __LINE__);
    Preparation p = {c, diag, program, {.arena = loaded->arena, .program = program}};
    if (!prepare_all(&p, &call)) return false;
    loaded->once_at = p.formulas.read.count;
    if (!prepare_once(&p)) return false;
    loaded->formulas = p.formulas.read.at;
    return true;
}
