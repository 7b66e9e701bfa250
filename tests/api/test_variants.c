/* test_variants.c: which variants a function makes, which of them serves, and what is told of it.
 */
#include "world.h"

#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char doubled[] =
    "fn doubled[N, D](x: f32[N, D]) -> (y: f32[N, D]) {\n    y = x + x;\n}\n";

enum { MOST = 4096 };
static float x[MOST], y[MOST];

static FusecStatus call(FusecFunction *f, int64_t n, int64_t d, unsigned flags) {
    int64_t shape[2] = {n, d};
    DLTensor in = tensor(x, f32, 2, shape), out = tensor(y, f32, 2, shape);
    FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
    options.flags = flags;
    for (int i = 0; i < MOST; i++) x[i] = (float)i, y[i] = -1;
    FusecStatus status = fusec_call(f, (const DLTensor *const[]){&in, &out}, 2, &options);
    for (int i = 0; i < MOST; i++) assert_true(y[i] == (!status && i < n * d ? 2 * x[i] : -1));
    return status;
}

static FusecStats stats_of(FusecFunction *f) {
    FusecStats stats = FUSEC_OPTIONS(FusecStats);
    assert_ok(fusec_function_stats(f, &stats));
    return stats;
}

static void assert_guards(FusecFunction *f, const char *const *guards, size_t count) {
    assert_int_equal(stats_of(f).variant_count, count);
    for (size_t i = 0; i < count; i++) {
        FusecVariant v = FUSEC_OPTIONS(FusecVariant);
        assert_ok(fusec_function_variant(f, i, &v));
        assert_string_equal(v.guards, guards[i]);
        assert_true(v.compile_seconds > 0);
    }
}

#define GUARDS(F, ...)                                                                             \
    assert_guards(F, (const char *const[]){__VA_ARGS__}, COUNT(((const char *[]){__VA_ARGS__})))

static void test_what_varies_becomes_an_argument(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, doubled, NULL);
    (void)state;
    assert_ok(call(f, 32, 8, FUSEC_CALL_MAY_PREPARE));
    GUARDS(f, "N == 32, D == 8");
    assert_int_equal(call(f, 48, 8, 0), FUSEC_NOT_PREPARED);
    assert_non_null(strstr(fusec_last_error()->text, "N = 48, D = 8: N == 32 fails"));
    assert_true(fusec_last_error()->line == 1 && fusec_last_error()->column == 12);
    assert_string_equal(stats_of(f).last_miss, "N = 48, D = 8: N == 32 fails (test.fx:1:12)");
    assert_ok(call(f, 48, 8, FUSEC_CALL_MAY_PREPARE));
    GUARDS(f, "N == 32, D == 8", "N % 16 == 0, D == 8");
    assert_ok(call(f, 64, 8, 0));
    assert_int_equal(call(f, 7, 8, 0), FUSEC_NOT_PREPARED);
    assert_ok(call(f, 7, 8, FUSEC_CALL_MAY_PREPARE));
    GUARDS(f, "N == 32, D == 8", "N % 16 == 0, D == 8", "D == 8");
    assert_ok(call(f, 5, 3, FUSEC_CALL_MAY_PREPARE));
    GUARDS(f, "N == 32, D == 8", "N % 16 == 0, D == 8", "D == 8", "");
    assert_ok(call(f, 1, 1, 0));
    FusecStats stats = stats_of(f);
    assert_true(stats.hits == 6 && stats.misses == 2 && stats.compilations == 4);
    fusec_function_release(f);
    fusec_context_release(context);
}

/* Sizes of 1 and equal sizes are sizes as any other. */
static void test_no_size_is_special(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, doubled, NULL);
    (void)state;
    assert_ok(call(f, 1, 5, FUSEC_CALL_MAY_PREPARE));
    assert_ok(call(f, 5, 5, FUSEC_CALL_MAY_PREPARE));
    GUARDS(f, "N == 1, D == 5", "D == 5");
    assert_ok(call(f, 9, 5, 0));
    fusec_function_release(f);
    fusec_context_release(context);
}

static void test_exact_variants_are_bounded(void **state) {
    FusecContext *context = open_cpu();
    FusecFunctionOptions options = FUSEC_OPTIONS(FusecFunctionOptions);
    options.policy = FUSEC_EXACT;
    options.exact_most = 2;
    FusecFunction *f = load(context, doubled, &options);
    (void)state;
    assert_ok(call(f, 1, 2, FUSEC_CALL_MAY_PREPARE));
    assert_ok(call(f, 2, 2, FUSEC_CALL_MAY_PREPARE));
    assert_ok(call(f, 1, 2, 0));
    assert_ok(call(f, 3, 2, FUSEC_CALL_MAY_PREPARE)); /* N == 2 was used least recently */
    GUARDS(f, "N == 3, D == 2", "N == 1, D == 2");
    assert_int_equal(call(f, 2, 2, 0), FUSEC_NOT_PREPARED);
    assert_int_equal(stats_of(f).evictions, 1);
    fusec_function_release(f);
    fusec_context_release(context);
}

static void test_general_takes_all(void **state) {
    FusecContext *context = open_cpu();
    FusecFunctionOptions options = FUSEC_OPTIONS(FusecFunctionOptions);
    options.policy = FUSEC_GENERAL;
    FusecFunction *f = load(context, doubled, &options);
    (void)state;
    assert_ok(fusec_prepare(f, (const int64_t[]){3, 4}, NULL, NULL));
    assert_ok(call(f, 17, 31, 0));
    assert_ok(fusec_prepare(f, (const int64_t[]){5, 5}, NULL, NULL));
    GUARDS(f, "");
    fusec_function_release(f);
    fusec_context_release(context);
}

/* A value between kernels, so that a workspace for more elements is a larger one. */
static void take_call(FusecFunction *f, const DLTensor *const *arguments, size_t count) {
    FusecCallOptions options = FUSEC_OPTIONS(FusecCallOptions);
    options.flags = FUSEC_CALL_MAY_PREPARE;
    assert_ok(fusec_call(f, arguments, count, &options));
}

/* A sum of four numbers would be computed again instead of kept. */
static void test_one_variant_of_train(void **state) {
    static const char text[] = "fn f[N](x: f32[N]) -> (y: f32) {\n    s = sum(x);\n"
                               "    y = sin(s);\n}\nfn fwd, bwd = train(f);\n";
    FusecContext *context = open_cpu();
    FusecModel *model;
    FusecFunction *fwd, *bwd;
    FusecFunctionOptions exact = FUSEC_OPTIONS(FusecFunctionOptions);
    int64_t shape[1] = {4}, one[1] = {1};
    float of_x[4] = {1, -1, 0.5, -0.5}, of_y = 9, kept = 9, of_dy = 2, of_dx[4] = {0};
    const DLTensor in = tensor(of_x, f32, 1, shape), out = tensor(&of_y, f32, 0, NULL),
                   keep = tensor(&kept, f32, 1, one), dy = tensor(&of_dy, f32, 0, NULL),
                   dx = tensor(of_dx, f32, 1, shape);
    (void)state;
    exact.policy = FUSEC_EXACT;
    assert_ok(fusec_model_from_text(context, "t.fx", text, sizeof text - 1, NULL, NULL, &model));
    assert_ok(fusec_function_create(model, "fwd", NULL, &fwd));
    assert_ok(fusec_function_create(model, "bwd", &exact, &bwd));
    take_call(fwd, (const DLTensor *const[]){&in, &out, &keep}, 3);
    assert_true(of_y == 0 && kept == 0);
    take_call(bwd, (const DLTensor *const[]){&in, &keep, &dy, &dx}, 4);
    for (int i = 0; i < 4; i++) assert_true(of_dx[i] == 2);
    GUARDS(fwd, "");
    GUARDS(bwd, "");
    fusec_function_release(fwd);
    fusec_function_release(bwd);
    fusec_model_release(model);
    fusec_context_release(context);
}

static void test_workspaces_grow(void **state) {
    static const char text[] = "fn doubled[N, D](x: f32[N, D]) -> (y: f32[N, D]) {\n"
                               "    y = (x + x + 1) - 1;\n}\n";
    static const FusecPolicy policies[] = {FUSEC_AUTOMATIC, FUSEC_GENERAL};
    FusecContext *context = open_cpu();
    FusecModelOptions unfused = FUSEC_OPTIONS(FusecModelOptions);
    FusecFunctionOptions options = FUSEC_OPTIONS(FusecFunctionOptions);
    (void)state;
    unfused.optimise = FUSEC_O0;
    for (size_t i = 0; i < COUNT(policies); i++) {
        options.policy = policies[i];
        FusecFunction *f = load_as(context, text, &unfused, &options);
        for (int64_t n = 3; n < 60; n += 19) assert_ok(call(f, n, n, FUSEC_CALL_MAY_PREPARE));
        assert_int_equal(call(f, 64, 64, 0), FUSEC_NOT_PREPARED);
        assert_ok(call(f, 64, 64, FUSEC_CALL_MAY_PREPARE));
        assert_ok(call(f, 64, 64, 0));
        fusec_function_release(f);
    }
    fusec_context_release(context);
}

/* A better variant comes while the general one serves. */
static void test_background(void **state) {
    FusecContextOptions own = FUSEC_OPTIONS(FusecContextOptions);
    FusecPrepareOptions later = FUSEC_OPTIONS(FusecPrepareOptions);
    const struct timespec moment = {0, 5000000};
    FusecContext *context;
    (void)state;
    own.threads = own.background_threads = 1;
    later.background = 1;
    assert_ok(fusec_context_create(&own, &context));
    FusecFunction *f = load(context, doubled, NULL);
    assert_ok(fusec_prepare(f, (const int64_t[]){16, 16}, &later, NULL));
    assert_ok(call(f, 16, 16, 0));
    for (int i = 0; i < 4000 && stats_of(f).compilations < 2; i++) nanosleep(&moment, NULL);
    GUARDS(f, "N == 16, D == 16", "");
    for (int i = 0; i < 3; i++) assert_ok(call(f, 24, 24, 0)); /* three hits earn one, too */
    for (int i = 0; i < 4000 && stats_of(f).compilations < 3; i++) nanosleep(&moment, NULL);
    GUARDS(f, "N == 24, D == 24", "N == 16, D == 16", "");
    for (int i = 0; i < 3; i++) assert_ok(call(f, 8, 8, 0));
    fusec_function_release(f); /* while one is being compiled */
    fusec_context_release(context);
}

typedef struct Curious {
    FusecFunction *compiled, *other;
    int asked;
} Curious;

/* What may be asked while the function is compiled, and what would have to wait for its end. */
static int ask_much(void *user, const char *step, double done) {
    Curious *c = user;
    const char *text;
    if (strcmp(step, "compile") || c->asked++) return 0;
    assert_true(done == 0 && stats_of(c->compiled).variant_count == 1);
    assert_ok(call(c->compiled, 3, 4, 0));
    assert_ok(fusec_prepare(c->other, (const int64_t[]){5, 6}, NULL, NULL));
    assert_ok(fusec_function_text(c->other, FUSEC_TEXT_PLAN, &text));
    assert_int_equal(fusec_function_text(c->compiled, FUSEC_TEXT_PLAN, &text), FUSEC_BUSY);
    assert_int_equal(fusec_prepare(c->compiled, (const int64_t[]){7, 8}, NULL, NULL), FUSEC_BUSY);
    assert_int_equal(call(c->compiled, 7, 8, FUSEC_CALL_MAY_PREPARE), FUSEC_BUSY);
    assert_string_equal(fusec_last_error()->text,
                        "doubled is being compiled, and this is a callback of that");
    return 0;
}

static void test_asking_while_compiling(void **state) {
    FusecContext *context = open_cpu();
    Curious c = {load(context, doubled, NULL), load(context, doubled, NULL), 0};
    FusecPrepareOptions options = FUSEC_OPTIONS(FusecPrepareOptions);
    (void)state;
    options.progress = ask_much;
    options.progress_user = &c;
    assert_ok(fusec_prepare(c.compiled, (const int64_t[]){3, 4}, NULL, NULL));
    assert_ok(fusec_prepare(c.compiled, (const int64_t[]){5, 6}, &options, NULL));
    assert_true(c.asked);
    assert_int_equal(stats_of(c.compiled).variant_count, 2);
    fusec_function_release(c.compiled);
    fusec_function_release(c.other);
    fusec_context_release(context);
}

static int stop(void *user, const char *step, double done) {
    return ++*(int *)user == 1 && !strcmp(step, "compile") && done == 0;
}

static void test_cancelling(void **state) {
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, doubled, NULL);
    FusecPrepareOptions options = FUSEC_OPTIONS(FusecPrepareOptions);
    int steps = 0;
    (void)state;
    options.progress = stop;
    options.progress_user = &steps;
    assert_int_equal(fusec_prepare(f, (const int64_t[]){3, 4}, &options, NULL), FUSEC_CANCELLED);
    assert_int_equal(stats_of(f).variant_count, 0);
    assert_ok(fusec_prepare(f, (const int64_t[]){3, 4}, &options, NULL));
    fusec_function_release(f);
    fusec_context_release(context);
}

static int stop_later(void *user, const char *step, double done) {
    (void)step, (void)done;
    return ++*(int *)user == 3;
}

static int count_files(const char *folder) {
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while (readdir(dir)) count++;
    closedir(dir);
    return count - 2; /* "." and ".." */
}

/* A compiler that makes a temporary file, and takes a minute by a process of its own. */
static void test_cancelling_a_compiler(void **state) {
    char folder[] = "/tmp/fusec-cancel-XXXXXX", compiler[64];
    FusecContextOptions own = FUSEC_OPTIONS(FusecContextOptions);
    FusecPrepareOptions options = FUSEC_OPTIONS(FusecPrepareOptions);
    FusecContext *context;
    int steps = 0;
    const time_t start = time(NULL);
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(compiler, sizeof compiler, "%s/cc", folder);
    FILE *file = fopen(compiler, "w");
    fputs("#!/bin/sh\n> $TMPDIR/half-done.s\nsleep 60\n", file);
    assert_int_equal(fclose(file) | chmod(compiler, 0700) | setenv("TMPDIR", folder, 1), 0);
    own.compiler = compiler;
    assert_ok(fusec_context_create(&own, &context));
    FusecFunction *f = load(context, doubled, NULL);
    options.progress = stop_later;
    options.progress_user = &steps;
    assert_int_equal(fusec_prepare(f, (const int64_t[]){3, 4}, &options, NULL), FUSEC_CANCELLED);
    assert_string_equal(fusec_last_error()->text, "cancelled by the progress callback");
    assert_int_equal(steps, 3);
    assert_true(time(NULL) - start < 30);
    assert_int_equal(stats_of(f).variant_count, 0);
    assert_int_equal(count_files(folder), 1); /* the script */
    fusec_function_release(f);
    fusec_context_release(context);
    assert_int_equal(unsetenv("TMPDIR") | unlink(compiler) | rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_varies_becomes_an_argument),
        cmocka_unit_test(test_no_size_is_special),
        cmocka_unit_test(test_exact_variants_are_bounded),
        cmocka_unit_test(test_general_takes_all),
        cmocka_unit_test(test_one_variant_of_train),
        cmocka_unit_test(test_workspaces_grow),
        cmocka_unit_test(test_background),
        cmocka_unit_test(test_asking_while_compiling),
        cmocka_unit_test(test_cancelling),
        cmocka_unit_test(test_cancelling_a_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
