/* shortage.c: libfusec short of memory: every allocation of a whole life, from a context to a
 * call, fails once. Each time there is a status, nothing is left behind, and the next life is whole
 * again. And many lives in a row need no more memory than a few. Linked with malloc and its
 * relatives wrapped; the C compiler is a script that hands out what it made the first time. */
#define _XOPEN_SOURCE 700
#include "world.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- counting allocations ------------------------------------------------------------------- */

static long asked, fail_at, live; /* one thread */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);
void __wrap_free(void *memory);

static bool fails(void) {
    bool now = ++asked == fail_at;
    if (now) errno = ENOMEM;
    return now;
}

static void *count(void *memory) {
    live += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : count(__real_malloc(size)); }
void *__wrap_calloc(size_t n, size_t size) {
    return fails() ? NULL : count(__real_calloc(n, size));
}
char *__wrap_strdup(const char *text) { return fails() ? NULL : count(__real_strdup(text)); }

void *__wrap_realloc(void *old, size_t size) {
    if (fails()) return NULL;
    void *memory = __real_realloc(old, size);
    live += memory && !old;
    return memory;
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
    if (fails()) return ENOMEM;
    int error = __real_posix_memalign(memory, alignment, size);
    if (!error) count(*memory);
    return error;
}

void __wrap_free(void *memory) {
    live -= memory != NULL;
    __real_free(memory);
}

/* ---- a whole life --------------------------------------------------------------------------- */

static const char text[] = "@constant(w)\n"
                           "fn f[N, D](x: f32[N, D], w: f32[D, 2]) -> (y: f32[N, 2]) {\n"
                           "    y = softmax(x @ w);\n}\n";

static char folder[] = "/tmp/fusec-test-XXXXXX", compiler[64], artifact[64];

static const char script[] = "#!/bin/sh\n"
                             "for word; do [ \"$before\" = -o ] && out=$word; before=$word; done\n"
                             "made=$0.${out##*/}\n"
                             "[ -e \"$made\" ] && exec cp \"$made\" \"$out\"\n"
                             "cc \"$@\" && cp \"$out\" \"$made\"\n";

typedef struct Life {
    FusecContext *context;
    FusecMessages *messages;
    FusecModel *model;
    FusecFunction *function;
    FusecExecutable *executable;
} Life;

static FusecStatus call_all(Life *l) {
    float x[6] = {1, 2, 3, 4, 5, 6}, y[4] = {0};
    int64_t x_shape[2] = {2, 3}, y_shape[2] = {2, 2};
    DLTensor in = tensor(x, f32, 2, x_shape), out = tensor(y, f32, 2, y_shape);
    void *pointers[3] = {x, NULL, y};
    FusecStatus status =
        fusec_call(l->function, (const DLTensor *const[]){&in, NULL, &out}, 3, NULL);
    if (!status) status = fusec_execute(l->executable, pointers, 3, NULL);
    if (!status) assert_float_equal(y[0] + y[1], 1, 1e-6);
    return status;
}

/* Saves the model, and loads and runs what that gave. */
static FusecStatus live_again(Life *l, const DLTensor *weights) {
    fusec_function_release(l->function);
    fusec_executable_release(l->executable);
    l->function = NULL;
    l->executable = NULL;
    unlink(artifact); /* the path of an older one would be malloc's of libc */
    FusecStatus status = fusec_model_save(l->model, artifact);
    fusec_model_release(l->model);
    l->model = NULL;
    if (!status) status = fusec_model_from_artifact(l->context, artifact, NULL, &l->model);
    if (!status) status = fusec_function_create(l->model, "f", NULL, &l->function);
    if (!status) status = fusec_function_bind(l->function, "w", weights);
    if (!status) status = fusec_prepare(l->function, (const int64_t[]){2, 3}, NULL, &l->executable);
    return status ? status : call_all(l);
}

static FusecStatus live_on(Life *l) {
    static float w[6] = {1, 0, 0, 1, 1, 1};
    int64_t w_shape[2] = {3, 2};
    const char *source;
    DLTensor weights = tensor(w, f32, 2, w_shape);
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    o.threads = 1;
    o.compiler = compiler;
    FusecStatus status = fusec_context_create(&o, &l->context);
    if (!status)
        status = fusec_model_from_text(l->context, "f.fx", text, sizeof text - 1, NULL,
                                       &l->messages, &l->model);
    if (!status) status = fusec_function_create(l->model, "f", NULL, &l->function);
    if (!status) status = fusec_function_text(l->function, FUSEC_TEXT_PLAN_JSON, &source);
    if (!status) status = fusec_function_bind(l->function, "w", &weights);
    if (!status) status = fusec_prepare(l->function, (const int64_t[]){2, 3}, NULL, &l->executable);
    if (!status) status = call_all(l);
    return status ? status : live_again(l, &weights);
}

static FusecStatus live_once(void) {
    Life l = {0};
    FusecStatus status = live_on(&l);
    fusec_executable_release(l.executable);
    fusec_function_release(l.function);
    fusec_model_release(l.model);
    fusec_messages_release(l.messages);
    fusec_context_release(l.context);
    return status;
}

/* What a failure that is survived changes is speed alone: jansson and the C library may go on. */
static void test_every_allocation_fails_once(void **state) {
    (void)state;
    assert_ok(live_once());
    asked = 0;
    assert_ok(live_once());
    const long all = asked, before = live;
    assert_true(all > 20);
    for (long at = 1; at <= all; at++) {
        asked = 0;
        fail_at = at;
        FusecStatus status = live_once();
        fail_at = 0;
        if (status && status != FUSEC_NO_MEMORY)
            fail_msg("allocation %ld of %ld: %s: %s", at, all, fusec_status_name(status),
                     fusec_last_error()->text);
        if (live != before) fail_msg("allocation %ld of %ld: %ld are left", at, all, live - before);
    }
    assert_ok(live_once());
}

static long resident_pages(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long size = 0, resident = 0;
    if (file && fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident;
}

static void test_lives_leave_nothing(void **state) {
    enum { LIVES = 1000, PREPARED = 20 };
    (void)state;
    for (int i = 0; i < PREPARED; i++) assert_ok(live_once());
    const long before = live, pages = resident_pages();
    for (int i = 0; i < LIVES; i++) {
        Life l = {0};
        assert_ok(fusec_context_create(NULL, &l.context));
        assert_ok(
            fusec_model_from_text(l.context, "f.fx", text, sizeof text - 1, NULL, NULL, &l.model));
        if (i % 10 == 0) assert_ok(fusec_function_create(l.model, "f", NULL, &l.function));
        fusec_function_release(l.function);
        fusec_model_release(l.model);
        fusec_context_release(l.context);
    }
    for (int i = 0; i < PREPARED; i++) assert_ok(live_once());
    assert_int_equal(live, before);
#ifdef __SANITIZE_ADDRESS__ /* which keeps what is freed */
    (void)pages;
#else
    assert_true(resident_pages() - pages < 512); /* 2 MiB */
#endif
}

/* ---- the C compiler ------------------------------------------------------------------------- */

static int open_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(compiler, sizeof compiler, "%s/cc", folder);
    snprintf(artifact, sizeof artifact, "%s/f.fusec", folder);
    FILE *file = fopen(compiler, "w");
    if (!file || fputs(script, file) < 0 || fclose(file)) return -1;
    return chmod(compiler, 0755);
}

static int close_folder(void **state) {
    enum { PARTS_MOST = 8 };
    char made[96];
    (void)state;
    for (int i = 0; i < PARTS_MOST; i++) {
        snprintf(made, sizeof made, "%s.part%d.o", compiler, i);
        unlink(made);
    }
    snprintf(made, sizeof made, "%s.fusec.so", compiler);
    unlink(made);
    unlink(compiler);
    unlink(artifact);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation_fails_once),
        cmocka_unit_test(test_lives_leave_nothing),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
