/* test_artifact.c: models that are saved with their code: what needs no compiler afterwards, what
 * does, and files that are no artifacts, or damaged. */
#include "world.h"

#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char text[] = "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) {\n    y = x + D;\n}\n"
                           "fn g[N](x: f32[N]) -> (y: f32[N]) {\n    y = -x;\n}\n";

enum { MOST = 1 << 20, CHECKSUM_AT = 8, VERSION_AT = 24, HEADER_SIZE_AT = 28, HEADER_AT = 32 };
static char folder[] = "/tmp/fusec-artifact-XXXXXX", path[64], other[64];

static int open_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/model.fusec", folder);
    snprintf(other, sizeof other, "%s/other.fusec", folder);
    return 0;
}

static int close_folder(void **state) {
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(folder);
}

/* ---- what works ----------------------------------------------------------------------------- */

/* A context that cannot compile. */
static FusecContext *open_bare(int threads) {
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    options.threads = threads;
    options.compiler = "/no/such/compiler";
    assert_ok(fusec_context_create(&options, &context));
    return context;
}

static FusecModel *open_artifact(FusecContext *context, const char *from) {
    FusecModel *model;
    assert_ok(fusec_model_from_artifact(context, from, NULL, &model));
    return model;
}

/* A function of a model, which keeps the model. */
static FusecFunction *function_of(FusecModel *model, const char *name) {
    FusecFunction *function;
    assert_ok(fusec_function_create(model, name, NULL, &function));
    fusec_model_release(model);
    return function;
}

static void assert_runs(FusecFunction *f, int64_t n) {
    float x[16], y[16];
    int64_t shape[2] = {n, 4};
    DLTensor in = tensor(x, f32, 2, shape), out = tensor(y, f32, 2, shape);
    for (int i = 0; i < 16; i++) x[i] = (float)i;
    assert_ok(fusec_call(f, (const DLTensor *const[]){&in, &out}, 2, NULL));
    for (int i = 0; i < n * 4; i++) assert_float_equal(y[i], x[i] + 4, 0);
}

static uint64_t compilations(FusecFunction *f) {
    FusecStats stats = FUSEC_OPTIONS(FusecStats);
    assert_ok(fusec_function_stats(f, &stats));
    return stats.compilations;
}

/* With the dim D as an option, and code of f for N = 3. Asserts that a model compiles no code
 * twice.
 */
static int make_artifact(void **state) {
    FusecContext *context = open_cpu();
    FusecModelOptions options = FUSEC_OPTIONS(FusecModelOptions);
    FusecModel *model;
    FusecFunction *f, *again;
    (void)state;
    options.dims = &(FusecDim){"D", 4};
    options.dim_count = 1;
    options.import_dirs = (const char *const[]){folder, NULL};
    assert_ok(
        fusec_model_from_text(context, "test.fx", text, strlen(text), &options, NULL, &model));
    assert_ok(fusec_function_create(model, "f", NULL, &f));
    assert_ok(fusec_function_create(model, "f", NULL, &again));
    assert_ok(fusec_prepare(f, (const int64_t[]){3}, NULL, NULL));
    assert_ok(fusec_prepare(again, (const int64_t[]){3}, NULL, NULL));
    assert_true(compilations(f) == 1 && compilations(again) == 0);
    assert_runs(again, 3);
    fusec_function_release(f);
    fusec_function_release(again);
    assert_ok(fusec_model_save(model, path));
    fusec_model_release(model);
    fusec_context_release(context);
    return 0;
}

static void test_code_needs_no_compiler(void **state) {
    FusecContext *context = open_bare(1);
    FusecModel *model = open_artifact(context, path);
    (void)state;
    assert_int_equal(fusec_model_function_count(model), 2);
    assert_ok(fusec_model_save(model, other)); /* with the code, before any is used */
    fusec_model_release(model);
    FusecFunction *f = function_of(open_artifact(context, other), "f");
    assert_int_equal(fusec_function_dim_count(f), 1);
    assert_ok(fusec_prepare(f, (const int64_t[]){3}, NULL, NULL));
    assert_int_equal(compilations(f), 0);
    assert_runs(f, 3);
    fusec_function_release(f);
    fusec_context_release(context);
}

static void assert_compiles(FusecFunction *f, int64_t n) {
    assert_int_equal(fusec_prepare(f, &n, NULL, NULL), FUSEC_REFUSED);
    assert_non_null(strstr(fusec_last_error()->text, "/no/such/compiler"));
    fusec_function_release(f);
}

static void test_other_code_is_compiled(void **state) {
    FusecContext *context = open_bare(1), *threads = open_bare(0);
    (void)state;
    assert_compiles(function_of(open_artifact(context, path), "f"), 5);
    assert_compiles(function_of(open_artifact(context, path), "g"), 3);
    assert_compiles(function_of(open_artifact(threads, path), "f"), 3); /* by OpenMP */
    fusec_context_release(context);
    fusec_context_release(threads);
}

/* ---- files ---------------------------------------------------------------------------------- */

static unsigned char bytes[MOST];

static size_t read_artifact(void) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, MOST, file);
    fclose(file);
    assert_in_range(size, HEADER_AT, MOST - 1);
    return size;
}

static void write_other(size_t size) {
    FILE *file = fopen(other, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void repair_checksum(size_t size) {
    XXH128_canonical_t checksum;
    XXH128_canonicalFromHash(&checksum, XXH3_128bits(bytes + VERSION_AT, size - VERSION_AT));
    memcpy(bytes + CHECKSUM_AT, checksum.digest, sizeof checksum.digest);
}

static FusecStatus load_other(FusecContext *context, size_t size) {
    FusecModel *model;
    write_other(size);
    FusecStatus status = fusec_model_from_artifact(context, other, NULL, &model);
    assert_int_equal(!status, model != NULL);
    fusec_model_release(model);
    return status;
}

static void assert_refused(FusecContext *context, size_t size, const char *words) {
    assert_int_equal(load_other(context, size), FUSEC_REFUSED);
    if (!strstr(fusec_last_error()->text, words) || !strstr(fusec_last_error()->text, other))
        fail_msg("%s", fusec_last_error()->text);
}

static void test_damage(void **state) {
    FusecContext *context = open_bare(1);
    const size_t size = read_artifact();
    (void)state;
    for (size_t i = 0; i < 400; i++) {
        size_t at = i < HEADER_AT ? i : i * (size - 1) / 399;
        bytes[at] ^= (unsigned char)(1 << i % 8);
        assert_refused(context, size, at < CHECKSUM_AT ? "is no artifact" : "is damaged");
        bytes[at] ^= (unsigned char)(1 << i % 8);
    }
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(load_other(context, i < HEADER_AT + 2 ? i : i * (size - 1) / 99),
                         FUSEC_REFUSED);
    bytes[size] = 0;
    assert_refused(context, size + 1, "is damaged");
    fusec_context_release(context);
}

static void test_loaded_as_text(void **state) {
    FusecContext *context = open_bare(1);
    FusecModel *model = NULL;
    const size_t size = read_artifact();
    (void)state;
    assert_int_equal(load_other(context, size), FUSEC_OK);
    assert_int_equal(fusec_model_from_file(context, other, NULL, NULL, &model),
                     FUSEC_WRONG_ARGUMENT);
    assert_non_null(strstr(fusec_last_error()->text, "is a saved model: fusec_model_from_"));
    assert_null(model);
    fusec_context_release(context);
}

/* A header that says anything: it is read, or refused. */
static void test_wrong_headers(void **state) {
    FusecContext *context = open_bare(1);
    const size_t size = read_artifact(),
                 header = (size_t)bytes[HEADER_SIZE_AT] | (size_t)bytes[HEADER_SIZE_AT + 1] << 8;
    (void)state;
    for (size_t i = 0; i < header + 4; i++) {
        size_t at = HEADER_SIZE_AT + i;
        const unsigned char right = bytes[at];
        bytes[at] = (unsigned char)(i % 3 ? '9' : right ^ 1 << i % 8);
        repair_checksum(size);
        FusecStatus status = load_other(context, size);
        if (status && status != FUSEC_REFUSED && status != FUSEC_WRONG_MODEL &&
            status != FUSEC_WRONG_ARGUMENT)
            fail_msg("byte %zu: %s", at, fusec_last_error()->text);
        bytes[at] = right;
    }
    bytes[VERSION_AT] = 9;
    repair_checksum(size);
    assert_refused(context, size, "has version 9 of the format; this is fusec");
    fusec_context_release(context);
}

/* Code that this machine cannot load is compiled again, and saved as such. */
static void test_code_that_does_not_load(void **state) {
    FusecContext *context = open_cpu(), *bare = open_bare(1);
    const size_t size = read_artifact();
    (void)state;
    size_t at = HEADER_AT;
    while (at < size - 4 && memcmp(bytes + at, "\177ELF", 4)) at++;
    bytes[at] = 0;
    repair_checksum(size);
    write_other(size);
    FusecModel *model = open_artifact(context, other);
    FusecFunction *f;
    assert_ok(fusec_function_create(model, "f", NULL, &f));
    assert_ok(fusec_prepare(f, (const int64_t[]){3}, NULL, NULL));
    assert_int_equal(compilations(f), 1);
    assert_runs(f, 3);
    assert_ok(fusec_model_save(model, other));
    fusec_function_release(f);
    fusec_model_release(model);
    f = function_of(open_artifact(bare, other), "f");
    assert_ok(fusec_prepare(f, (const int64_t[]){3}, NULL, NULL));
    assert_runs(f, 3);
    fusec_function_release(f);
    fusec_context_release(context);
    fusec_context_release(bare);
}

static void test_wrong_use(void **state) {
    FusecContext *context = open_bare(1);
    FusecModel *model = (FusecModel *)1;
    (void)state;
    assert_int_equal(fusec_model_from_artifact(context, "/no/such/file", NULL, &model),
                     FUSEC_REFUSED);
    assert_null(model);
    assert_int_equal(fusec_model_from_artifact(context, NULL, NULL, &model), FUSEC_WRONG_ARGUMENT);
    assert_int_equal(fusec_model_from_artifact(context, path, NULL, NULL), FUSEC_WRONG_ARGUMENT);
    model = open_artifact(context, path);
    assert_int_equal(fusec_model_save(NULL, path), FUSEC_WRONG_ARGUMENT);
    assert_int_equal(fusec_model_save(model, NULL), FUSEC_WRONG_ARGUMENT);
    assert_string_equal(fusec_last_error()->argument, "path");
    assert_int_equal(fusec_model_save(model, "/no/such/folder/model.fusec"), FUSEC_REFUSED);
    assert_int_equal(fusec_model_save(model, folder), FUSEC_REFUSED);
    fusec_model_release(model);
    fusec_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_code_needs_no_compiler, make_artifact),
        cmocka_unit_test(test_other_code_is_compiled),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_loaded_as_text),
        cmocka_unit_test(test_wrong_headers),
        cmocka_unit_test(test_code_that_does_not_load),
        cmocka_unit_test(test_wrong_use),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
