/* test_second_start.c: what one context has compiled, the next one finds in the cache: no compiler
 * runs. A cache that cannot be used is told, and stops nothing. */
#define _XOPEN_SOURCE 700
#include "fusec.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char text[] = "fn twice[N](x: f32[N]) -> (y: f32[N]) { y = 2 * x; }";
static char folder[] = "/tmp/fusec-start-XXXXXX";
static char said[512];

static void hear(void *user, const FusecMessage *message) {
    (void)user;
    snprintf(said, sizeof said, "%s", message->text);
}

/* Of a whole life: a context, a model, a call. */
static uint64_t compilations(const char *cache, int64_t size) {
    FusecContextOptions options = {.struct_size = sizeof options, .device = FUSEC_DEVICE_CPU,
                                   .cache = cache, .log = hear};
    FusecContext *context;
    FusecModel *model;
    FusecFunction *function;
    FusecStats stats = {.struct_size = sizeof stats};
    assert_int_equal(fusec_context_create(&options, &context), FUSEC_OK);
    assert_int_equal(
        fusec_model_from_text(context, "twice.fx", text, sizeof text - 1, NULL, NULL, &model),
        FUSEC_OK);
    assert_int_equal(fusec_function_create(model, "twice", NULL, &function), FUSEC_OK);
    assert_int_equal(fusec_prepare(function, &size, NULL, NULL), FUSEC_OK);
    float x[] = {1, 2, 3}, y[3] = {0};
    int64_t shape = size;
    DLTensor in = {.data = x, .ndim = 1, .dtype = {kDLFloat, 32, 1}, .shape = &shape}, out = in;
    in.device.device_type = out.device.device_type = kDLCPU;
    out.data = y;
    const DLTensor *tensors[] = {&in, &out};
    assert_int_equal(fusec_call(function, tensors, 2, NULL), FUSEC_OK);
    assert_true(y[0] == 2 && y[1] == 4);
    assert_int_equal(fusec_function_stats(function, &stats), FUSEC_OK);
    fusec_function_release(function);
    fusec_model_release(model);
    fusec_context_release(context);
    return stats.compilations;
}

static void the_second_context_compiles_nothing(void **state) {
    (void)state;
    *said = '\0';
    assert_int_equal(compilations("cache", 3), 1);
    assert_int_equal(compilations("cache", 3), 0);
    assert_int_equal(compilations("off", 3), 1);
    assert_string_equal(said, "");
}

static void a_cache_that_is_none_is_told(void **state) {
    (void)state;
    fclose(fopen("file", "w"));
    *said = '\0';
    assert_int_equal(compilations("file", 3), 1);
    assert_string_equal(said, "the cache file is not used: Not a directory");
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at) {
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static int enter(void **state) {
    (void)state;
    return !mkdtemp(folder) || chdir(folder);
}

static int leave(void **state) {
    (void)state;
    return chdir("/") || nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_context_compiles_nothing),
        cmocka_unit_test(a_cache_that_is_none_is_told),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
