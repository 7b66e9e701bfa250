/* test_program.c: compiled functions behind the calling convention of Program, shared libraries,
 * NVRTC where it is installed. */
#define _XOPEN_SOURCE 700
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

/* y = 2 * x through the workspace, when n is even. */
static const char doubles[] =
    "#include <stdint.h>\n"
    "int64_t fusec_workspace_twice(const int64_t *dims) { return 4 * dims[0]; }\n"
    "int fusec_entry_twice(void *const *tensors, const int64_t *dims, void *workspace) {\n"
    "    const float *x = tensors[0];\n"
    "    float *y = tensors[1], *w = workspace;\n"
    "    if (dims[0] % 2) return 1;\n"
    "    for (int64_t i = 0; i < dims[0]; i++) w[i] = x[i];\n"
    "    for (int64_t i = 0; i < dims[0]; i++) y[i] = 2 * w[i];\n"
    "    return 0;\n"
    "}\n";

static Program twice(void) { return (Program){"twice", doubles, 1, 1, 1, NULL, NULL, NULL}; }

static void a_program_runs(void **state) {
    (void)state;
    Program program = twice();
    const int64_t n = 6;
    assert_true(program_load(diag, &program, NULL, NULL));
    Tensor *x = tensor_new(T_F32, 1, &n), *y = tensor_new(T_F32, 1, &n);
    void *workspace = program_workspace(diag, &program, &n);
    assert_non_null(workspace);
    tensor_random(x, 1);
    tensor_poison(y);
    assert_true(program_run(diag, &program, &x, &y, &n, workspace));
    for (int i = 0; i < n; i++) assert_true(tensor_get(y, i).f == 2 * tensor_get(x, i).f);
    assert_string_equal(said(), "");
    tensor_free(x);
    tensor_free(y);
    free(workspace);
    program_free(&program);
    program_free(&program);
}

static void a_program_refuses_dims(void **state) {
    (void)state;
    Program program = twice();
    const int64_t n = 5;
    assert_true(program_load(diag, &program, NULL, NULL));
    Tensor *x = tensor_new(T_F32, 1, &n), *y = tensor_new(T_F32, 1, &n);
    void *workspace = program_workspace(diag, &program, &n);
    assert_false(program_run(diag, &program, &x, &y, &n, workspace));
    assert_string_equal(said(), "fusec: error: twice: a condition on its dims does not hold\n");
    tensor_free(x);
    tensor_free(y);
    free(workspace);
    program_free(&program);
}

static void a_program_without_its_entry_is_refused(void **state) {
    (void)state;
    Program program = twice();
    program.name = "thrice";
    assert_false(program_load(diag, &program, NULL, NULL));
    assert_null(program.module);
    assert_string_equal(said(),
                        "fusec: error: dlsym fusec_entry_thrice: not in the compiled library\n");
}

static void a_workspace_beyond_memory_is_an_error(void **state) {
    (void)state;
    Program program = twice();
    const int64_t n = -1;
    assert_true(program_load(diag, &program, NULL, NULL));
    assert_null(program_workspace(diag, &program, &n));
    assert_string_equal(said(), "fusec: error: twice: the workspace does not fit into memory\n");
    program_free(&program);
}

static void a_library_is_written(void **state) {
    (void)state;
    size_t size;
    assert_true(cpu_library(diag, doubles, "twice.so", NULL));
    char *bytes = file_read(diag, "twice.so", 1 << 20, &size);
    assert_non_null(bytes);
    assert_true(size > 4 && !memcmp(bytes + 1, "ELF", 3));
    free(bytes);
    assert_int_equal(unlink("twice.so"), 0);
    assert_false(cpu_library(diag, "nonsense", "twice.so", NULL));
    assert_int_equal(access("twice.so", F_OK), -1);
    assert_non_null(strstr(said(), "the C compiler failed"));
}

static void nvrtc_compiles_or_says_why_not(void **state) {
    (void)state;
    static const char kernel[] = "extern \"C\" __global__ void k(float *x) { x[0] = 1; }\n";
    const char *version;
    size_t size = 0;
    bool there = nvrtc_version(arena, &version);
    char *ptx = nvrtc_compile(diag, kernel, "k.cu", "sm_80", NVRTC_PTX, &size);
    if (!there) {
        assert_null(ptx);
        assert_non_null(strstr(said(), "NVRTC is not installed"));
        skip();
    }
    assert_non_null(ptx);
    assert_int_equal(strnlen(ptx, size), size);
    assert_non_null(strstr(ptx, ".target sm_80"));
    free(ptx);
    char *cubin = nvrtc_compile(diag, kernel, "k.cu", "sm_90a", NVRTC_CUBIN, &size);
    assert_non_null(cubin);
    assert_memory_equal(cubin + 1, "ELF", 3);
    free(cubin);
    assert_string_equal(said(), "");
    assert_null(nvrtc_compile(diag, "nonsense", "k.cu", "sm_80", NVRTC_PTX, &size));
    assert_non_null(strstr(said(), "k.cu(1): error"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_program_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(a_program_refuses_dims, setup, teardown),
        cmocka_unit_test_setup_teardown(a_program_without_its_entry_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_workspace_beyond_memory_is_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(a_library_is_written, setup, teardown),
        cmocka_unit_test_setup_teardown(nvrtc_compiles_or_says_why_not, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
