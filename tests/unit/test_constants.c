/* test_constants.c: the functions of an emitted C file with constant inputs, called as an
 * application calls them: what is prepared, and what is refused. */
#define _XOPEN_SOURCE 700
#include "pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

/* Each kind of what is prepared: panels of w, a copy of b, a value of s. */
static const char model[] =
    "@constant(w, b, s)\n"
    "fn f[N, D](x: f32[N, D], w: f32[D, D], b: f32[D], s: f32[D]) -> (y: f32[N, D]) {\n"
    "    assert D % 2 == 0;\n"
    "    y = (x * (s / sum(s))) @ w + b;\n"
    "}\n";

typedef int64_t PreparedSize(int64_t d);
typedef int Prepare(const float *w, const float *b, const float *s, int64_t d, void *prepared);
typedef int64_t Workspace(int64_t n, int64_t d);
typedef int Call_f(const float *x, float *y, int64_t n, int64_t d, const void *prepared,
                   void *workspace);

typedef struct Functions {
    CpuModule *module;
    PreparedSize *prepared_size;
    Prepare *prepare;
    Workspace *workspace;
    Call_f *f;
} Functions;

static void find(CpuModule *module, const char *name, void *function) {
    void *address = cpu_symbol(module, name);
    assert_non_null(address);
    memcpy(function, &address, sizeof address);
}

static Functions load(const char *text) {
    CompileOptions options = compile_options_default();
    options.target = &target_c;
    options.emit.bare = true;
    uint32_t file = diag_source(diag, "f.fx", text, strlen(text));
    Compilation *c = compile(arena, diag, file, &options);
    assert_int_equal(diag_status(diag), STATUS_OK);
    Functions all = {.module = cpu_compile(diag, text_get(&c->source), NULL, NULL)};
    assert_non_null(all.module);
    find(all.module, "f_prepared_size", &all.prepared_size);
    find(all.module, "f_prepare", &all.prepare);
    find(all.module, "f_workspace", &all.workspace);
    find(all.module, "f", &all.f);
    return all;
}

enum { N = 5, D = 34 };

static void *aligned(int64_t bytes) {
    void *at = NULL;
    assert_int_equal(posix_memalign(&at, 64, (size_t)bytes + 64), 0);
    memset(at, 0, (size_t)bytes + 64);
    return at;
}

/* Row r, column j of f. */
static double expected(const float *x, const float *w, const float *b, const float *s, int r,
                       int j) {
    double total = 0, sum = b[j];
    for (int k = 0; k < D; k++) total += s[k];
    for (int k = 0; k < D; k++) sum += (double)x[r * D + k] * s[k] / total * w[k * D + j];
    return sum;
}

static void what_is_prepared_is_all_that_calls_read(void **state) {
    (void)state;
    Functions all = load(model);
    static float x[N * D], w[D * D], b[D], s[D], y[N * D], old_w[D * D], old_b[D], old_s[D];
    for (int i = 0; i < N * D; i++) x[i] = (float)(i % 11) - 5;
    for (int i = 0; i < D * D; i++) w[i] = old_w[i] = (float)(i % 7) - 3;
    for (int i = 0; i < D; i++) b[i] = old_b[i] = (float)i, s[i] = old_s[i] = (float)(1 + i % 3);
    int64_t size = all.prepared_size(D);
    char *prepared = aligned(size), *kept = aligned(size),
         *workspace = aligned(all.workspace(N, D));
    assert_int_equal(all.prepare(w, b, s, D, prepared), 0);
    memset(w, 0xff, sizeof w);
    memset(b, 0xff, sizeof b);
    memset(s, 0xff, sizeof s);
    memcpy(kept, prepared, (size_t)size);
    for (int n = 1; n <= N; n++) {
        assert_int_equal(all.f(x, y, n, D, prepared, workspace), 0);
        for (int i = 0; i < n * D; i++)
            assert_true(fabs(y[i] - expected(x, old_w, old_b, old_s, i / D, i % D)) < 1e-3);
    }
    assert_memory_equal(kept, prepared, (size_t)size);
    cpu_free(all.module);
    free(prepared);
    free(kept);
    free(workspace);
}

static void what_was_made_for_other_sizes_is_refused(void **state) {
    (void)state;
    Functions all = load(model);
    static float x[N * D], w[D * D], b[D], s[D], y[N * D];
    char *prepared = aligned(all.prepared_size(D)), *workspace = aligned(all.workspace(N, D));
    assert_int_equal(all.f(x, y, N, D, NULL, workspace), 2);
    assert_int_equal(all.f(x, y, N, D, prepared, workspace), 2);
    assert_int_equal(all.prepare(w, b, s, D - 1, prepared), 1);
    assert_int_equal(all.prepare(w, b, s, 0, prepared), 1);
    assert_int_equal(all.f(x, y, N, D, prepared, workspace), 2);
    assert_int_equal(all.prepare(w, b, s, D, prepared), 0);
    assert_int_equal(all.f(x, y, N, D - 2, prepared, workspace), 2);
    assert_int_equal(all.f(x, y, N, D - 1, prepared, workspace), 1);
    assert_int_equal(all.f(x, y, 0, D, prepared, workspace), 1);
    assert_int_equal(all.f(x, y, N, D, prepared, workspace), 0);
    cpu_free(all.module);
    free(prepared);
    free(workspace);
}

static void another_function_refuses_it(void **state) {
    (void)state;
    Functions all = load(model), other = load("@constant(w, b, s)\n"
                                              "fn f[N, D](x: f32[N, D], w: f32[D, D], b: f32[D],"
                                              "           s: f32[D]) -> (y: f32[N, D]) {\n"
                                              "    y = (x + s) @ w.T + b;\n"
                                              "}\n");
    static float x[N * D], w[D * D], b[D], s[D], y[N * D];
    int64_t size = all.prepared_size(D) + other.prepared_size(D);
    char *prepared = aligned(size), *workspace = aligned(all.workspace(N, D));
    assert_int_equal(all.prepare(w, b, s, D, prepared), 0);
    assert_int_equal(other.f(x, y, N, D, prepared, workspace), 2);
    cpu_free(all.module);
    cpu_free(other.module);
    free(prepared);
    free(workspace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_is_prepared_is_all_that_calls_read),
        TEST(what_was_made_for_other_sizes_is_refused),
        TEST(another_function_refuses_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
