/* test_library.c: libfusec from a text to a result: loading, introspection, preparing, calling. */
#define _XOPEN_SOURCE 700
#include "world.h"

#include <dlfcn.h>
#include <unistd.h>

static const char scale[] = "const two = 2.0;\n"
                            "fn scale[N, D](x: f32[N, D], b: f32[2*D]) -> (y: f32[N, 2*D]) {\n"
                            "    assert D % 4 == 0;\n"
                            "    y = concat(x, x, axis = -1) * two + b;\n"
                            "}\n";

typedef struct Scale {
    int64_t x_shape[2], b_shape[1], y_shape[2];
    float x[48], b[48], y[48];
    DLTensor tensor[3];
    const DLTensor *all[3];
} Scale;

static void scale_make(Scale *s, int64_t n, int64_t d) {
    *s = (Scale){.x_shape = {n, d}, .b_shape = {2 * d}, .y_shape = {n, 2 * d}};
    for (int i = 0; i < 48; i++) s->x[i] = (float)i, s->b[i] = 100;
    s->tensor[0] = tensor(s->x, f32, 2, s->x_shape);
    s->tensor[1] = tensor(s->b, f32, 1, s->b_shape);
    s->tensor[2] = tensor(s->y, f32, 2, s->y_shape);
    for (int i = 0; i < 3; i++) s->all[i] = &s->tensor[i];
}

static void scale_check(const Scale *s) {
    const int64_t d = s->x_shape[1];
    for (int64_t i = 0; i < s->x_shape[0]; i++)
        for (int64_t j = 0; j < 2 * d; j++)
            assert_float_equal(s->y[i * 2 * d + j], 2 * s->x[i * d + j % d] + 100, 0);
}

static void test_from_text_to_result(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, scale, NULL);
    Scale s;
    (void)state;
    scale_make(&s, 3, 4);
    assert_int_equal(fusec_call(f, s.all, 3, NULL), FUSEC_NOT_PREPARED);
    assert_ok(fusec_prepare(f, (const int64_t[]){3, 4}, NULL, NULL));
    assert_ok(fusec_call(f, s.all, 3, NULL));
    scale_check(&s);
    fusec_context_release(context); /* the function keeps it */
    memset(s.y, 0, sizeof s.y);
    assert_ok(fusec_call(f, s.all, 3, NULL));
    scale_check(&s);
    fusec_function_release(f);
}

static void test_executable(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, scale, NULL);
    FusecExecutable *x;
    Scale s;
    size_t bytes = 1;
    (void)state;
    scale_make(&s, 2, 8);
    assert_ok(fusec_prepare(f, (const int64_t[]){2, 8}, NULL, &x));
    assert_ok(fusec_executable_workspace(x, &bytes));
    assert_int_equal(bytes, 0);
    void *pointers[] = {s.x, s.b, s.y};
    assert_ok(fusec_execute(x, pointers, 3, NULL));
    scale_check(&s);
    fusec_function_release(f);
    fusec_context_release(context);
    assert_ok(fusec_execute(x, pointers, 3, NULL));
    fusec_executable_release(x);
}

static void test_introspection(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, scale, NULL);
    FusecArgument a = FUSEC_OPTIONS(FusecArgument);
    FusecDimInfo d = FUSEC_OPTIONS(FusecDimInfo);
    FusecAttributes attributes = FUSEC_OPTIONS(FusecAttributes);
    const char *text;
    int64_t bytes, operations, shape[2];
    (void)state;
    assert_string_equal(fusec_function_name(f), "scale");
    assert_int_equal(fusec_function_argument_count(f), 3);
    assert_int_equal(fusec_function_input_count(f), 2);
    assert_ok(fusec_function_argument(f, 2, &a));
    assert_string_equal(a.name, "y");
    assert_string_equal(a.type_name, "f32");
    assert_string_equal(a.shape[1], "2*D");
    assert_true(a.is_output && a.rank == 2 && a.line == 2 && a.type.code == kDLFloat);
    assert_int_equal(fusec_function_dim_count(f), 2);
    assert_ok(fusec_function_dim(f, 1, &d));
    assert_string_equal(d.name, "D");
    assert_true(d.multiple == 4 && !d.is_parameter && d.line == 2);
    assert_ok(fusec_function_attributes(f, &attributes));
    assert_true(attributes.kernel_count == 1 && !attributes.strict && !attributes.autocast);
    for (int kind = FUSEC_TEXT_SOURCE; kind <= FUSEC_TEXT_GRAPH; kind++) {
        assert_ok(fusec_function_text(f, (FusecText)kind, &text));
        assert_non_null(strstr(text, "scale"));
    }
    assert_ok(fusec_function_work(f, (const int64_t[]){3, 4}, &bytes, &operations));
    assert_int_equal(bytes, 4 * (12 + 8 + 24));
    assert_true(operations > 0);
    assert_ok(fusec_function_shape(f, 2, (const int64_t[]){3, 4}, shape));
    assert_true(shape[0] == 3 && shape[1] == 8);
    fusec_function_release(f);
    fusec_context_release(context);
}

static void test_messages(void **state) {
    static const char wrong[] = "fn f[N](x: f32[N]) -> (y: f32[N]) {\n    y = exq(x);\n}\n";
    FusecContext *context = open_cpu();
    FusecModel *model = (FusecModel *)1;
    FusecMessages *messages;
    FusecMessage m;
    (void)state;
    assert_int_equal(
        fusec_model_from_text(context, "wrong.fx", wrong, strlen(wrong), NULL, &messages, &model),
        FUSEC_WRONG_MODEL);
    assert_null(model);
    assert_string_equal(fusec_last_error()->file, "wrong.fx");
    assert_int_equal(fusec_last_error()->line, 2);
    assert_ok(fusec_messages_get(messages, 0, &m));
    assert_true(m.severity == FUSEC_ERROR && m.line == 2 && m.column == 9);
    assert_memory_equal(wrong + m.offset, "exq", 3);
    assert_non_null(strstr(m.rendered, "wrong.fx:2:9: error: "));
    assert_non_null(strstr(fusec_messages_text(messages), "^~~"));
    fusec_messages_release(messages);
    fusec_context_release(context);
}

/* Texts are UTF-8, whatever bytes a model has, and wherever a long one is cut. */
static void test_texts_are_utf8(void **state) {
    static const char bytes[] = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = x \xff\xfe; }";
    FusecContext *context = open_cpu();
    FusecModel *model;
    FusecMessages *messages;
    FusecMessage m;
    char path[4000] = "/nowhere/";
    (void)state;
    assert_int_equal(
        fusec_model_from_text(context, "m.fx", bytes, strlen(bytes), NULL, &messages, &model),
        FUSEC_WRONG_MODEL);
    assert_string_equal(fusec_last_error()->text, "'<ff><fe>' is not part of the language");
    assert_ok(fusec_messages_get(messages, 0, &m));
    assert_string_equal(m.text, fusec_last_error()->text);
    fusec_messages_release(messages);
    for (int pad = 0; pad < 2; pad++) {
        strcat(path, "x");
        while (strlen(path) < sizeof path - 3) strcat(path, "\xc3\xa9");
        assert_int_equal(fusec_model_from_file(context, path, NULL, NULL, &model), FUSEC_REFUSED);
        const char *text = fusec_last_error()->text;
        const size_t size = strlen(text);
        assert_true(size >= 2046 && (unsigned char)text[size - 1] == 0xa9);
        path[strlen("/nowhere/") + (size_t)pad + 1] = '\0';
    }
    fusec_context_release(context);
}

/* ---- callbacks ------------------------------------------------------------------------------ */

typedef struct Heard {
    size_t bytes; /* allocated now */
    int allocations, messages;
    char last[256];
} Heard;

static void *allocate(void *user, size_t bytes, size_t alignment) {
    Heard *heard = user;
    void *memory = NULL;
    assert_true(bytes > 0 && alignment >= 16);
    if (posix_memalign(&memory, alignment, bytes)) return NULL;
    heard->bytes += bytes;
    heard->allocations++;
    return memset(memory, 0xa5, bytes); /* nothing may rely on zeros */
}

static void release(void *user, void *memory, size_t bytes) {
    ((Heard *)user)->bytes -= bytes;
    free(memory);
}

static void hear(void *user, const FusecMessage *message) {
    Heard *heard = user;
    heard->messages++;
    snprintf(heard->last, sizeof heard->last, "%s:%d: %s", message->file, message->line,
             message->text);
}

static void test_callbacks(void **state) {
    Heard heard = {0};
    const FusecAllocator allocator = {allocate, release, &heard};
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    FusecModel *model;
    Scale s;
    (void)state;
    o.threads = 1;
    o.host_allocator = &allocator;
    o.log = hear;
    o.log_user = &heard;
    assert_ok(fusec_context_create(&o, &context));
    assert_int_equal(fusec_model_from_text(context, "w.fx", "fn", 2, NULL, NULL, &model),
                     FUSEC_WRONG_MODEL);
    assert_int_equal(heard.messages, 1);
    assert_non_null(strstr(heard.last, "w.fx:1: "));
    FusecFunction *f = load(context, scale, NULL);
    scale_make(&s, 3, 4);
    assert_ok(fusec_prepare(f, (const int64_t[]){3, 4}, NULL, NULL));
    const int before = heard.allocations;
    assert_ok(fusec_call(f, s.all, 3, NULL));
    assert_int_equal(heard.allocations, before); /* a call takes no memory */
    scale_check(&s);
    fusec_function_release(f);
    fusec_context_release(context);
    assert_int_equal(heard.bytes, 0);
}

/* A warning of the text is told when it is loaded, and not again of its functions and variants. */
static void test_warnings_are_told_once(void **state) {
    static const char text[] = "fn f[N](x: f32[N], z: f32[N]) -> (y: f32[N]) { y = x + 1; }\n";
    Heard heard = {0};
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    (void)state;
    o.threads = 1;
    o.log = hear;
    o.log_user = &heard;
    assert_ok(fusec_context_create(&o, &context));
    FusecFunction *f = load(context, text, NULL);
    assert_ok(fusec_prepare(f, (const int64_t[]){3}, NULL, NULL));
    assert_ok(fusec_prepare(f, (const int64_t[]){4}, NULL, NULL));
    assert_int_equal(heard.messages, 1);
    assert_string_equal(heard.last, "test.fx:1: the input 'z' is never used");
    fusec_function_release(f);
    fusec_context_release(context);
}

/* Of N*N a size tells N; of K % 4 it does not tell K, which a call passes. */
static void test_dims_of_formulas(void **state) {
    static const char text[] = "fn f[N, K](x: f32[N*N], y: f32[K % 4]) -> (z: f32) {\n"
                               "    z = sum(x) * N + sum(y) * K;\n}\n";
    float x[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, y[2] = {1, 1}, z = -1;
    int64_t nine[1] = {9}, two[1] = {2}, dims[2] = {0, 6};
    const DLTensor of_x = tensor(x, f32, 1, nine), of_y = tensor(y, f32, 1, two),
                   of_z = tensor(&z, f32, 0, NULL);
    const DLTensor *all[] = {&of_x, &of_y, &of_z};
    FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, text, NULL);
    (void)state;
    options.flags = FUSEC_CALL_MAY_PREPARE;
    assert_int_equal(fusec_call(f, all, 3, &options), FUSEC_WRONG_ARGUMENT);
    assert_non_null(strstr(fusec_last_error()->text, "says how large K is"));
    options.dims = dims;
    assert_ok(fusec_call(f, all, 3, &options));
    assert_float_equal(z, 9 * 3 + 2 * 6, 0);
    nine[0] = 8;
    assert_int_equal(fusec_call(f, all, 3, &options), FUSEC_WRONG_ARGUMENT);
    assert_non_null(strstr(fusec_last_error()->text, "x is f32[8], but the model says f32[N*N]"));
    fusec_function_release(f);
    fusec_context_release(context);
}

/* With threads of its own, which are not those of the caller afterwards. */
static void test_threads_of_a_call(void **state) {
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    Scale s;
    (void)state;
    o.threads = 2;
    assert_ok(fusec_context_create(&o, &context));
    FusecFunction *f = load(context, scale, NULL);
    scale_make(&s, 3, 4);
    assert_ok(fusec_prepare(f, (const int64_t[]){3, 4}, NULL, NULL));
    assert_ok(fusec_call(f, s.all, 3, NULL));
    scale_check(&s);
    fusec_function_release(f);
    fusec_context_release(context);
}

/* Of OpenMP in the compiled code; false: there is none. */
static bool set_openmp_threads(int threads) {
    void *library = dlopen("libgomp.so.1", RTLD_NOW), *address = NULL;
    void (*set)(int);
    if (library) address = dlsym(library, "omp_set_num_threads");
    memcpy(&set, &address, sizeof set);
    if (address) set(threads);
    return address;
}

/* The workspace is large enough for the threads of a call, whatever the application has set before
 * and after the function was prepared. */
static void test_threads_of_a_workspace(void **state) {
    static const struct {
        int context, before, after;
    } cases[] = {{0, 1, 8}, {8, 1, 1}, {0, 8, 1}, {3, 8, 8}};
    enum { N = 320, GUARD = 1 << 20, CALLS = 10 };
    static float x[N * N], y[N * N];
    for (int i = 0; i < N * N; i++) x[i] = 1;
    (void)state;
    for (size_t i = 0; i < COUNT(cases) && set_openmp_threads(cases[i].before); i++) {
        FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
        FusecCallOptions own = FUSEC_OPTIONS(FusecCallOptions);
        FusecContext *context;
        FusecExecutable *executable;
        size_t bytes;
        o.threads = cases[i].context;
        assert_ok(fusec_context_create(&o, &context));
        FusecFunction *f = load(
            context, "fn f[N](x: f32[N, N]) -> (y: f32[N, N]) { y = tanh(x) @ tanh(x).T; }", NULL);
        assert_ok(fusec_prepare(f, (const int64_t[]){N}, NULL, &executable));
        assert_ok(fusec_executable_workspace(executable, &bytes));
        char *memory = aligned_alloc(256, bytes / 256 * 256 + 256 + GUARD);
        assert_non_null(memory);
        memset(memory + bytes, 'g', GUARD);
        own.workspace = memory;
        own.workspace_bytes = bytes;
        assert_true(set_openmp_threads(cases[i].after));
        for (int c = 0; c < CALLS; c++)
            assert_ok(fusec_execute(executable, (void *[]){x, y}, 2, &own));
        for (int g = 0; g < GUARD; g++) assert_int_equal(memory[bytes + (size_t)g], 'g');
        free(memory);
        fusec_executable_release(executable);
        fusec_function_release(f);
        fusec_context_release(context);
    }
}

/* A variant finds the header long after the options are gone. */
static void test_import(void **state) {
    static const char text[] = "import \"test_import.h\";\n"
                               "fn f[N](x: f32[N]) -> (y: f32[N]) { y = twice(x); }\n";
    char folder[] = "/tmp/fusec-test-XXXXXX", header[64];
    FusecModelOptions o = FUSEC_OPTIONS(FusecModelOptions);
    FusecContext *context = open_cpu();
    FusecModel *model;
    FusecFunction *f;
    float x[3] = {1, 2, 3}, y[3] = {0};
    int64_t shape[1] = {3};
    DLTensor in = tensor(x, f32, 1, shape), out = tensor(y, f32, 1, shape);
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(header, sizeof header, "%s/test_import.h", folder);
    FILE *file = fopen(header, "w");
    assert_non_null(file);
    fputs("static inline float twice(float x) { return 2 * x; }\n", file);
    fclose(file);
    o.import_dirs = (const char *const[]){folder, NULL};
    FusecStatus status =
        fusec_model_from_text(context, "t.fx", text, sizeof text - 1, &o, NULL, &model);
    bool has_libclang = !status || !strstr(fusec_last_error()->text, "libclang");
    if (has_libclang) {
        assert_ok(status);
        assert_ok(fusec_function_create(model, NULL, NULL, &f));
        assert_ok(fusec_prepare(f, shape, NULL, NULL));
        assert_ok(fusec_call(f, (const DLTensor *const[]){&in, &out}, 2, NULL));
        assert_float_equal(y[2], 6, 0);
        fusec_function_release(f);
        fusec_model_release(model);
    }
    fusec_context_release(context);
    assert_true(!unlink(header) && !rmdir(folder));
    if (!has_libclang) skip();
}

/* Functions that are derived have the dims of the one that they are derived from. */
static void test_derived(void **state) {
    static const char text[] = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = x * x * x; }\n"
                               "fn g = vjp(vjp(f, wrt = [x]), wrt = [x]);\n"
                               "fn fwd, bwd = train(f);\n";
    FusecContext *context = open_cpu();
    FusecModelOptions o = FUSEC_OPTIONS(FusecModelOptions);
    FusecModel *model;
    float x[3] = {1, 2, 3}, dy[3] = {1, 1, 2}, dx[3] = {0};
    int64_t shape[1] = {3};
    const DLTensor in = tensor(x, f32, 1, shape), of_y = tensor(dy, f32, 1, shape),
                   out = tensor(dx, f32, 1, shape);
    (void)state;
    o.dims = &(FusecDim){"N", 3}, o.dim_count = 1;
    assert_ok(fusec_model_from_text(context, "t.fx", text, sizeof text - 1, &o, NULL, &model));
    assert_int_equal(fusec_model_function_count(model), 4);
    for (size_t i = 0; i < 4; i++) {
        FusecFunction *f;
        const char *name = fusec_model_function_name(model, i);
        assert_ok(fusec_function_create(model, name, NULL, &f));
        if (!strcmp(name, "bwd")) {
            assert_ok(fusec_prepare(f, NULL, NULL, NULL));
            assert_ok(fusec_call(f, (const DLTensor *const[]){&in, &of_y, &out}, 3, NULL));
            assert_float_equal(dx[2], 54, 0);
        }
        fusec_function_release(f);
    }
    fusec_model_release(model);
    fusec_context_release(context);
}

static void test_dims_are_refused(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, scale, NULL);
    (void)state;
    assert_int_equal(fusec_prepare(f, (const int64_t[]){3, 6}, NULL, NULL), FUSEC_WRONG_DIMS);
    assert_int_equal(fusec_last_error()->line, 3);
    assert_int_equal(fusec_last_error()->column, 12);
    assert_string_equal(fusec_last_error()->file, "test.fx");
    assert_string_equal(fusec_last_error()->text,
                        "test.fx:3: assert D % 4 == 0 does not hold for D = 6");
    fusec_function_release(f);
    f = load(context,
             "fn f[N, M](x: f32[N], m: f32[M]) -> (y: f32[4]) {\n"
             "    assert 2*N <= 4*M;\n    y = x[2:6] + m[0];\n}\n",
             NULL);
    assert_int_equal(fusec_prepare(f, (const int64_t[]){8, 2}, NULL, NULL), FUSEC_WRONG_DIMS);
    assert_string_equal(fusec_last_error()->text,
                        "test.fx:2: assert 2*N <= 4*M does not hold for N = 8, M = 2");
    assert_int_equal(fusec_prepare(f, (const int64_t[]){5, 9}, NULL, NULL), FUSEC_WRONG_DIMS);
    assert_string_equal(fusec_last_error()->text,
                        "test.fx:3: slice '2:6': 6 <= N does not hold for N = 5");
    assert_int_equal(fusec_last_error()->line, 3);
    fusec_function_release(f);
    fusec_context_release(context);
}

/* An empty batch needs no variant, and no memory. */
static void test_no_rows(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, scale, NULL);
    Scale s;
    int64_t shape[2] = {9, 9};
    (void)state;
    scale_make(&s, 0, 4);
    s.tensor[0].data = s.tensor[2].data = NULL;
    assert_ok(fusec_call(f, s.all, 3, NULL));
    assert_ok(fusec_function_shape(f, 2, (const int64_t[]){0, 4}, shape));
    assert_true(shape[0] == 0 && shape[1] == 8);
    s.b_shape[0] = 9;
    assert_int_equal(fusec_call(f, s.all, 3, NULL), FUSEC_WRONG_ARGUMENT);
    scale_make(&s, 0, 6);
    assert_int_equal(fusec_call(f, s.all, 3, NULL), FUSEC_WRONG_DIMS);
    assert_int_equal(fusec_prepare(f, (const int64_t[]){0, 4}, NULL, NULL), FUSEC_WRONG_DIMS);
    fusec_function_release(f);
    f = load(context, "fn f[N](x: f32[N]) -> (y: f32) { y = max(x); }\n", NULL);
    DLTensor in = tensor(NULL, f32, 1, shape), out = tensor(s.y, f32, 0, NULL);
    assert_int_equal(fusec_call(f, (const DLTensor *const[]){&in, &out}, 2, NULL),
                     FUSEC_WRONG_DIMS);
    assert_non_null(strstr(fusec_last_error()->text, "N is 0"));
    fusec_function_release(f);
    fusec_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_text_to_result),    cmocka_unit_test(test_executable),
        cmocka_unit_test(test_introspection),          cmocka_unit_test(test_messages),
        cmocka_unit_test(test_texts_are_utf8),         cmocka_unit_test(test_derived),
        cmocka_unit_test(test_dims_are_refused),       cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_warnings_are_told_once), cmocka_unit_test(test_import),
        cmocka_unit_test(test_dims_of_formulas),       cmocka_unit_test(test_threads_of_a_call),
        cmocka_unit_test(test_threads_of_a_workspace), cmocka_unit_test(test_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
