/* profile.c: the kernels of an executable: what they are, and how long they take.
 * In: an executable, memory. Out: names, bytes, operations; times of its passes and kernels. */
#include "api/api.h"

static bool is_executable(const FusecExecutable *x) {
    return handle_is(x, HANDLE_EXECUTABLE, "executable");
}

/* ---- kernels ------------------------------------------------------------------------------ */

size_t fusec_executable_kernel_count(const FusecExecutable *x) {
    return is_executable(x) ? (size_t)x->variant->program->kernel_count : 0;
}

static int64_t value_of(const FusecExecutable *x, const char *formula) {
    const Program *program = x->variant->program;
    const FormulaDims dims = {program->symbols, x->dims, program->symbol_count};
    Scalar value;
    return formula && formula_value(formula, &dims, T_I64, &value) ? value.i : -1;
}

typedef struct Description {
    const FusecExecutable *x;
    const ProgramKernel *k;
    FusecKernel own;
} Description;

static FusecStatus describe(void *of) {
    Description *d = of;
    d->own = (FusecKernel){.name = d->k->name,
                           .place = d->k->place,
                           .bytes = value_of(d->x, d->k->bytes),
                           .operations = value_of(d->x, d->k->flops),
                           .product = d->k->product ? dtype_name(d->k->product) : NULL};
    return FUSEC_OK;
}

FusecStatus fusec_executable_kernel(const FusecExecutable *x, size_t index, FusecKernel *kernel) {
    if (!is_executable(x) || !index_is_right(index, x->variant->program->kernel_count, "kernels"))
        return FUSEC_WRONG_ARGUMENT;
    Description d = {.x = x, .k = &x->variant->program->kernels[index]};
    FusecStatus status = api_run(describe, &d);
    if (status) return status;
    return options_give(&d.own, sizeof d.own, kernel, "kernel") ? FUSEC_OK : FUSEC_WRONG_ARGUMENT;
}

/* ---- passes ------------------------------------------------------------------------------- */

size_t fusec_executable_pass_count(const FusecExecutable *x) {
    return is_executable(x) ? PASS_COUNT : 0;
}

FusecStatus fusec_executable_pass(const FusecExecutable *x, size_t index, FusecPass *pass) {
    if (!is_executable(x) || !index_is_right(index, PASS_COUNT, "passes"))
        return FUSEC_WRONG_ARGUMENT;
    const Variant *v = x->variant;
    const FusecPass own = {.name = pass_name[index],
                           .seconds =
                               index == PASS_COMPILER ? v->compiler_seconds : v->c->seconds[index]};
    return options_give(&own, sizeof own, pass, "pass") ? FUSEC_OK : FUSEC_WRONG_ARGUMENT;
}

/* ---- launches ----------------------------------------------------------------------------- */

typedef struct Launching {
    const FusecExecutable *x;
    const Memory *m;
    int kernel;
} Launching;

static FusecStatus launch_one(void *of) {
    const Launching *l = of;
    const FusecExecutable *x = l->x;
    Device *device = x->function->model->context->device;
    Arena arena = {0};
    Diag diag = {.arena = &arena, .error_limit = 1};
    FusecStatus status = FUSEC_OK;
    if (!device->launch(device, &diag, x->call, l->m, l->kernel))
        status = api_fail_diag_as(&diag, FUSEC_WRONG_DIMS);
    arena_clear(&arena);
    return status;
}

const Call *executable_call(const FusecExecutable *x) { return x->call; }

int executable_may_be(const FusecExecutable *x, int argument) {
    return variant_may_be(x->variant, argument);
}

FusecStatus executable_launch(const FusecExecutable *x, const Memory *m, int kernel) {
    Launching l = {x, m, kernel};
    return device_run(x->function->model->context, false, launch_one, &l);
}

/* ---- times -------------------------------------------------------------------------------- */

typedef struct Profile {
    FusecExecutable *x;
    Memory memory;
    bool is_whole; /* all kernels are timed together */
    double *seconds;
    HostTime *host; /* of each launch; NULL: nobody asks */
    Arena *arena;
    void *own; /* workspace, if the caller has none */
    size_t bytes;
} Profile;

static bool launch_in(const Profile *p, Diag *diag, int kernel) {
    Device *device = p->x->function->model->context->device;
    const double start = clock_now();
    const bool done = device->launch(device, diag, p->x->call, &p->memory, kernel);
    if (p->host) p->host[kernel] = (HostTime){start, clock_now()};
    return done;
}

/* A kernel, or ALL_KERNELS. */
static FusecStatus time_launch(const Profile *p, Diag *diag, int kernel, double *seconds) {
    Device *device = p->x->function->model->context->device;
    bool done = device->start(device, diag) && launch_in(p, diag, kernel) &&
                device->stop(device, diag, seconds);
    return done ? FUSEC_OK : api_fail_diag_as(diag, FUSEC_WRONG_DIMS);
}

static FusecStatus time_kernels(void *of) {
    Profile *p = of;
    Diag *diag = diag_new(p->arena, 1);
    if (p->bytes && !p->memory.workspace) {
        p->own = p->memory.workspace = device_take(p->x->function->model->context, diag, p->bytes);
        if (!p->own) return api_fail_diag(diag);
    }
    if (p->is_whole) return time_launch(p, diag, ALL_KERNELS, p->seconds);
    FusecStatus status = FUSEC_OK;
    for (int i = 0; !status && i < p->x->variant->program->kernel_count; i++)
        status = time_launch(p, diag, i, &p->seconds[i]);
    return status;
}

static FusecStatus give_back(void *of) {
    const Profile *p = of;
    device_give_back(p->x->function->model->context, p->own, p->bytes);
    return FUSEC_OK;
}

/* The events of the device are used by one thread at a time. */
static FusecStatus run(Profile *p) {
    FusecContext *context = p->x->function->model->context;
    int unused = 0;
    p->arena = arena_new_in(context->host_allocator, 0);
    if (!p->arena) return api_fail_memory();
    while (!atomic_compare_exchange_weak(&context->is_timing, &unused, 1)) {
        unused = 0;
        sched_yield();
    }
    FusecStatus status = device_run(context, true, time_kernels, p);
    if (p->own) device_run(context, true, give_back, p);
    atomic_store(&context->is_timing, 0);
    arena_free(p->arena);
    return status;
}

FusecStatus fusec_profile(FusecExecutable *x, void *const *pointers, size_t count,
                          const FusecCallOptions *options, double *seconds, size_t kernels) {
    return executable_trace(x, pointers, count, options, seconds, kernels, NULL);
}

FusecStatus executable_trace(FusecExecutable *x, void *const *pointers, size_t count,
                             const FusecCallOptions *options, double *seconds, size_t kernels,
                             HostTime *host) {
    FusecCallOptions own = {0};
    void *memory[ARGUMENTS_MOST];
    if (!is_executable(x)) return FUSEC_WRONG_ARGUMENT;
    if (options && !call_options_take(&own, options)) return FUSEC_WRONG_ARGUMENT;
    const size_t has = fusec_executable_kernel_count(x);
    if (kernels && kernels != has)
        return api_fail_argument("kernels", "kernels is %zu, but %s has %zu", kernels,
                                 x->function->name, has);
    if (!seconds) return api_fail_argument("seconds", "seconds is NULL");
    FusecStatus status = pointers_check(x->function, pointers, count);
    const size_t bytes = (size_t)x->call->workspace_bytes;
    if (!status && own.workspace) status = workspace_check(&own, bytes);
    if (status) return status;
    pointers_merge(x->function, pointers, memory);
    if ((status = alignment_check(x, memory))) return status;
    if ((status = consumed_check_for(x, memory))) return status;
    Profile p = {.x = x,
                 .memory = {memory, x->variant->prepared, own.workspace, NULL},
                 .is_whole = !kernels,
                 .seconds = seconds,
                 .host = kernels ? host : NULL,
                 .bytes = bytes};
    return run(&p);
}
