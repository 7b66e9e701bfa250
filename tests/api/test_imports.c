/* test_imports.c: models of libfusec that import headers: from a file, from a text with folders, and
 * when a header is gone by the time that its functions are compiled again. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers_are_read_once),
        cmocka_unit_test(test_texts_import_from_given_folders),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
