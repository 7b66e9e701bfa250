/* test_threads.c: ten threads call one function with mixed sizes while another prepares new ones,
 * and one saves the model; the workspaces are the library's own. All results are checked. Calls
 * evict the variants of other threads' calls; constants are bound meanwhile. Meant for a build with
 * ThreadSanitizer, too. */
#include "world.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

/* In more than one kernel, with a workspace between them. */
static const char text[] = "fn f[N, D](x: f32[N, D]) -> (y: f32[N, D]) {\n"
                           "    s = sum(x, axis = [0, 1], keep = true);\n    y = x + s;\n}\n";

enum { THREADS = 10, SAVES = 20, CALLS = 1000, SIZES = 4, MOST = 64, EVICTIONS = 20 };
static const int64_t sizes[SIZES][2] = {{1, 1}, {2, 3}, {8, 8}, {4, 16}};

typedef struct World {
    FusecContext *context;
    FusecModel *model;
    FusecFunction *function;
    atomic_int wrong;
} World;

static bool is_right(const float *x, const float *y, int64_t count) {
    float sum = 0;
    for (int64_t i = 0; i < count; i++) sum += x[i];
    for (int64_t i = 0; i < count; i++)
        if (y[i] != x[i] + sum) return false;
    return true;
}

static void *call_often(void *of) {
    World *w = of;
    float x[MOST], y[MOST];
    for (int i = 0; i < MOST; i++) x[i] = (float)(i % 7);
    for (int i = 0; i < CALLS; i++) {
        int64_t shape[2] = {sizes[i % SIZES][0], sizes[i % SIZES][1]};
        DLTensor in = tensor(x, f32, 2, shape), out = tensor(y, f32, 2, shape);
        memset(y, 0, sizeof y);
        if (fusec_call(w->function, (const DLTensor *const[]){&in, &out}, 2, NULL) ||
            !is_right(x, y, shape[0] * shape[1]))
            atomic_fetch_add(&w->wrong, 1);
    }
    return NULL;
}

/* The variants of before go on to serve. */
static void *prepare_on(void *of) {
    World *w = of;
    for (int64_t n = 0; n < 6; n++) {
        FusecStats stats = FUSEC_OPTIONS(FusecStats);
        const char *plan;
        if (fusec_prepare(w->function, (const int64_t[]){3 + n, 5 + n % 2}, NULL, NULL) ||
            fusec_function_text(w->function, FUSEC_TEXT_EXPLAIN, &plan) ||
            fusec_function_stats(w->function, &stats))
            atomic_fetch_add(&w->wrong, 1);
    }
    return NULL;
}

/* Each time with the code that there is by then; the last is whole. */
static void *save_on(void *of) {
    World *w = of;
    FusecModel *model = NULL;
    char path[] = "/tmp/fusec-threads-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || close(fd)) atomic_fetch_add(&w->wrong, 1);
    for (int i = 0; i < SAVES; i++)
        if (fusec_model_save(w->model, path)) atomic_fetch_add(&w->wrong, 1);
    if (fusec_model_from_artifact(w->context, path, NULL, &model)) atomic_fetch_add(&w->wrong, 1);
    fusec_model_release(model);
    unlink(path);
    return NULL;
}

static void test_calls_while_preparing(void **state) {
    FusecContextOptions own = FUSEC_OPTIONS(FusecContextOptions);
    FusecModelOptions options = FUSEC_OPTIONS(FusecModelOptions);
    World w = {0};
    pthread_t thread[THREADS + 2];
    (void)state;
    own.threads = own.background_threads = 1;
    options.optimise = FUSEC_O0;
    assert_ok(fusec_context_create(&own, &w.context));
    assert_ok(
        fusec_model_from_text(w.context, "test.fx", text, strlen(text), &options, NULL, &w.model));
    assert_ok(fusec_function_create(w.model, NULL, NULL, &w.function));
    for (int i = 0; i < SIZES; i++) assert_ok(fusec_prepare(w.function, sizes[i], NULL, NULL));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, call_often, &w), 0);
    assert_int_equal(pthread_create(&thread[THREADS], NULL, prepare_on, &w), 0);
    assert_int_equal(pthread_create(&thread[THREADS + 1], NULL, save_on, &w), 0);
    for (int i = 0; i < THREADS + 2; i++) pthread_join(thread[i], NULL);
    assert_int_equal(atomic_load(&w.wrong), 0);
    FusecStats stats = FUSEC_OPTIONS(FusecStats);
    assert_ok(fusec_function_stats(w.function, &stats));
    assert_true(stats.hits == THREADS * CALLS && stats.misses == 0);
    fusec_function_release(w.function);
    fusec_model_release(w.model);
    fusec_context_release(w.context);
}

/* ---- calls that prepare, and evict each other's variants --------------------------------------
 */

static void *prepare_by_calls(void *of) {
    World *w = of;
    float x[SIZES] = {1, 2, 3, 4}, y[SIZES];
    FusecCallOptions o = FUSEC_OPTIONS(FusecCallOptions);
    o.flags = FUSEC_CALL_MAY_PREPARE;
    for (int i = 0; i < EVICTIONS; i++) {
        int64_t shape[1] = {1 + i % SIZES};
        DLTensor in = tensor(x, f32, 1, shape), out = tensor(y, f32, 1, shape);
        if (fusec_call(w->function, (const DLTensor *const[]){&in, &out}, 2, &o))
            atomic_fetch_add(&w->wrong, 1);
    }
    return NULL;
}

static void test_evicting_calls(void **state) {
    FusecFunctionOptions exact = FUSEC_OPTIONS(FusecFunctionOptions);
    World w = {.context = open_cpu()};
    pthread_t thread[4];
    (void)state;
    exact.policy = FUSEC_EXACT;
    exact.exact_most = 1;
    w.function = load(w.context, "fn f[N](x: f32[N]) -> (y: f32[N]) { y = x + x; }\n", &exact);
    for (size_t i = 0; i < COUNT(thread); i++)
        assert_int_equal(pthread_create(&thread[i], NULL, prepare_by_calls, &w), 0);
    for (size_t i = 0; i < COUNT(thread); i++) pthread_join(thread[i], NULL);
    assert_int_equal(atomic_load(&w.wrong), 0);
    fusec_function_release(w.function);
    fusec_context_release(w.context);
}

/* ---- a constant that is bound while other threads call ----------------------------------------
 */

static void *call_until_bound(void *of) {
    World *w = of;
    float x[2] = {1, 2}, y[2] = {0};
    int64_t shape[1] = {2};
    DLTensor in = tensor(x, f32, 1, shape), out = tensor(y, f32, 1, shape);
    FusecCallOptions o = FUSEC_OPTIONS(FusecCallOptions);
    o.flags = FUSEC_CALL_MAY_PREPARE;
    while (fusec_call(w->function, (const DLTensor *const[]){&in, NULL, &out}, 3, &o))
        sched_yield();
    if (y[0] != 4 || y[1] != 6) atomic_fetch_add(&w->wrong, 1);
    return NULL;
}

static void test_bind_while_calling(void **state) {
    World w = {.context = open_cpu()};
    pthread_t thread[4];
    float c[2] = {3, 4};
    int64_t shape[1] = {2};
    const DLTensor constant = tensor(c, f32, 1, shape);
    (void)state;
    for (int repeat = 0; repeat < 10; repeat++) {
        w.function = load(w.context,
                          "@constant(c) fn f[N](x: f32[N], c: f32[N]) -> (y: f32[N]) {\n"
                          "    y = x + c;\n}\n",
                          NULL);
        for (size_t i = 0; i < COUNT(thread); i++)
            assert_int_equal(pthread_create(&thread[i], NULL, call_until_bound, &w), 0);
        assert_ok(fusec_function_bind(w.function, "c", &constant));
        for (size_t i = 0; i < COUNT(thread); i++) pthread_join(thread[i], NULL);
        fusec_function_release(w.function);
    }
    assert_int_equal(atomic_load(&w.wrong), 0);
    fusec_context_release(w.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls_while_preparing),
                                       cmocka_unit_test(test_evicting_calls),
                                       cmocka_unit_test(test_bind_while_calling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
