/* test_wrong_use.c: what a caller can get wrong, and which argument it is then told about. */
#include "world.h"

#include <math.h>

static const char scaled[] = "fn scaled[N, D, W](x: f32[N, D], b: bf16[2*D]) -> (y: f32[N, D]) {\n"
                             "    y = exp(x) / sum(exp(x), keep = true) * W + sum(b as f32);\n"
                             "}\n";

/* A call that is right; each row of the table spoils one thing of it. */
typedef struct World {
    FusecContext *context;
    FusecFunction *function;
    FusecExecutable *executable;
    float x[24], y[24];
    uint16_t b[16];
    int64_t x_shape[2], b_shape[1], y_shape[2], strides[2], dims[3];
    DLTensor tensor[3];
    const DLTensor *tensors[3];
    void *pointers[3];
    size_t count;
    FusecCallOptions options;
} World;

static void make_right(World *w) {
    w->x_shape[0] = w->y_shape[0] = w->dims[0] = 3;
    w->x_shape[1] = w->y_shape[1] = w->dims[1] = 4;
    w->b_shape[0] = 8;
    w->dims[2] = 2;
    w->strides[0] = 4;
    w->strides[1] = 1;
    w->tensor[0] = tensor(w->x, f32, 2, w->x_shape);
    w->tensor[1] = tensor(w->b, (DLDataType){kDLBfloat, 16, 1}, 1, w->b_shape);
    w->tensor[2] = tensor(w->y, f32, 2, w->y_shape);
    for (int i = 0; i < 3; i++) w->tensors[i] = &w->tensor[i];
    w->pointers[0] = w->x, w->pointers[1] = w->b, w->pointers[2] = w->y;
    w->count = 3;
    w->options = FUSEC_OPTIONS(FusecCallOptions);
    w->options.dims = w->dims;
}

static int open_world(void **state) {
    World *w = *state = calloc(1, sizeof *w);
    w->context = open_cpu();
    w->function = load(w->context, scaled, NULL);
    make_right(w);
    assert_ok(fusec_prepare(w->function, w->dims, NULL, &w->executable));
    return 0;
}

static int close_world(void **state) {
    World *w = *state;
    fusec_executable_release(w->executable);
    fusec_function_release(w->function);
    fusec_context_release(w->context);
    free(w);
    return 0;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void null_tensors(World *w) { memset(w->tensors, 0, sizeof w->tensors); }
static void few_arguments(World *w) { w->count = 2; }
static void null_tensor(World *w) { w->tensors[1] = NULL; }
static void null_data(World *w) { w->tensor[2].data = NULL; }
static void null_shape(World *w) { w->tensor[0].shape = NULL; }
static void wrong_rank(World *w) { w->tensor[0].ndim = 1; }
static void no_rank(World *w) { w->tensor[0].ndim = -1; }
static void large_rank(World *w) { w->tensor[0].ndim = 1 << 30; }
static void wrong_type(World *w) { w->tensor[1].dtype = f32; }
static void wrong_lanes(World *w) { w->tensor[0].dtype.lanes = 2; }
static void wrong_size(World *w) { w->b_shape[0] = 9; }
static void wrong_output(World *w) { w->y_shape[1] = 5; }
static void negative_size(World *w) { w->x_shape[0] = w->y_shape[0] = -1; }
static void misaligned(World *w) { w->tensor[0].byte_offset = 2; }
static void on_gpu(World *w) { w->tensor[0].device.device_type = kDLCUDA; }
static void on_second_cpu(World *w) { w->tensor[0].device.device_id = 1; }
static void on_other(World *w) { w->tensor[0].device.device_type = (DLDeviceType)8; }
static void no_parameter(World *w) { w->options.dims = NULL; }
static void zero_parameter(World *w) { w->dims[2] = 0; }
static void no_struct_size(World *w) { w->options.struct_size = 0; }
static void unknown_flags(World *w) { w->options.flags = FUSEC_CALL_MAY_PREPARE | 4; }
static void other_sizes(World *w) { w->x_shape[0] = w->y_shape[0] = 2; }

/* The product of the sizes overflows; the strides are those of a row-major tensor. */
static void huge_size(World *w) {
    w->x_shape[0] = INT64_MAX;
    w->strides[0] = 4, w->strides[1] = 1;
    w->tensor[0].strides = w->strides;
}

static void transposed(World *w) {
    w->strides[0] = 1, w->strides[1] = 3;
    w->tensor[0].strides = w->strides;
}

static const struct {
    void (*spoil)(World *);
    FusecStatus status;
    const char *argument, *text; /* argument NULL: none is named */
} calls[] = {
    {few_arguments, FUSEC_WRONG_ARGUMENT, "count",
     "count is 2, but scaled has 2 inputs and 1 output"},
    {null_tensors, FUSEC_WRONG_ARGUMENT, "x", "x is NULL"},
    {null_tensor, FUSEC_WRONG_ARGUMENT, "b", "b is NULL"},
    {null_data, FUSEC_WRONG_ARGUMENT, "y", "data is NULL"},
    {null_shape, FUSEC_WRONG_ARGUMENT, "x", "x has no shape"},
    {wrong_rank, FUSEC_WRONG_ARGUMENT, "x", "x is f32[3], but the model says f32[N, D]"},
    {no_rank, FUSEC_WRONG_ARGUMENT, "x", "x is f32 of -1 axes, but the model says f32[N, D]"},
    {large_rank, FUSEC_WRONG_ARGUMENT, "x", "x is f32 of 1073741824 axes, but"},
    {wrong_type, FUSEC_WRONG_ARGUMENT, "b", "b is f32[8], but the model says bf16[2*D]"},
    {wrong_lanes, FUSEC_WRONG_ARGUMENT, "x", "x is f32x2[3, 4]"},
    {wrong_size, FUSEC_WRONG_ARGUMENT, "b", "bf16[9], but the model says bf16[2*D], where D = 4"},
    {wrong_output, FUSEC_WRONG_ARGUMENT, "y",
     "f32[3, 5], but the model says f32[N, D], where N = 3"},
    {negative_size, FUSEC_WRONG_DIMS, NULL, "dim N is -1, but must be at least 1"},
    {huge_size, FUSEC_WRONG_ARGUMENT, "y",
     "f32[3, 4], but the model says f32[N, D], where N = 9223372036854775807"},
    {misaligned, FUSEC_WRONG_ARGUMENT, "x", "x is not aligned to its elements of 4 bytes"},
    {transposed, FUSEC_WRONG_ARGUMENT, "x", "x is not row-major: axis 1 has stride 3"},
    {on_gpu, FUSEC_WRONG_ARGUMENT, "x", "x is on CUDA device 0, but the context is for the CPU, "},
    {on_second_cpu, FUSEC_WRONG_ARGUMENT, "x", "x is on CPU 1 of DLPack, whose only one is 0, but"},
    {on_other, FUSEC_WRONG_ARGUMENT, "x", "x is on device 0 of DLPack's type 8, but"},
    {no_parameter, FUSEC_WRONG_ARGUMENT, "options.dims",
     "no input of scaled says how large W is: options.dims has to"},
    {zero_parameter, FUSEC_WRONG_ARGUMENT, "dims",
     "W is 0 in dims, but must be at least 1: no input"},
    {no_struct_size, FUSEC_WRONG_ARGUMENT, "options", "options.struct_size is not set"},
    {unknown_flags, FUSEC_WRONG_ARGUMENT, "options.flags",
     "options.flags is 0x5, of which 0x4 is no FusecCallFlags"},
    {other_sizes, FUSEC_NOT_PREPARED, NULL, "N = 2, D = 4, W = 2: N == 3 fails"},
};

static void assert_told(FusecStatus status, FusecStatus want, const char *argument,
                        const char *text) {
    const FusecError *e = fusec_last_error();
    assert_string_equal(fusec_status_name(status), fusec_status_name(want));
    assert_int_equal(e->status, want);
    if (!strstr(e->text, text)) fail_msg("'%s' lacks '%s'", e->text, text);
    if (argument) assert_non_null(e->argument);
    if (argument) assert_string_equal(e->argument, argument);
}

static void test_calls(void **state) {
    World *w = *state;
    for (size_t i = 0; i < COUNT(calls); i++) {
        make_right(w);
        assert_ok(fusec_call(w->function, w->tensors, w->count, &w->options));
        calls[i].spoil(w);
        for (int j = 0; j < 24; j++) w->y[j] = -7;
        assert_told(fusec_call(w->function, w->tensors, w->count, &w->options), calls[i].status,
                    calls[i].argument, calls[i].text);
        for (int j = 0; j < 24; j++) assert_true(w->y[j] == -7); /* outputs are as they were */
    }
    make_right(w);
    assert_told(fusec_call(w->function, NULL, 3, &w->options), FUSEC_WRONG_ARGUMENT, "tensors",
                "tensors is NULL");
    w->tensor[0].strides = w->strides; /* the strides that a row-major tensor has */
    assert_ok(fusec_call(w->function, w->tensors, w->count, &w->options));
}

static void test_pointers(void **state) {
    World *w = *state;
    make_right(w);
    assert_ok(fusec_execute(w->executable, w->pointers, 3, NULL));
    assert_told(fusec_execute(w->executable, w->pointers, 4, NULL), FUSEC_WRONG_ARGUMENT, "count",
                "count is 4");
    w->pointers[2] = NULL;
    assert_told(fusec_execute(w->executable, w->pointers, 3, NULL), FUSEC_WRONG_ARGUMENT, "y",
                "y is NULL");
    w->pointers[2] = (char *)w->y + 1;
    assert_told(fusec_execute(w->executable, w->pointers, 3, NULL), FUSEC_WRONG_ARGUMENT, "y",
                "y is not aligned to its elements of 4 bytes");
    make_right(w);
    w->options.flags = 2;
    assert_told(fusec_execute(w->executable, w->pointers, 3, &w->options), FUSEC_WRONG_ARGUMENT,
                "options.flags", "options.flags is 0x2, of which 0x2 is no FusecCallFlags");
    assert_told(fusec_execute(NULL, w->pointers, 3, NULL), FUSEC_WRONG_ARGUMENT, "executable",
                "executable is NULL");
}

/* ---- workspaces ----------------------------------------------------------------------------- */

static void test_workspaces(void **state) {
    static const char two_kernels[] =
        "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) {\n"
        "    s = sum(x * x, axis = [0, 1], keep = true);\n    y = x / sqrt(s);\n}\n";
    World *w = *state;
    FusecFunction *f = load_unfused(w->context, two_kernels);
    FusecExecutable *x;
    size_t bytes;
    _Alignas(256) char memory[4096];
    void *pointers[2] = {w->x, w->y};
    FusecCallOptions o = FUSEC_OPTIONS(FusecCallOptions);
    for (int i = 0; i < 12; i++) w->x[i] = 1;
    assert_ok(fusec_prepare(f, (const int64_t[]){3, 4}, NULL, &x));
    assert_ok(fusec_executable_workspace(x, &bytes));
    assert_true(bytes > 0 && bytes <= sizeof memory);
    assert_ok(fusec_execute(x, pointers, 2, NULL)); /* one of the library's own */
    o.workspace = memory;
    o.workspace_bytes = bytes;
    assert_ok(fusec_execute(x, pointers, 2, &o));
    assert_float_equal(w->y[0], 0.28867513, 1e-6);
    o.workspace_bytes = bytes - 1;
    assert_told(fusec_execute(x, pointers, 2, &o), FUSEC_WRONG_ARGUMENT, "options.workspace",
                "and the call needs");
    o.workspace = memory + 8;
    assert_told(fusec_execute(x, pointers, 2, &o), FUSEC_WRONG_ARGUMENT, "options.workspace",
                "options.workspace is not aligned to 256 bytes");
    fusec_executable_release(x);
    fusec_function_release(f);
}

/* Bytes of a workspace that 64 bits do not count, as 2^64, which is 0. */
static void test_large_workspaces(void **state) {
    static const char text[] =
        "fn f[A, B, C](x: i32) -> (y: i32) {\n"
        "    t = x + iota(A)[:, None, None] + iota(B)[:, None] * iota(C);\n"
        "    y = sum(t - max(t, axis = 0, keep = true), axis = [0, 1, 2]);\n}\n";
    World *w = *state;
    FusecFunctionOptions general = FUSEC_OPTIONS(FusecFunctionOptions);
    FusecCallOptions o = FUSEC_OPTIONS(FusecCallOptions);
    const DLDataType i32 = {kDLInt, 32, 1};
    const DLTensor x = tensor(w->x, i32, 0, NULL), y = tensor(w->y, i32, 0, NULL);
    const DLTensor *tensors[] = {&x, &y};
    general.policy = FUSEC_GENERAL;
    FusecFunction *f = load(w->context, text, &general);
    assert_ok(fusec_prepare(f, (const int64_t[]){2, 2, 2}, NULL, NULL));
    o.dims = (const int64_t[]){2, 2, 2};
    assert_ok(fusec_call(f, tensors, 2, &o));
    o.dims = (const int64_t[]){1 << 30, 1 << 30, 4};
    for (unsigned flags = 0; flags <= FUSEC_CALL_MAY_PREPARE; flags++) {
        o.flags = flags;
        assert_told(fusec_call(f, tensors, 2, &o), FUSEC_WRONG_DIMS, NULL,
                    "has 2^48 elements or more for A = 1073741824, B = 1073741824, C = 4");
    }
    assert_told(fusec_prepare(f, o.dims, NULL, NULL), FUSEC_WRONG_DIMS, NULL, "has 2^48 elements");
    fusec_function_release(f);
}

/* ---- handles of another kind ----------------------------------------------------------------- */

static void test_other_kinds(void **state) {
    World *w = *state;
    void *const context = w->context, *const function = w->function;
    FusecFunction *f;
    assert_told(fusec_function_create(function, NULL, NULL, &f), FUSEC_WRONG_ARGUMENT, "model",
                "model is not a handle of this kind");
    assert_int_equal(fusec_messages_count(context), 0);
    assert_string_equal(fusec_messages_text(context), "");
    fusec_context_release(function);
    assert_string_equal(fusec_last_error()->text,
                        "context is not a handle of this kind, or has been released");
    fusec_model_release(context);
    fusec_function_release(context);
    fusec_executable_release(context);
    fusec_messages_release(context);
    assert_string_equal(fusec_last_error()->argument, "messages");
    make_right(w);
    assert_ok(fusec_call(w->function, w->tensors, w->count, &w->options));
}

/* ---- released handles, which debug builds keep for a while ----------------------------------- */

#ifndef NDEBUG
static void test_released(void **state) {
    World *w = *state;
    FusecFunction *f = load(w->context, scaled, NULL);
    FusecExecutable *x;
    assert_ok(fusec_prepare(f, w->dims, NULL, &x));
    fusec_executable_release(x);
    assert_told(fusec_execute(x, w->pointers, 3, NULL), FUSEC_WRONG_ARGUMENT, "executable",
                "executable is not a handle of this kind, or has been released");
    fusec_function_release(f);
    assert_told(fusec_call(f, w->tensors, 3, NULL), FUSEC_WRONG_ARGUMENT, "function",
                "function is not a handle of this kind, or has been released");
    fusec_function_release(f);
}
#endif

/* ---- everything else ------------------------------------------------------------------------ */

static void test_contexts(void **state) {
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context = NULL;
    const FusecLimit limit = {"beauty", 3};
    struct {
        FusecContextOptions known;
        long later;
    } newer = {{0}, 1};
    (void)state;
    assert_told(fusec_context_create(NULL, NULL), FUSEC_WRONG_ARGUMENT, "context",
                "context is NULL");
    o.limits = &limit;
    o.limit_count = 1;
    assert_told(fusec_context_create(&o, &context), FUSEC_WRONG_ARGUMENT, "options.limits",
                "there is no limit beauty");
    o.limits = &(FusecLimit){"elements", ((int64_t)1 << 48) + 1};
    assert_told(fusec_context_create(&o, &context), FUSEC_WRONG_ARGUMENT, "options.limits",
                "the limit elements is more than 2^48");
    newer.known.struct_size = sizeof newer;
    assert_told(fusec_context_create(&newer.known, &context), FUSEC_WRONG_ARGUMENT, "options",
                "uses a field that this version of libfusec does not know");
    newer.later = 0;
    assert_ok(fusec_context_create(&newer.known, &context));
    fusec_context_release(context);
    o.struct_size = (size_t)-1; /* memory that nobody has set */
    assert_told(fusec_context_create(&o, &context), FUSEC_WRONG_ARGUMENT, "options",
                "options.struct_size is not set");
    o = FUSEC_OPTIONS(FusecContextOptions);
    o.threads = -1;
    assert_told(fusec_context_create(&o, &context), FUSEC_WRONG_ARGUMENT, "options.threads",
                "options.threads is out of range");
    o.threads = 0;
    o.limit_count = 1;
    assert_told(fusec_context_create(&o, &context), FUSEC_WRONG_ARGUMENT, "options.limits",
                "options.limits is NULL");
}

static void test_models(void **state) {
    World *w = *state;
    FusecModelOptions twice = FUSEC_OPTIONS(FusecModelOptions);
    FusecMessages *messages = (FusecMessages *)1;
    FusecModel *model;
    FusecFunction *f;
    static const char two[] = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }\n"
                              "fn g[N](x: f32[N]) -> (y: f32[N]) { y = -x; }\n";
    assert_told(fusec_model_from_text(NULL, "m.fx", two, sizeof two - 1, NULL, NULL, &model),
                FUSEC_WRONG_ARGUMENT, "context", "context is NULL");
    assert_told(fusec_model_from_file(w->context, "/nowhere/m.fx", NULL, NULL, &model),
                FUSEC_REFUSED, NULL, "open /nowhere/m.fx: No such file or directory");
    assert_told(fusec_model_from_file(w->context, "/tmp", NULL, NULL, &model), FUSEC_REFUSED, NULL,
                "/tmp: is a directory");
    assert_told(fusec_model_from_text(w->context, NULL, two, 1, NULL, &messages, &model),
                FUSEC_WRONG_ARGUMENT, "name", "name is NULL");
    assert_null(messages);
    twice.dims = (const FusecDim[]){{"N", 3}, {"N", 4}};
    twice.dim_count = 2;
    assert_told(
        fusec_model_from_text(w->context, "m.fx", two, sizeof two - 1, &twice, NULL, &model),
        FUSEC_WRONG_ARGUMENT, "options.dims", "options.dims[1]: N has a value already");
    twice.dims = (const FusecDim[]){{"N", 3}, {"M", 0}};
    assert_told(
        fusec_model_from_text(w->context, "m.fx", two, sizeof two - 1, &twice, NULL, &model),
        FUSEC_WRONG_ARGUMENT, "options.dims",
        "options.dims[1]: M is 0: a dim has a name, and is at least 1");
    assert_ok(fusec_model_from_text(w->context, "m.fx", two, sizeof two - 1, NULL, NULL, &model));
    assert_told(fusec_function_create(model, NULL, NULL, &f), FUSEC_WRONG_ARGUMENT, "name",
                "m.fx has 2 functions, so name is to be one of f, g");
    assert_told(fusec_function_create(model, "h", NULL, &f), FUSEC_WRONG_ARGUMENT, "name",
                "m.fx has no function h; it has f, g");
    assert_null(f);
    fusec_model_release(model);
    assert_told(fusec_function_bind(w->function, "x", &w->tensor[0]), FUSEC_WRONG_ARGUMENT, "name",
                "scaled has no constant input x");
    assert_told(fusec_prepare(w->function, NULL, NULL, NULL), FUSEC_WRONG_ARGUMENT, "dims",
                "dims is NULL");
}

/* More elements than the limit on a compilation allows are a mistake of the dims, not of the text.
 */
static void test_large_dims(void **state) {
    World *w = *state;
    FusecFunction *f =
        load(w->context, "fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }\n", NULL);
    assert_told(fusec_prepare(f, (const int64_t[]){(int64_t)1 << 41}, NULL, NULL), FUSEC_WRONG_DIMS,
                NULL, "f32[2199023255552] has more than 1099511627776 elements");
    fusec_function_release(f);
}

static void test_tuning_budget(void **state) {
    World *w = *state;
    static const double wrong[] = {NAN, INFINITY, -1};
    FusecPrepareOptions o = FUSEC_OPTIONS(FusecPrepareOptions);
    for (int i = 0; i < 3; i++) {
        o.tuning_budget = wrong[i];
        assert_told(fusec_prepare(w->function, w->dims, &o, NULL), FUSEC_WRONG_ARGUMENT,
                    "options.tuning_budget", "options.tuning_budget is out of range");
    }
}

/* The output begins where the input, whose memory a call may overwrite, ends, or one element
 * before. */
static void test_consumed(void **state) {
    World *w = *state;
    static const char text[] = "@consume(x) fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }\n";
    float memory[15];
    int64_t size = 8;
    const DLTensor x = {memory, {kDLCPU, 0}, 1, f32, &size, NULL, 0};
    const DLTensor y = {memory + 7, {kDLCPU, 0}, 1, f32, &size, NULL, 0};
    const DLTensor *tensors[] = {&x, &y};
    void *const pointers[] = {memory, memory + 7};
    FusecArgument argument = FUSEC_OPTIONS(FusecArgument);
    FusecExecutable *executable;
    FusecModel *model;
    FusecFunction *f;
    double seconds;
    assert_ok(fusec_model_from_text(w->context, "m.fx", text, sizeof text - 1, NULL, NULL, &model));
    assert_ok(fusec_function_create(model, "f", NULL, &f));
    assert_ok(fusec_function_argument(f, 0, &argument));
    assert_true(argument.is_consumed);
    assert_told(fusec_call(f, tensors, 2, NULL), FUSEC_WRONG_ARGUMENT, "x",
                "x is consumed, and overlaps y");
    size = 7;
    assert_told(fusec_call(f, tensors, 2, NULL), FUSEC_NOT_PREPARED, NULL, "f is not prepared");
    assert_ok(fusec_prepare(f, (const int64_t[]){8}, NULL, &executable));
    assert_told(fusec_execute(executable, pointers, 2, NULL), FUSEC_WRONG_ARGUMENT, "x",
                "x is consumed, and overlaps y");
    assert_told(fusec_profile(executable, pointers, 2, NULL, &seconds, 0), FUSEC_WRONG_ARGUMENT,
                "x", "x is consumed, and overlaps y");
    fusec_executable_release(executable);
    fusec_function_release(f);
    fusec_model_release(model);
}

#define CASE(NAME) cmocka_unit_test_setup_teardown(NAME, open_world, close_world)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(test_calls),       CASE(test_pointers),
        CASE(test_workspaces),  CASE(test_large_workspaces),
        CASE(test_contexts),    CASE(test_models),
        CASE(test_other_kinds), CASE(test_consumed),
        CASE(test_large_dims),  CASE(test_tuning_budget),
#ifndef NDEBUG
        CASE(test_released),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
