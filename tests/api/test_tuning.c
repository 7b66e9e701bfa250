/* test_tuning.c: tiles of prepared functions: default ones, from a file, from the cache, measured.
 * The command is next to the library, as in an installation, or FUSEC_COMMAND says where. */
#include "fusec.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

static const char model[] =
    "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) { y = softmax(x, axis = -1); }";

typedef struct World {
    char folder[64], said[4096];
    FusecContext *context;
    FusecModel *model;
    FusecFunction *function;
} World;

static void hear(void *user, const FusecMessage *message) {
    World *w = user;
    const size_t used = strlen(w->said);
    snprintf(w->said + used, sizeof w->said - used, "%s\n", message->text);
}

static void begin_with(World *w, const char *command) {
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    *w = (World){.folder = "/tmp/fusec-test-tuning-XXXXXX"};
    assert_non_null(mkdtemp(w->folder));
    o.device = FUSEC_DEVICE_CPU;
    o.threads = 1;
    o.cache = w->folder;
    o.command = command;
    o.log = hear;
    o.log_user = w;
    assert_int_equal(fusec_context_create(&o, &w->context), FUSEC_OK);
    assert_int_equal(
        fusec_model_from_text(w->context, "rows.fx", model, strlen(model), NULL, NULL, &w->model),
        FUSEC_OK);
    FusecFunctionOptions of = FUSEC_OPTIONS(FusecFunctionOptions);
    of.policy = FUSEC_EXACT;
    assert_int_equal(fusec_function_create(w->model, "f", &of, &w->function), FUSEC_OK);
}

static void begin(World *w) { begin_with(w, FUSEC_COMMAND); }

static void end(World *w) {
    char command[128];
    fusec_function_release(w->function);
    fusec_model_release(w->model);
    fusec_context_release(w->context);
    snprintf(command, sizeof command, "rm -rf %s", w->folder);
    assert_int_equal(system(command), 0);
}

static FusecStatus prepare(World *w, int64_t n, FusecTuning tuning, const char *lock) {
    FusecPrepareOptions o = FUSEC_OPTIONS(FusecPrepareOptions);
    const int64_t dims[] = {n, 256};
    o.tuning = tuning;
    o.tuning_budget = 60; /* it ends earlier: a busy machine must not decide what is found */
    o.tune_lock = lock;
    w->said[0] = '\0';
    return fusec_prepare(w->function, dims, &o, NULL);
}

/* The default is told once, with the command that would choose; measured, it is in the cache. */
static void from_the_cache(void **state) {
    (void)state;
    World w;
    begin(&w);
    assert_int_equal(prepare(&w, 64, FUSEC_TUNING_NEVER, NULL), FUSEC_OK);
    assert_string_equal(w.said, "");
    assert_int_equal(prepare(&w, 65, FUSEC_TUNING_CACHED, NULL), FUSEC_OK);
    assert_non_null(strstr(w.said, "f has default tiles: none were chosen for kernel f_0 on "));
    assert_non_null(strstr(w.said, "fusec tune rows.fx --fn=f -O2 --device=cpu --threads=1 "
                                   "-DN=65 -DD=256"));
    assert_int_equal(prepare(&w, 65, FUSEC_TUNING_CACHED, NULL), FUSEC_OK);
    assert_string_equal(w.said, "");
    assert_int_equal(prepare(&w, 66, FUSEC_TUNING_AUTO, NULL), FUSEC_OK);
    assert_string_equal(w.said, "");
    fusec_function_release(w.function);
    FusecFunctionOptions of = FUSEC_OPTIONS(FusecFunctionOptions);
    of.policy = FUSEC_EXACT;
    assert_int_equal(fusec_function_create(w.model, "f", &of, &w.function), FUSEC_OK);
    assert_int_equal(prepare(&w, 66, FUSEC_TUNING_CACHED, NULL), FUSEC_OK);
    assert_string_equal(w.said, "");
    end(&w);
}

static void write_lock(const World *w, char path[static 128], const char *tile) {
    snprintf(path, 128, "%s/f.lock", w->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "fusec-tune-lock 1\nfunction f\ntarget c\nnumeric ieee\ntile f_0 %s\n", tile);
    fclose(file);
}

static void from_a_file(void **state) {
    (void)state;
    World w;
    char path[128];
    begin(&w);
    write_lock(&w, path, "keep=nothing");
    assert_int_equal(prepare(&w, 64, FUSEC_TUNING_NEVER, path), FUSEC_OK);
    write_lock(&w, path, "unroll=3");
    assert_int_equal(prepare(&w, 65, FUSEC_TUNING_NEVER, path), FUSEC_WRONG_MODEL);
    assert_non_null(strstr(fusec_last_error()->text, "cannot have the tile unroll=3"));
    assert_int_equal(prepare(&w, 66, FUSEC_TUNING_NEVER, "/nowhere"), FUSEC_REFUSED);
    end(&w);
}

/* Variants that calls make have the tuning of the last preparation. */
static void by_calls(void **state) {
    (void)state;
    World w;
    static float x[68 * 256], y[68 * 256];
    int64_t shape[] = {68, 256};
    const DLTensor in = {x, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0},
                   out = {y, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};
    FusecCallOptions o = FUSEC_OPTIONS(FusecCallOptions);
    o.flags = FUSEC_CALL_MAY_PREPARE;
    begin(&w);
    assert_int_equal(prepare(&w, 67, FUSEC_TUNING_CACHED, NULL), FUSEC_OK);
    w.said[0] = '\0';
    assert_int_equal(fusec_call(w.function, (const DLTensor *const[]){&in, &out}, 2, &o), FUSEC_OK);
    assert_non_null(strstr(w.said, "-DN=68 -DD=256"));
    end(&w);
}

static int cancel_once(void *user, const char *step, double done) {
    int *calls = user;
    (void)step, (void)done;
    return ++*calls == 3;
}

/* The callback says so once, and is not called again. */
static void cancelled(void **state) {
    (void)state;
    World w;
    int calls = 0;
    FusecPrepareOptions o = FUSEC_OPTIONS(FusecPrepareOptions);
    o.tuning = FUSEC_TUNING_AUTO;
    o.tuning_budget = 60;
    o.progress = cancel_once;
    o.progress_user = &calls;
    begin(&w);
    assert_int_equal(fusec_prepare(w.function, (const int64_t[]){69, 256}, &o, NULL),
                     FUSEC_CANCELLED);
    assert_int_equal(calls, 3);
    end(&w);
}

/* Nothing is measured for code of any sizes. */
static void of_open_dims(void **state) {
    (void)state;
    World w;
    FusecFunctionOptions general = FUSEC_OPTIONS(FusecFunctionOptions);
    begin(&w);
    fusec_function_release(w.function);
    general.policy = FUSEC_GENERAL;
    assert_int_equal(fusec_function_create(w.model, "f", &general, &w.function), FUSEC_OK);
    assert_int_equal(prepare(&w, 64, FUSEC_TUNING_AUTO, NULL), FUSEC_OK);
    assert_string_equal(w.said,
                        "f has default tiles in code of any N, D: tiles are chosen for known "
                        "sizes only\n");
    end(&w);
}

/* The default is used, and the log says why. */
static void without_the_command(void **state) {
    (void)state;
    World w;
    begin_with(&w, "/nowhere/fusec");
    assert_int_equal(prepare(&w, 64, FUSEC_TUNING_AUTO, NULL), FUSEC_OK);
    assert_non_null(strstr(w.said, "/nowhere/fusec cannot be run: No such file or directory"));
    end(&w);
}

/* The disk is full: the compiler has no text, either. */
static void without_room(void **state) {
    (void)state;
    World w;
    struct rlimit usual, none;
    begin(&w);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    none = (struct rlimit){0, usual.rlim_max};
    void (*const before)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    const FusecStatus status = prepare(&w, 64, FUSEC_TUNING_AUTO, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    signal(SIGXFSZ, before);
    assert_int_equal(status, FUSEC_REFUSED);
    assert_non_null(strstr(w.said, "f has default tiles, tuning failed: write "));
    end(&w);
}

/* The text that was loaded is what is measured. */
static void of_a_file_that_is_gone(void **state) {
    (void)state;
    World w;
    char path[128];
    begin(&w);
    snprintf(path, sizeof path, "%s/rows.fx", w.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(model, file);
    fclose(file);
    fusec_function_release(w.function);
    fusec_model_release(w.model);
    assert_int_equal(fusec_model_from_file(w.context, path, NULL, NULL, &w.model), FUSEC_OK);
    assert_int_equal(fusec_function_create(w.model, "f", NULL, &w.function), FUSEC_OK);
    assert_int_equal(remove(path), 0);
    assert_int_equal(prepare(&w, 64, FUSEC_TUNING_AUTO, NULL), FUSEC_OK);
    assert_string_equal(w.said, "");
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(from_the_cache),
                                       cmocka_unit_test(from_a_file),
                                       cmocka_unit_test(of_a_file_that_is_gone),
                                       cmocka_unit_test(by_calls),
                                       cmocka_unit_test(cancelled),
                                       cmocka_unit_test(of_open_dims),
                                       cmocka_unit_test(without_the_command),
                                       cmocka_unit_test(without_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
