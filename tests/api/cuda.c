/* cuda.c: libfusec on its CUDA device, by the driver of tests/driver, which says what a call does
 * that it must not do. Memory of that device can be read and written here, too. */
#include "world.h"

#include <dlfcn.h>

static const char text[] = "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) {\n"
                           "    s = sum(x, axis = [0, 1], keep = true);\n    y = x + s;\n}\n";

/* ---- the driver ----------------------------------------------------------------------------- */

static struct {
    int (*push)(void *), (*pop)(void **), (*current)(void **), (*allocate)(uint64_t *, size_t);
    void **captured;
    int *only_launches;
    const char **violation;
    int *graphs, *changes, *dependent, *launches;
    void **waited;
} driver;

static void find(void *library, const char *name, void *to) {
    void *address = dlsym(library, name);
    assert_non_null(address);
    memcpy(to, &address, sizeof address);
}

static int open_driver(void **state) {
    char path[512];
    (void)state;
    snprintf(path, sizeof path, "%s/libcuda.so.1", getenv("FUSEC_CUDA_PATH"));
    void *library = dlopen(path, RTLD_NOW);
    if (!library) return -1;
    find(library, "cuCtxPushCurrent_v2", &driver.push);
    find(library, "cuCtxPopCurrent_v2", &driver.pop);
    find(library, "cuCtxGetCurrent", &driver.current);
    find(library, "cuMemAlloc_v2", &driver.allocate);
    find(library, "fake_cuda_captured", &driver.captured);
    find(library, "fake_cuda_only_launches", &driver.only_launches);
    find(library, "fake_cuda_violation", &driver.violation);
    find(library, "fake_cuda_graphs", &driver.graphs);
    find(library, "fake_cuda_changes", &driver.changes);
    find(library, "fake_cuda_dependent", &driver.dependent);
    find(library, "fake_cuda_launches", &driver.launches);
    find(library, "fake_cuda_waited", &driver.waited);
    return 0;
}

/* ---- calls ---------------------------------------------------------------------------------- */

enum { MOST = 64 };
static int other_context, a_stream, another_stream;

typedef struct World {
    FusecContext *context;
    FusecFunction *function;
    float *x, *y;
} World;

static int open_world(void **state) {
    World *w = *state = calloc(1, sizeof *w);
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    uint64_t at;
    options.device = FUSEC_DEVICE_CUDA;
    driver.push(&other_context); /* the caller's own, which has to stay current */
    assert_ok(fusec_context_create(&options, &w->context));
    w->function = load_unfused(w->context, text);
    assert_int_equal(driver.allocate(&at, sizeof(float) * MOST), 0);
    w->x = (float *)(uintptr_t)at;
    assert_int_equal(driver.allocate(&at, sizeof(float) * MOST), 0);
    w->y = (float *)(uintptr_t)at;
    return 0;
}

static void assert_context_is_ours(void) {
    void *context;
    assert_int_equal(driver.current(&context), 0);
    assert_ptr_equal(context, &other_context);
}

static int close_world(void **state) {
    World *w = *state;
    void *context;
    fusec_function_release(w->function);
    fusec_context_release(w->context);
    assert_context_is_ours();
    driver.pop(&context);
    free(w);
    return 0;
}

static FusecStatus call_with(World *w, int64_t n, int64_t d, FusecCallOptions options) {
    int64_t shape[2] = {n, d};
    DLTensor in = tensor(w->x, f32, 2, shape), out = tensor(w->y, f32, 2, shape);
    in.device.device_type = out.device.device_type = kDLCUDA;
    for (int i = 0; i < MOST; i++) w->x[i] = (float)i, w->y[i] = -1;
    *driver.only_launches = !options.flags;
    FusecStatus status = fusec_call(w->function, (const DLTensor *const[]){&in, &out}, 2, &options);
    *driver.only_launches = 0;
    if (*driver.violation) fail_msg("a call calls %s", *driver.violation);
    assert_context_is_ours();
    for (int64_t i = 0; !status && i < n * d; i++)
        assert_float_equal(w->y[i], (float)(i + n * d * (n * d - 1) / 2), 0);
    return status;
}

static FusecStatus call(World *w, int64_t n, int64_t d, void *stream, unsigned flags) {
    FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
    options.stream = stream;
    options.flags = flags;
    return call_with(w, n, d, options);
}

static void test_calls_launch_only(void **state) {
    World *w = *state;
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 4}, NULL, NULL));
    assert_context_is_ours();
    assert_ok(call(w, 3, 4, &a_stream, 0));
    assert_ok(fusec_prepare(w->function, (const int64_t[]){5, 4}, NULL, NULL));
    assert_ok(call(w, 5, 4, &a_stream, 0));
    assert_ok(call(w, 7, 4, &a_stream, 0)); /* dims that the variant is not prepared for */
    assert_int_equal(call(w, 7, 5, &a_stream, 0), FUSEC_NOT_PREPARED);
}

static void test_streams_have_workspaces(void **state) {
    World *w = *state;
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 4}, NULL, NULL));
    assert_ok(call(w, 3, 4, &a_stream, 0));
    assert_int_equal(call(w, 3, 4, &another_stream, 0), FUSEC_BUSY);
    assert_ok(call(w, 3, 4, &a_stream, 0));
}

typedef struct Given {
    size_t bytes;
    void *memory;
    int count;
} Given;

static void *give(void *user, size_t bytes) {
    Given *g = user;
    g->bytes = bytes;
    g->count++;
    return g->memory;
}

/* Of as many streams as there are; the function has none, not even where the call prepares. */
static void test_calls_ask_for_workspaces(void **state) {
    World *w = *state;
    uint64_t at;
    FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
    assert_int_equal(driver.allocate(&at, 1 << 16), 0);
    Given given = {.memory = (void *)(uintptr_t)at};
    options.stream = &a_stream;
    options.workspace_allocate = give;
    options.workspace_user = &given;
    options.flags = FUSEC_CALL_MAY_PREPARE;
    assert_ok(call_with(w, 3, 4, options));
    assert_int_equal(given.count, 1);
    options.flags = 0;
    options.stream = *driver.captured = &another_stream;
    assert_ok(call_with(w, 3, 4, options));
    *driver.captured = (void *)-1;
    assert_int_equal(given.count, 2);
    FusecPrepareOptions none = FUSEC_OPTIONS(FusecPrepareOptions);
    none.no_workspaces = 1;
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 4}, &none, NULL));
    assert_int_equal(call(w, 3, 4, &a_stream, 0), FUSEC_NOT_PREPARED);
    options.workspace = given.memory;
    options.workspace_bytes = given.bytes;
    assert_ok(call_with(w, 3, 4, options));
    assert_int_equal(given.count, 2);
    options.workspace = NULL;
    given.memory = (char *)given.memory + 8;
    assert_int_equal(call_with(w, 3, 4, options), FUSEC_WRONG_ARGUMENT);
    given.memory = NULL;
    assert_int_equal(call_with(w, 3, 4, options), FUSEC_NO_MEMORY);
    assert_non_null(strstr(fusec_last_error()->text, "options.workspace_allocate has no "));
}

static void test_capture(void **state) {
    World *w = *state;
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 4}, NULL, NULL));
    *driver.captured = &a_stream;
    assert_ok(call(w, 3, 4, &a_stream, 0));
    assert_int_equal(call(w, 2, 2, &a_stream, FUSEC_CALL_MAY_PREPARE), FUSEC_NOT_PREPARED);
    assert_non_null(strstr(fusec_last_error()->text, "the stream captures"));
    *driver.captured = (void *)-1;
    assert_ok(call(w, 2, 2, &a_stream, FUSEC_CALL_MAY_PREPARE));
}

static void test_executable(void **state) {
    World *w = *state;
    FusecExecutable *x;
    void *pointers[2] = {w->x, w->y};
    FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
    options.stream = &a_stream;
    assert_ok(fusec_prepare(w->function, (const int64_t[]){1, 4}, NULL, &x));
    for (int i = 0; i < 4; i++) w->x[i] = 1;
    *driver.only_launches = 1;
    assert_ok(fusec_execute(x, pointers, 2, &options));
    *driver.only_launches = 0;
    assert_null(*driver.violation);
    for (int i = 0; i < 4; i++) assert_float_equal(w->y[i], 5, 0);
    fusec_executable_release(x);
}

static void execute_graph(World *w, FusecExecutable *x, float *out) {
    void *pointers[2] = {w->x, out};
    FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
    options.stream = &a_stream;
    for (int i = 0; i < 4; i++) w->x[i] = 1, out[i] = -1;
    *driver.only_launches = 1;
    assert_ok(fusec_execute(x, pointers, 2, &options));
    *driver.only_launches = 0;
    assert_null(*driver.violation);
    for (int i = 0; i < 4; i++) assert_float_equal(out[i], 5, 0);
}

/* Kernels are told of memory that has changed, and of nothing else. */
static void test_graph(void **state) {
    World *w = *state;
    FusecExecutable *x;
    FusecPrepareOptions options = FUSEC_OPTIONS(FusecPrepareOptions);
    options.graph = 1;
    assert_ok(fusec_prepare(w->function, (const int64_t[]){1, 4}, &options, &x));
    execute_graph(w, x, w->y);
    int changes = *driver.changes;
    execute_graph(w, x, w->y);
    assert_true(*driver.graphs == 2 && *driver.changes == changes);
    execute_graph(w, x, w->y + 4);
    assert_true(*driver.graphs == 3 && *driver.changes > changes);
    *driver.captured = &a_stream;
    execute_graph(w, x, w->y);
    *driver.captured = (void *)-1;
    assert_int_equal(*driver.graphs, 3);
    fusec_executable_release(x);
}

/* Code of an artifact needs no NVRTC; code that the driver refuses is compiled again. */
static FusecStatus prepare_artifact(World *w, const char *path, uint64_t *compilations) {
    FusecStats stats = FUSEC_OPTIONS(FusecStats);
    FusecModel *model;
    assert_ok(fusec_model_from_artifact(w->context, path, NULL, &model));
    fusec_function_release(w->function);
    assert_ok(fusec_function_create(model, NULL, NULL, &w->function));
    fusec_model_release(model);
    FusecStatus status = fusec_prepare(w->function, (const int64_t[]){3, 4}, NULL, NULL);
    assert_ok(fusec_function_stats(w->function, &stats));
    *compilations = stats.compilations;
    return status ? status : call(w, 3, 4, &a_stream, 0);
}

static void test_artifact(void **state) {
    World *w = *state;
    FusecModel *model;
    uint64_t compilations;
    char path[512];
    snprintf(path, sizeof path, "%s/model.fusec", getenv("TMPDIR"));
    assert_ok(fusec_model_from_text(w->context, "test.fx", text, strlen(text), NULL, NULL, &model));
    fusec_function_release(w->function);
    assert_ok(fusec_function_create(model, NULL, NULL, &w->function));
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 4}, NULL, NULL));
    assert_ok(fusec_model_save(model, path));
    fusec_model_release(model);
    setenv("FAKE_NVRTC_LOG", "no compiler here", 1);
    assert_ok(prepare_artifact(w, path, &compilations));
    assert_int_equal(compilations, 0);
    assert_int_equal(fusec_prepare(w->function, (const int64_t[]){5, 4}, NULL, NULL),
                     FUSEC_REFUSED);
    unsetenv("FAKE_NVRTC_LOG");
    setenv("FAKE_CUDA", "cuModuleLoadData=200", 1);
    assert_int_equal(prepare_artifact(w, path, &compilations), FUSEC_REFUSED);
    setenv("FAKE_CUDA", "", 1);
}

static const char product_text[] =
    "fn f(a: bf16[128, 1024], b: bf16[1024, 128]) -> (c: bf16[128, 128]) { c = a @ b; }";

/* What is heard. */
static void hear(void *user, const FusecMessage *message) {
    char *said = user;
    snprintf(said, 512, "%s", message->text);
}

/* said: of 512 bytes; NULL: nobody listens. */
static FusecContext *context_of_size(const char *attributes, char *said) {
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    options.device = FUSEC_DEVICE_CUDA;
    options.cache = "off";
    options.log = said ? hear : NULL;
    options.log_user = said;
    setenv("FAKE_CUDA_ATTRIBUTES", attributes, 1);
    assert_ok(fusec_context_create(&options, &context));
    unsetenv("FAKE_CUDA_ATTRIBUTES");
    return context;
}

/* On a GPU of another size, too; a text is planned for that size. */
static void test_artifact_of_another_size(void **state) {
    (void)state;
    char path[512];
    FusecModel *model, *saved;
    FusecFunction *of_text, *first, *again;
    const char *source, *other;
    FusecContext *large = context_of_size("16=132", NULL), *small = context_of_size("16=8", NULL);
    snprintf(path, sizeof path, "%s/product.fusec", getenv("TMPDIR"));
    assert_ok(fusec_model_from_text(large, "p.fx", product_text, strlen(product_text), NULL, NULL,
                                    &model));
    assert_ok(fusec_function_create(model, NULL, NULL, &first));
    of_text = load(small, product_text, NULL);
    assert_ok(fusec_function_text(first, FUSEC_TEXT_SOURCE, &source));
    assert_ok(fusec_function_text(of_text, FUSEC_TEXT_SOURCE, &other));
    assert_string_not_equal(source, other);
    assert_ok(fusec_prepare(first, NULL, NULL, NULL));
    assert_ok(fusec_model_save(model, path));
    assert_ok(fusec_model_from_artifact(small, path, NULL, &saved));
    assert_ok(fusec_function_create(saved, NULL, NULL, &again));
    setenv("FAKE_NVRTC_LOG", "no compiler here", 1);
    assert_ok(fusec_prepare(again, NULL, NULL, NULL));
    assert_int_equal(fusec_prepare(of_text, NULL, NULL, NULL), FUSEC_REFUSED);
    unsetenv("FAKE_NVRTC_LOG");
    fusec_function_release(first);
    fusec_function_release(again);
    fusec_function_release(of_text);
    fusec_model_release(model);
    fusec_model_release(saved);
    fusec_context_release(large);
    fusec_context_release(small);
}

/* Decisions keep the plan that they are about; the log says that they are of another GPU. */
static void test_decisions_of_another_size(void **state) {
    (void)state;
    static const char lock[] =
        "fusec-tune-lock 1\nfunction f\ntarget cuda sm_90a\nnumeric ieee\n"
        "size 8 multiprocessors, 50 MiB of L2, 232448 and 233472 bytes of shared memory\n";
    char path[512], said[512] = "";
    FusecContext *large = context_of_size("16=132", said);
    FusecFunction *f = load(large, product_text, NULL);
    FusecPrepareOptions options = FUSEC_OPTIONS(FusecPrepareOptions);
    snprintf(path, sizeof path, "%s/product.lock", getenv("TMPDIR"));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(lock, file);
    fclose(file);
    options.tune_lock = path;
    assert_ok(fusec_prepare(f, NULL, &options, NULL));
    assert_non_null(strstr(said, "the decisions for function 'f' were made on another GPU"));
    fusec_function_release(f);
    fusec_context_release(large);
}

/* Rows of 8 move as packs: tensors that are not aligned to them need a variant of their own. */
static void test_alignment(void **state) {
    World *w = *state;
    FusecVariant v = FUSEC_OPTIONS(FusecVariant);
    FusecPrepareOptions options = FUSEC_OPTIONS(FusecPrepareOptions);
    FusecExecutable *aligned, *any;
    float *x = w->x, *y = w->y;
    void *pointers[2] = {x, y + 1};
    FusecCallOptions call_options = FUSEC_OPTIONS(FusecCallOptions);
    call_options.stream = &a_stream;
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 8}, NULL, &aligned));
    assert_ok(fusec_function_variant(w->function, 0, &v));
    assert_string_equal(v.guards, "N == 3, D == 8, tensors % 16 == 0");
    w->y = y + 1;
    assert_int_equal(call(w, 3, 8, &a_stream, 0), FUSEC_WRONG_ARGUMENT);
    assert_string_equal(fusec_last_error()->argument, "y");
    assert_non_null(strstr(fusec_last_error()->text, "y is not aligned to 16 bytes"));
    assert_int_equal(fusec_execute(aligned, pointers, 2, NULL), FUSEC_WRONG_ARGUMENT);
    options.any_alignment = 1;
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 8}, &options, &any));
    assert_ok(call(w, 3, 8, &a_stream, 0));
    assert_ok(fusec_execute(any, pointers, 2, &call_options));
    w->y = y;
    assert_ok(call(w, 3, 8, &a_stream, 0));
    w->x = x + 1;
    assert_ok(call(w, 2, 8, &a_stream, FUSEC_CALL_MAY_PREPARE));
    w->x = x;
    fusec_executable_release(aligned);
    fusec_executable_release(any);
}

/* What depends on constants alone is computed when a variant is made, and by no call, capture or
 * graph. w is read there, and by calls, too. */
static const char constant_text[] =
    "@constant(w)\nfn f[N, D](x: f32[N, D], w: f32[D]) -> (y: f32[N, D]) {\n"
    "    y = x * softmax(w) + w;\n}\n";

static void assert_constant_result(const World *w) {
    assert_null(*driver.violation);
    for (int i = 0; i < 8; i++) assert_float_equal(w->y[i], (float)i / 4 + 3, 1e-5);
    for (int i = 0; i < 8; i++) w->y[i] = -1;
}

static void call_with_constant(World *w, void *stream, int kernels) {
    int64_t shape[2] = {2, 4};
    DLTensor in = tensor(w->x, f32, 2, shape), out = tensor(w->y, f32, 2, shape);
    FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
    in.device.device_type = out.device.device_type = kDLCUDA;
    options.stream = stream;
    const int before = *driver.launches;
    *driver.only_launches = 1;
    assert_ok(fusec_call(w->function, (const DLTensor *const[]){&in, NULL, &out}, 3, &options));
    *driver.only_launches = 0;
    assert_int_equal(*driver.launches - before, kernels);
    assert_constant_result(w);
}

static void execute_with_constant(World *w, FusecExecutable *x, int kernels) {
    void *pointers[3] = {w->x, NULL, w->y};
    FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
    options.stream = &a_stream;
    const int before = *driver.launches;
    assert_ok(fusec_execute(x, pointers, 3, &options));
    assert_int_equal(*driver.launches - before, kernels);
    assert_constant_result(w);
}

static FusecStatus prepare_constant(World *w, int64_t n, FusecExecutable **x) {
    FusecPrepareOptions options = FUSEC_OPTIONS(FusecPrepareOptions);
    options.stream = &another_stream;
    options.graph = 1;
    *driver.waited = (void *)-1;
    return fusec_prepare(w->function, (const int64_t[]){n, 4}, &options, x);
}

static void bind_weights(World *w) {
    int64_t shape[1] = {4};
    DLTensor weights = tensor(w->x + 32, f32, 1, shape);
    weights.device.device_type = kDLCUDA;
    for (int i = 0; i < 8; i++) w->x[i] = (float)i, w->y[i] = -1;
    for (int i = 0; i < 4; i++) w->x[32 + i] = 3;
    assert_ok(fusec_function_bind(w->function, "w", &weights));
}

static void test_constants(void **state) {
    World *w = *state;
    FusecExecutable *x, *other;
    fusec_function_release(w->function);
    w->function = load(w->context, constant_text, NULL);
    FusecAttributes attributes = FUSEC_OPTIONS(FusecAttributes);
    assert_ok(fusec_function_attributes(w->function, &attributes));
    bind_weights(w);
    *driver.captured = &another_stream;
    assert_int_equal(prepare_constant(w, 2, &x), FUSEC_NOT_PREPARED);
    *driver.captured = (void *)-1;
    int before = *driver.launches;
    assert_ok(prepare_constant(w, 2, &x));
    assert_ptr_equal(*driver.waited, &another_stream);
    assert_true(*driver.launches > before);
    call_with_constant(w, &a_stream, attributes.kernel_count);
    *driver.captured = &a_stream;
    call_with_constant(w, &a_stream, attributes.kernel_count);
    *driver.captured = (void *)-1;
    execute_with_constant(w, x, attributes.kernel_count);
    execute_with_constant(w, x, attributes.kernel_count);
    assert_ok(prepare_constant(w, 3, &other)); /* N is open: with memory of its own */
    call_with_constant(w, &a_stream, attributes.kernel_count);
    fusec_executable_release(other);
    fusec_executable_release(x);
}

/* Kernels say when they wait, and are launched so. */
static void test_dependent_launch(void **state) {
    World *w = *state;
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    const char *source;
    options.device = FUSEC_DEVICE_CUDA;
    options.dependent_launch = 1;
    const World before = *w;
    assert_ok(fusec_context_create(&options, &w->context));
    w->function = load_unfused(w->context, text);
    fusec_function_release(before.function);
    fusec_context_release(before.context); /* the device goes on */
    assert_ok(fusec_function_text(w->function, FUSEC_TEXT_SOURCE, &source));
    assert_non_null(strstr(source, ") {\n    grid_dependency();\n"));
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 4}, NULL, NULL));
    assert_ok(call(w, 3, 4, &a_stream, 0));
    FusecAttributes attributes = FUSEC_OPTIONS(FusecAttributes);
    assert_ok(fusec_function_attributes(w->function, &attributes));
    assert_int_equal(*driver.dependent, attributes.kernel_count);
}

/* Ends at the second time that it is asked: while NVRTC compiles. */
static int cancel(void *user, const char *step, double done) {
    int *asked = user;
    (void)step, (void)done;
    return ++*asked == 2;
}

/* What was left goes on, and harms nobody. */
static void test_cancelling(void **state) {
    World *w = *state;
    int asked = 0;
    FusecPrepareOptions options = FUSEC_OPTIONS(FusecPrepareOptions);
    options.progress = cancel;
    options.progress_user = &asked;
    assert_int_equal(fusec_prepare(w->function, (const int64_t[]){3, 4}, &options, NULL),
                     FUSEC_CANCELLED);
    assert_int_equal(asked, 2);
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 4}, &options, NULL));
    assert_ok(call(w, 3, 4, &a_stream, 0));
    setenv("FAKE_NVRTC_LOG", "test.fx: wrong", 1);
    assert_int_equal(fusec_prepare(w->function, (const int64_t[]){3, 5}, &options, NULL),
                     FUSEC_REFUSED);
    assert_non_null(strstr(fusec_last_error()->text, "nvrtcCompileProgram"));
    unsetenv("FAKE_NVRTC_LOG");
}

/* ---- what goes wrong ------------------------------------------------------------------------ */

static void test_failures(void **state) {
    World *w = *state;
    setenv("FAKE_CUDA", "cuMemAlloc_v2=2", 1);
    assert_int_equal(fusec_prepare(w->function, (const int64_t[]){3, 4}, NULL, NULL),
                     FUSEC_NO_MEMORY);
    setenv("FAKE_CUDA", "", 1);
    assert_ok(fusec_prepare(w->function, (const int64_t[]){3, 4}, NULL, NULL));
    setenv("FAKE_CUDA", "cuLaunchKernel=1", 1);
    assert_int_equal(call(w, 3, 4, &a_stream, 0), FUSEC_REFUSED);
    assert_false(fusec_last_error()->device_lost);
    setenv("FAKE_CUDA", "cuLaunchKernel=700", 1);
    assert_int_equal(call(w, 3, 4, &a_stream, 0), FUSEC_REFUSED);
    assert_true(fusec_last_error()->device_lost);
    assert_non_null(strstr(fusec_last_error()->text, "an illegal memory access"));
    setenv("FAKE_CUDA", "", 1);
}

#define CASE(NAME) cmocka_unit_test_setup_teardown(NAME, open_world, close_world)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(test_calls_launch_only),
        CASE(test_streams_have_workspaces),
        CASE(test_calls_ask_for_workspaces),
        CASE(test_capture),
        CASE(test_executable),
        CASE(test_graph),
        CASE(test_artifact),
        cmocka_unit_test(test_artifact_of_another_size),
        cmocka_unit_test(test_decisions_of_another_size),
        CASE(test_alignment),
        CASE(test_constants),
        CASE(test_dependent_launch),
        CASE(test_cancelling),
        CASE(test_failures),
    };
    return cmocka_run_group_tests(tests, open_driver, NULL);
}
