/* test_imports.c: models of libfusec that import headers: from a file, from a text with folders, and
 * when a header is gone by the time that its functions are compiled again, or that the model is
 * loaded as an artifact. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] = "import \"ops.h\";\n"
                           "fn f[N](x: f32[N]) -> (y: f32[N]) { y = twice(x) + 1; }\n";
static const char header[] = "static inline float twice(float x) { return 2 * x; }\n";

typedef struct Folder {
    char path[64], model[80], ops[80];
} Folder;

static void write_text(const char *path, const char *bytes) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(bytes, file);
    fclose(file);
}

static int open_folder(void **state) {
    static Folder f;
    strcpy(f.path, "/tmp/fusec-imports-XXXXXX");
    assert_non_null(mkdtemp(f.path));
    snprintf(f.model, sizeof f.model, "%s/m.fx", f.path);
    snprintf(f.ops, sizeof f.ops, "%s/ops.h", f.path);
    write_text(f.model, text);
    *state = &f;
    return 0;
}

static int close_folder(void **state) {
    const Folder *f = *state;
    unlink(f->model);
    unlink(f->ops);
    return rmdir(f->path);
}

/* y = 2 x + 1, for n elements. */
static void check(FusecModel *model, int64_t n) {
    FusecFunction *f;
    float x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, y[8] = {0};
    DLTensor all[2] = {tensor(x, f32, 1, &n), tensor(y, f32, 1, &n)};
    const DLTensor *tensors[] = {&all[0], &all[1]};
    assert_ok(fusec_function_create(model, "f", NULL, &f));
    assert_ok(fusec_prepare(f, &n, NULL, NULL));
    assert_ok(fusec_call(f, tensors, 2, NULL));
    for (int64_t i = 0; i < n; i++) assert_float_equal(y[i], 2 * x[i] + 1, 0);
    fusec_function_release(f);
}

static void test_headers_are_read_once(void **state) {
    const Folder *f = *state;
    FusecContext *context = open_cpu();
    FusecModel *model;
    write_text(f->ops, header);
    assert_ok(fusec_model_from_file(context, f->model, NULL, NULL, &model));
    unlink(f->ops);
    check(model, 3);
    check(model, 5);
    fusec_model_release(model);
    fusec_context_release(context);
}

static void test_texts_import_from_given_folders(void **state) {
    const Folder *f = *state;
    const char *dirs[] = {f->path, NULL};
    FusecContext *context = open_cpu();
    FusecModelOptions options = FUSEC_OPTIONS(FusecModelOptions);
    FusecModel *model;
    write_text(f->ops, header);
    assert_int_equal(
        fusec_model_from_text(context, f->model, text, strlen(text), NULL, NULL, &model),
        FUSEC_WRONG_MODEL);
    options.import_dirs = dirs;
    assert_ok(fusec_model_from_text(context, "m", text, strlen(text), &options, NULL, &model));
    dirs[0] = NULL; /* the model has its own copy */
    check(model, 4);
    fusec_model_release(model);
    fusec_context_release(context);
}

/* ---- artifacts ---------------------------------------------------------------------------- */

static void save(const Folder *f, const char *to) {
    FusecContext *context = open_cpu();
    FusecModel *model;
    write_text(f->ops, header);
    assert_ok(fusec_model_from_file(context, f->model, NULL, NULL, &model));
    check(model, 3);
    assert_ok(fusec_model_save(model, to));
    fusec_model_release(model);
    fusec_context_release(context);
}

static bool has_loaded(const char *library) {
    char line[512];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) found = found || strstr(line, library);
    if (maps) fclose(maps);
    return found;
}

/* In a process of its own: loads, compiles for other dims, and calls. */
static int run_artifact(const char *from) {
    FusecContext *context = open_cpu();
    FusecModel *model;
    assert_ok(fusec_model_from_artifact(context, from, NULL, &model));
    check(model, 3);
    check(model, 5);
    fusec_model_release(model);
    fusec_context_release(context);
    return has_loaded("libclang") ? 1 : 0;
}

static char *self;

static void test_artifact_has_headers(void **state) {
    const Folder *f = *state;
    char artifact[96];
    int status;
    snprintf(artifact, sizeof artifact, "%s/m.fusec", f->path);
    save(f, artifact);
    unlink(f->ops);
    pid_t child = fork();
    if (!child) {
        execl("/proc/self/exe", self, artifact, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    FusecContext *context = open_cpu();
    FusecModel *model;
    assert_ok(fusec_model_from_artifact(context, artifact, NULL, &model));
    assert_ok(fusec_model_save(model, artifact)); /* and keeps them */
    fusec_model_release(model);
    assert_ok(fusec_model_from_artifact(context, artifact, NULL, &model));
    fusec_model_release(model);
    fusec_context_release(context);
    unlink(artifact);
}

int main(int count, char **arguments) {
    self = arguments[0];
    if (count > 1) return run_artifact(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers_are_read_once),
        cmocka_unit_test(test_texts_import_from_given_folders),
        cmocka_unit_test(test_artifact_has_headers),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
