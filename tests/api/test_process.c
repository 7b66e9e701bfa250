/* test_process.c: what an application sets for its whole process: its locale, what it does with
 * SIGCHLD, that it blocks signals, that it forks. Models compile and compute as without. */
#define _XOPEN_SOURCE 700
#include "world.h"

#include <errno.h>
#include <ftw.h>
#include <locale.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] = "fn f[N](x: f32[N]) -> (y: f32[N]) { y = softmax(x * 1.5) + 0.25; }\n";

static int stay(void *user, const char *step, double done) {
    (void)user, (void)step, (void)done;
    return 0;
}

/* A whole life; with a progress callback, which asks for the compiler's end in another way. */
static void compile_and_call(bool is_watched) {
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecPrepareOptions prepare = FUSEC_OPTIONS(FusecPrepareOptions);
    FusecKernel kernel = FUSEC_OPTIONS(FusecKernel);
    FusecContext *context;
    FusecExecutable *executable;
    const char *source;
    float x[4] = {1, 1, 1, 1}, y[4] = {0};
    o.device = FUSEC_DEVICE_CPU;
    o.threads = 1;
    o.cache = "off"; /* the compiler has to run */
    prepare.progress = is_watched ? stay : NULL;
    assert_ok(fusec_context_create(&o, &context));
    FusecFunction *f = load(context, text, NULL);
    assert_ok(fusec_prepare(f, (const int64_t[]){4}, &prepare, &executable));
    assert_ok(fusec_execute(executable, (void *[]){x, y}, 2, NULL));
    assert_float_equal(y[0], 0.5, 1e-6);
    assert_ok(fusec_function_text(f, FUSEC_TEXT_SOURCE, &source));
    assert_non_null(strstr(source, "1.5f"));
    assert_ok(fusec_executable_kernel(executable, 0, &kernel));
    assert_int_equal(kernel.bytes, 32);
    fusec_executable_release(executable);
    fusec_function_release(f);
    fusec_context_release(context);
}

/* ---- the locale ----------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *of, int kind, struct FTW *walk) {
    (void)of, (void)kind, (void)walk;
    return remove(path);
}

/* One that writes 1.5 as 1,5; it is made where the machine has none. */
static bool set_comma_locale(const char *folder) {
    char command[256];
    if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8")) return true;
    setenv("LOCPATH", folder, 1);
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1",
             folder, folder);
    return !system(command) && setlocale(LC_ALL, "de_DE.UTF-8");
}

/* What a context leaves in the cache, which other processes read in the C locale. */
static void use_cache(const char *folder) {
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    char path[64], line[256] = "";
    o.device = FUSEC_DEVICE_CPU;
    o.cache = folder;
    assert_ok(fusec_context_create(&o, &context));
    FusecFunction *f = load(context, text, NULL);
    assert_ok(fusec_prepare(f, (const int64_t[]){4}, NULL, NULL));
    fusec_function_release(f);
    fusec_context_release(context);
    snprintf(path, sizeof path, "%s/statistics", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_non_null(strstr(line, "misses=1"));
    assert_non_null(strstr(line, "saved=0.000"));
}

static void test_decimal_comma(void **state) {
    char folder[] = "/tmp/fusec-locale-XXXXXX", number[8];
    (void)state;
    assert_non_null(mkdtemp(folder));
    const bool is_set = set_comma_locale(folder);
    if (is_set) compile_and_call(false);
    if (is_set) use_cache(folder);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    if (!is_set) skip();
    snprintf(number, sizeof number, "%.1f", 1.5);
    assert_string_equal(number, "1,5"); /* still the application's */
    setlocale(LC_ALL, "C");
}

/* ---- SIGCHLD -------------------------------------------------------------------------------- */

static void reap(int signal) {
    const int before = errno;
    (void)signal;
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
    errno = before;
}

static void test_ignored_children(void **state) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    (void)state;
    assert_int_equal(sigaction(SIGCHLD, &ignore, &before), 0);
    compile_and_call(false);
    compile_and_call(true);
    sigaction(SIGCHLD, &before, NULL);
}

static void test_reaped_children(void **state) {
    const struct sigaction reaping = {.sa_handler = reap, .sa_flags = SA_RESTART};
    struct sigaction before;
    (void)state;
    assert_int_equal(sigaction(SIGCHLD, &reaping, &before), 0);
    compile_and_call(false);
    compile_and_call(true);
    sigaction(SIGCHLD, &before, NULL);
}

/* A compiler that fails is told from one that succeeds, also where its status is lost. */
static void test_ignored_failure(void **state) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    struct sigaction before;
    FusecContext *context;
    (void)state;
    o.device = FUSEC_DEVICE_CPU;
    o.cache = "off";
    o.compiler = "false";
    assert_ok(fusec_context_create(&o, &context));
    FusecFunction *f = load(context, text, NULL);
    assert_int_equal(sigaction(SIGCHLD, &ignore, &before), 0);
    assert_int_equal(fusec_prepare(f, (const int64_t[]){4}, NULL, NULL), FUSEC_REFUSED);
    sigaction(SIGCHLD, &before, NULL);
    assert_non_null(strstr(fusec_last_error()->text, "the C compiler failed"));
    fusec_function_release(f);
    fusec_context_release(context);
}

/* ---- signals that are blocked ---------------------------------------------------------------- */

static void write_script(const char *path, const char *script) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(script, file);
    fclose(file);
    assert_int_equal(chmod(path, 0700), 0);
}

/* As in a thread that leaves all signals to others: a compiler can still be ended by one. */
static void test_blocked_signals(void **state) {
    char folder[] = "/tmp/fusec-signals-XXXXXX", path[64];
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    sigset_t all, before;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/cc", folder);
    write_script(path, "#!/bin/sh\nkill -TERM $$\nexec cc \"$@\"\n");
    o.device = FUSEC_DEVICE_CPU;
    o.cache = "off";
    o.compiler = path;
    assert_ok(fusec_context_create(&o, &context));
    FusecFunction *f = load(context, text, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const FusecStatus status = fusec_prepare(f, (const int64_t[]){4}, NULL, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    assert_int_equal(status, FUSEC_REFUSED);
    assert_non_null(strstr(fusec_last_error()->text, "the C compiler failed (killed by signal"));
    fusec_function_release(f);
    fusec_context_release(context);
}

/* ---- fork ----------------------------------------------------------------------------------- */

/* The child has no background threads, and waits for none. */
static int live_in_child(FusecContext *context, FusecFunction *f) {
    FusecPrepareOptions later = FUSEC_OPTIONS(FusecPrepareOptions);
    FusecExecutable *executable;
    float x[8] = {0}, y[8];
    later.background = 1;
    alarm(60);
    if (fusec_prepare(f, (const int64_t[]){8}, &later, &executable) ||
        fusec_execute(executable, (void *[]){x, y}, 2, NULL) || y[0] != 0.375f)
        return 1;
    fusec_executable_release(executable);
    fusec_function_release(f);
    fusec_context_release(context);
    return 0;
}

static void test_fork(void **state) {
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    int status = -1;
    (void)state;
    o.device = FUSEC_DEVICE_CPU;
    o.threads = 1;
    o.background_threads = 2;
    assert_ok(fusec_context_create(&o, &context));
    FusecFunction *f = load(context, text, NULL);
    assert_ok(fusec_prepare(f, (const int64_t[]){4}, NULL, NULL));
    const pid_t child = fork();
    if (!child) _exit(live_in_child(context, f));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    fusec_function_release(f);
    fusec_context_release(context);
}

/* Parent and child each have a connection to the cache, and find each other's code. */
static uint64_t compilations(FusecContext *context, int64_t size) {
    FusecFunctionOptions exact = FUSEC_OPTIONS(FusecFunctionOptions);
    FusecStats stats = FUSEC_OPTIONS(FusecStats);
    exact.policy = FUSEC_EXACT;
    FusecFunction *f = load(context, text, &exact);
    assert_ok(fusec_prepare(f, &size, NULL, NULL));
    assert_ok(fusec_function_stats(f, &stats));
    fusec_function_release(f);
    return stats.compilations;
}

static void test_fork_with_cache(void **state) {
    char folder[] = "/tmp/fusec-fork-XXXXXX";
    FusecContextOptions o = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    int status = -1;
    (void)state;
    assert_non_null(mkdtemp(folder));
    o.device = FUSEC_DEVICE_CPU;
    o.threads = 1;
    o.cache = folder;
    assert_ok(fusec_context_create(&o, &context));
    assert_int_equal(compilations(context, 4), 1);
    const pid_t child = fork();
    if (!child) {
        const bool ok = compilations(context, 4) == 0 && compilations(context, 5) == 1;
        fusec_context_release(context);
        _exit(!ok);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(compilations(context, 5), 0);
    fusec_context_release(context);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decimal_comma),   cmocka_unit_test(test_ignored_children),
        cmocka_unit_test(test_reaped_children), cmocka_unit_test(test_ignored_failure),
        cmocka_unit_test(test_blocked_signals), cmocka_unit_test(test_fork),
        cmocka_unit_test(test_fork_with_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
