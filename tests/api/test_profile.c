/* test_profile.c: what can be measured of an executable: its kernels, their times and those of its
 * passes; and how its code is compiled: for which processor, and what is kept of it. */
#define _XOPEN_SOURCE 700
#include "world.h"

#include <sys/stat.h>
#include <unistd.h>

static const char two[] = "fn two[N, D](x: f32[N, D]) -> (y: f32[N], z: f32[N, D]) {\n"
                          "    y = sum(x);\n    z = exp(x) * 2;\n}\n";

typedef struct Two {
    FusecContext *context;
    FusecFunction *f;
    FusecExecutable *executable;
    float x[12], y[3], z[12];
    void *pointers[3];
} Two;

static void two_make(Two *t, FusecContext *context, const FusecPrepareOptions *options) {
    *t = (Two){.context = context};
    t->f = load_unfused(context, two);
    assert_ok(fusec_prepare(t->f, (const int64_t[]){3, 4}, options, &t->executable));
    for (int i = 0; i < 12; i++) t->x[i] = (float)i;
    t->pointers[0] = t->x, t->pointers[1] = t->y, t->pointers[2] = t->z;
}

static void two_free(Two *t) {
    fusec_executable_release(t->executable);
    fusec_function_release(t->f);
    fusec_context_release(t->context);
}

static void test_kernels(void **state) {
    FusecKernel k = FUSEC_OPTIONS(FusecKernel);
    Two t;
    (void)state;
    two_make(&t, open_cpu(), NULL);
    assert_int_equal(fusec_executable_kernel_count(t.executable), 3);
    assert_ok(fusec_executable_kernel(t.executable, 0, &k));
    assert_string_equal(k.name, "two_0");
    assert_string_equal(k.place, "test.fx:2:9");
    assert_int_equal(k.bytes, 4 * (12 + 3));
    assert_int_equal(k.operations, 12);
    assert_null(k.product);
    assert_int_equal(fusec_executable_kernel(t.executable, 3, &k), FUSEC_WRONG_ARGUMENT);
    two_free(&t);
}

static void test_passes(void **state) {
    FusecPass first = FUSEC_OPTIONS(FusecPass), last = FUSEC_OPTIONS(FusecPass);
    Two t;
    (void)state;
    two_make(&t, open_cpu(), NULL);
    size_t count = fusec_executable_pass_count(t.executable);
    assert_ok(fusec_executable_pass(t.executable, 0, &first));
    assert_ok(fusec_executable_pass(t.executable, count - 1, &last));
    assert_string_equal(first.name, "parse");
    assert_string_equal(last.name, "compiler");
    assert_true(first.seconds > 0 && last.seconds > first.seconds);
    assert_int_equal(fusec_executable_pass(t.executable, count, &last), FUSEC_WRONG_ARGUMENT);
    two_free(&t);
}

static void test_times(void **state) {
    double seconds[3] = {-1, -1, -1};
    FusecCallOptions o = FUSEC_OPTIONS(FusecCallOptions);
    Two t;
    (void)state;
    two_make(&t, open_cpu(), NULL);
    assert_ok(fusec_profile(t.executable, t.pointers, 3, NULL, seconds, 3));
    for (int i = 0; i < 3; i++) assert_true(seconds[i] >= 0 && seconds[i] < 10);
    assert_float_equal(t.y[2], 8 + 9 + 10 + 11, 0);
    assert_float_equal(t.z[0], 2, 0);
    memset(t.z, 0, sizeof t.z);
    seconds[0] = -1;
    assert_ok(fusec_profile(t.executable, t.pointers, 3, NULL, seconds, 0));
    assert_true(seconds[0] >= 0);
    assert_float_equal(t.z[0], 2, 0);
    assert_int_equal(fusec_profile(t.executable, t.pointers, 3, NULL, seconds, 2),
                     FUSEC_WRONG_ARGUMENT);
    assert_string_equal(fusec_last_error()->argument, "kernels");
    assert_int_equal(fusec_profile(t.executable, t.pointers, 2, NULL, seconds, 3),
                     FUSEC_WRONG_ARGUMENT);
    _Alignas(256) char workspace[256];
    o.workspace = workspace;
    o.workspace_bytes = 1;
    assert_int_equal(fusec_profile(t.executable, t.pointers, 3, &o, seconds, 3),
                     FUSEC_WRONG_ARGUMENT);
    assert_string_equal(fusec_last_error()->argument, "options.workspace");
    o.workspace_bytes = sizeof workspace;
    assert_ok(fusec_profile(t.executable, t.pointers, 3, &o, seconds, 3));
    two_free(&t);
}

static bool take_file(const char *folder, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return !unlink(path);
}

static void test_keep(void **state) {
    char folder[] = "/tmp/fusec-test-XXXXXX";
    FusecPrepareOptions o = FUSEC_OPTIONS(FusecPrepareOptions);
    Two t;
    (void)state;
    assert_non_null(mkdtemp(folder));
    o.keep = folder;
    two_make(&t, open_cpu(), &o);
    assert_true(take_file(folder, "fusec.c") && take_file(folder, "fusec.so"));
    take_file(folder, "fusec.log");
    assert_true(!rmdir(folder));
    two_free(&t);
}

static void test_cpu_arch(void **state) {
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    Two t;
    (void)state;
    o.threads = 1;
    o.cpu_arch = "no-such-processor";
    assert_ok(fusec_context_create(&o, &context));
    FusecFunction *f = load_unfused(context, two);
    assert_int_equal(fusec_prepare(f, (const int64_t[]){3, 4}, NULL, NULL), FUSEC_REFUSED);
    assert_non_null(strstr(fusec_last_error()->text, "-march=no-such-processor"));
    fusec_function_release(f);
    fusec_context_release(context);
    o.cpu_arch = "native";
    assert_ok(fusec_context_create(&o, &context));
    two_make(&t, context, NULL);
    assert_ok(fusec_execute(t.executable, t.pointers, 3, NULL));
    assert_float_equal(t.y[0], 6, 0);
    two_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels), cmocka_unit_test(test_passes),
        cmocka_unit_test(test_times),   cmocka_unit_test(test_keep),
        cmocka_unit_test(test_cpu_arch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
