/* test_program.c: compiled functions behind the calling convention of Program, shared libraries,
 * NVRTC where it is installed. */
#define _XOPEN_SOURCE 700
#include "runtime/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

/* y = 2 * x through the workspace, when n is even: a kernel for each half of the work. Prepared is
 * the number 2. */
static const char doubles[] =
    "#include <stdint.h>\n"
    "int64_t fusec_workspace_twice(const int64_t *dims) { return 4 * dims[0]; }\n"
    "int64_t fusec_prepared_size_twice(const int64_t *dims) { return dims[0] ? 4 : -1; }\n"
    "int fusec_prepare_twice(void *const *tensors, const int64_t *dims, void *prepared) {\n"
    "    *(float *)prepared = 2;\n"
    "    return dims[0] % 2;\n"
    "}\n"
    "int fusec_entry_twice(void *const *tensors, const int64_t *dims, const void *prepared,\n"
    "                      void *workspace, int k) {\n"
    "    const float *x = tensors[0], *two = prepared;\n"
    "    float *y = tensors[1], *w = workspace;\n"
    "    if (dims[0] % 2) return 1;\n"
    "    for (int64_t i = 0; k != 1 && i < dims[0]; i++) w[i] = x[i];\n"
    "    for (int64_t i = 0; k != 0 && i < dims[0]; i++) y[i] = *two * w[i];\n"
    "    return 0;\n"
    "}\n";

static const char *const symbols[] = {"N"};
static const ProgramKernel kernels[] = {{.name = "first"}, {.name = "second"}};
static const ProgramGuard guard = {"N < -1", "small", "N < -1"};

static Program twice(void) {
    return (Program){.name = "twice",
                     .model_name = "twice",
                     .source = doubles,
                     .input_count = 1,
                     .output_count = 1,
                     .symbol_count = 1,
                     .symbols = symbols,
                     .kernel_count = 2,
                     .kernels = kernels,
                     .guard_count = 1,
                     .guards = &guard,
                     .prepares = true};
}

enum { N = 6 };

/* Runs the kernels one by one when asked to, else all. */
static void run_twice(Device *d, const Program *program, bool one_by_one, float *y) {
    const int64_t n = N;
    float x[N] = {1, 2, 3, 4, 5, 6};
    double seconds = -1;
    Call *call = program_prepare(diag, d, program, &n);
    assert_non_null(call);
    assert_int_equal(call->workspace_bytes, sizeof x);
    void *at[2] = {d->allocate(d, diag, sizeof x), d->allocate(d, diag, sizeof x)};
    assert_int_equal(call->prepared_bytes, sizeof(float));
    void *workspace = d->allocate(d, diag, (size_t)call->workspace_bytes);
    void *prepared = d->allocate(d, diag, (size_t)call->prepared_bytes);
    assert_true(d->put(d, diag, at[0], x, sizeof x));
    assert_true(d->start(d, diag));
    const Memory memory = {at, prepared, workspace, NULL};
    assert_true(d->prepare_constants(d, diag, call, &memory));
    if (one_by_one) assert_true(d->launch(d, diag, call, &memory, 0));
    assert_true(d->launch(d, diag, call, &memory, one_by_one ? 1 : ALL_KERNELS));
    assert_true(d->stop(d, diag, &seconds));
    assert_true(seconds >= 0);
    assert_true(d->get(d, diag, y, at[1], sizeof x));
    assert_true(d->copy(d, diag, at[1], at[0], sizeof x) && d->wait(d, diag));
    d->release(d, at[0]);
    d->release(d, at[1]);
    d->release(d, workspace);
    d->release(d, prepared);
    for (int i = 0; i < N; i++) assert_true(y[i] == 2 * x[i]);
}

static void a_program_runs(void **state) {
    (void)state;
    Program program = twice();
    Device *d = device_open(diag, DEVICE_CPU);
    assert_true(*d->name && d->cache);
    assert_true(d->load(d, diag, &program, NULL));
    run_twice(d, &program, false, (float[N]){0});
    run_twice(d, &program, true, (float[N]){0});
    assert_string_equal(said(), "");
    d->unload(d, &program);
    d->unload(d, &program);
    device_close(d);
    device_close(NULL);
}

static void a_program_refuses_dims(void **state) {
    (void)state;
    Program program = twice();
    Device *d = device_open(diag, DEVICE_CPU);
    assert_true(d->load(d, diag, &program, NULL));
    Call *call = program_prepare(diag, d, &program, &(int64_t){5});
    float two;
    const Memory nothing = {.tensors = (void *[]){NULL, NULL}, .prepared = &two};
    assert_false(d->prepare_constants(d, diag, call, &nothing));
    assert_false(d->launch(d, diag, call, &nothing, ALL_KERNELS));
    assert_null(program_prepare(diag, d, &program, &(int64_t){-2}));
    assert_null(program_prepare(diag, d, &program, &(int64_t){-1}));
    assert_null(program_prepare(diag, d, &program, &(int64_t){0}));
    assert_string_equal(said(), "fusec: error: twice: a condition on its dims does not hold\n"
                                "fusec: error: twice: a condition on its dims does not hold\n"
                                "fusec: error: twice refuses its dims: N < -1 (small)\n"
                                "fusec: error: twice: the workspace does not fit into memory\n"
                                "fusec: error: twice: what is prepared does not fit into memory\n");
    d->unload(d, &program);
    device_close(d);
}

static void a_program_without_its_entry_is_refused(void **state) {
    (void)state;
    Program program = twice();
    Device *d = device_open(diag, DEVICE_CPU);
    program.name = "thrice";
    assert_false(d->load(d, diag, &program, NULL));
    assert_null(program.loaded);
    assert_string_equal(said(),
                        "fusec: error: dlsym fusec_entry_thrice: not in the compiled library\n");
    device_close(d);
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

static char *compile(const char *source, const char *arch, NvrtcResult result, size_t *size) {
    static const NvrtcPlace place = {0, "first.fx:1:2", "k"};
    const NvrtcInput input = {source, "k.cu", arch, &place, 1, NULL, false};
    return nvrtc_compile(diag, &input, result, size);
}

static void nvrtc_compiles_or_says_why_not(void **state) {
    (void)state;
    static const char kernel[] = "extern \"C\" __global__ void k(float *x) { x[0] = 1; }\n";
    const char *version;
    size_t size = 0;
    bool there = nvrtc_version(arena, &version);
    char *ptx = compile(kernel, "sm_80", NVRTC_PTX, &size);
    if (!there) {
        assert_null(ptx);
        assert_non_null(strstr(said(), "NVRTC is not installed"));
        skip();
    }
    int most;
    assert_true(nvrtc_knows(diag, 80, &most));
    assert_false(nvrtc_knows(diag, 81, &most));
    assert_int_equal(most, 80);
    assert_non_null(ptx);
    assert_int_equal(strnlen(ptx, size), size);
    assert_non_null(strstr(ptx, ".target sm_80"));
    free(ptx);
    char *cubin = compile(kernel, "sm_90a", NVRTC_CUBIN, &size);
    assert_non_null(cubin);
    assert_memory_equal(cubin + 1, "ELF", 3);
    free(cubin);
    assert_string_equal(said(), "");
    assert_null(compile("nonsense", "sm_80", NVRTC_PTX, &size));
    const char *words = said();
    assert_non_null(strstr(words, "(k, k.cu:1)"));
    assert_non_null(strstr(words, "first.fx:1:2: error: "));
}

/* Two kernels of the program, after those of another one: k1 is the longer. */
static const char shared_text[] = "#define ONE 1\n", other_text[] = "broken broken\n",
                  k0_text[] = "extern \"C\" __global__ void k0(float *x) { x[0] = ONE; }\n",
                  k1_text[] =
                      "extern \"C\" __global__ void k1(float *x) {\n    x[0] = ONE + ONE;\n}\n";

static int split(const char *first, const char *second, NvrtcInput *parts) {
    const size_t at = strlen(shared_text) + strlen(other_text);
    NvrtcPlace *places = arena_array(arena, NvrtcPlace, 2);
    places[0] = (NvrtcPlace){at, "first.fx:1:2", "k0"};
    places[1] = (NvrtcPlace){at + strlen(first), "first.fx:2:2", "k1"};
    const char *text = arena_printf(arena, "%s%s%s%s", shared_text, other_text, first, second);
    const NvrtcInput whole = {text, "k.cu", "sm_80", places, 2, NULL, false};
    return cuda_parts_split(arena, &whole, strlen(shared_text), 8, parts);
}

static void kernels_are_split_into_parts(void **state) {
    NvrtcInput parts[NVRTC_PARTS_MOST];
    (void)state;
    assert_int_equal(split(k0_text, k1_text, parts), 2);
    assert_string_equal(parts[0].source, arena_printf(arena, "%s\n\n%s", shared_text, k1_text));
    assert_string_equal(parts[1].source,
                        arena_printf(arena, "%s\n%s\n\n\n", shared_text, k0_text));
    assert_string_equal(parts[0].places[0].part, "k1");
    assert_int_equal(parts[0].places[0].source_at, strlen(shared_text) + 2);
}

static void codes_of_parts_are_one(void **state) {
    char a[100] = "a", b[65] = "b";
    const NvrtcCode codes[2] = {{a, sizeof a}, {b, sizeof b}};
    const void *parts[NVRTC_PARTS_MOST];
    size_t size;
    (void)state;
    char *all = cuda_parts_join(diag, codes, 2, &size);
    assert_non_null(all);
    assert_int_equal(cuda_parts_find(all, size, parts), 2);
    assert_memory_equal(parts[0], a, sizeof a);
    assert_memory_equal(parts[1], b, sizeof b);
    assert_int_equal(cuda_parts_find(all, size - 64, parts), 0);
    all[8] = 9; /* more than there can be */
    assert_int_equal(cuda_parts_find(all, size, parts), 0);
    free(all);
    assert_int_equal(cuda_parts_find(a, sizeof a, parts), 1);
    assert_ptr_equal(parts[0], a);
}

static void nvrtc_compiles_parts(void **state) {
    NvrtcInput parts[NVRTC_PARTS_MOST];
    NvrtcCode codes[NVRTC_PARTS_MOST];
    const char *version;
    (void)state;
    if (!nvrtc_version(arena, &version)) skip();
    split(k0_text, k1_text, parts);
    assert_true(nvrtc_compile_parts(diag, parts, 2, NVRTC_PTX, NULL, codes));
    assert_non_null(strstr(codes[0].bytes, ".entry k1"));
    assert_non_null(strstr(codes[1].bytes, ".entry k0"));
    assert_null(strstr(codes[1].bytes, ".entry k1"));
    free(codes[0].bytes);
    free(codes[1].bytes);
    split(k0_text, "\n\nextern \"C\" __global__ void k1() { nothing; }\n", parts);
    assert_false(nvrtc_compile_parts(diag, parts, 2, NVRTC_PTX, NULL, codes));
    assert_true(!codes[0].bytes && !codes[1].bytes);
    assert_non_null(strstr(said(), "(k1, k.cu:6)"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_program_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(a_program_refuses_dims, setup, teardown),
        cmocka_unit_test_setup_teardown(a_program_without_its_entry_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_library_is_written, setup, teardown),
        cmocka_unit_test_setup_teardown(nvrtc_compiles_or_says_why_not, setup, teardown),
        cmocka_unit_test_setup_teardown(kernels_are_split_into_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(codes_of_parts_are_one, setup, teardown),
        cmocka_unit_test_setup_teardown(nvrtc_compiles_parts, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
