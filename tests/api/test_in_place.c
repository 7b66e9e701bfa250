/* test_in_place.c: outputs in the memory of consumed inputs: what is computed, what is not touched,
 * and what is refused. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "world.h"

#include <stdint.h>
#include <sys/mman.h>

enum { ROWS = 20, PAGE = 4096, WIDTH = PAGE / 4, NEW = 3 };

static const DLDataType i32 = {kDLInt, 32, 1};

/* ---- rows that may not be touched --------------------------------------------------------------
 */

typedef struct Cache {
    float *row[ROWS]; /* of a page each */
    float x[NEW * WIDTH];
    int32_t at[NEW];
} Cache;

static void cache_make(Cache *c) {
    char *memory =
        mmap(NULL, ROWS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    for (int i = 0; i < ROWS; i++) c->row[i] = (float *)(memory + i * PAGE);
    for (int i = 0; i < ROWS * WIDTH; i++) c->row[0][i] = (float)i;
    for (int i = 0; i < NEW * WIDTH; i++) c->x[i] = -(float)i;
    c->at[0] = 7, c->at[1] = ROWS - 1, c->at[2] = 7; /* the last one stays */
}

static bool is_new(int row) { return row == 7 || row == ROWS - 1; }

/* An access of another row is a fault. */
static void protect(const Cache *c, int how) {
    for (int i = 0; i < ROWS; i++)
        if (!is_new(i)) assert_int_equal(mprotect(c->row[i], PAGE, how), 0);
}

static void assert_written(const Cache *c) {
    protect(c, PROT_READ | PROT_WRITE);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDTH; j++) {
            const float want =
                !is_new(i) ? (float)(i * WIDTH + j) : -(float)(j + (i == 7 ? 2 : 1) * WIDTH);
            if (c->row[i][j] != want) fail_msg("[%d, %d] is %g", i, j, (double)c->row[i][j]);
        }
    assert_int_equal(munmap(c->row[0], ROWS * PAGE), 0);
}

static void check_rows(const char *text, int threads, int new_count) {
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    FusecContext *context;
    options.device = FUSEC_DEVICE_CPU;
    options.threads = threads;
    assert_ok(fusec_context_create(&options, &context));
    FusecFunction *f = load(context, text, NULL);
    Cache c;
    cache_make(&c);
    int64_t all[2] = {ROWS, WIDTH}, some[2] = {new_count, WIDTH};
    const DLTensor cache = tensor(c.row[0], f32, 2, all), x = tensor(c.x, f32, 2, some),
                   at = tensor(c.at, i32, 1, some);
    const DLTensor *tensors[] = {&cache, &at, &x, &cache};
    FusecCallOptions call = FUSEC_OPTIONS(FusecCallOptions);
    call.flags = FUSEC_CALL_MAY_PREPARE;
    protect(&c, PROT_NONE);
    assert_ok(fusec_call(f, tensors, 4, &call));
    assert_written(&c);
    fusec_function_release(f);
    fusec_context_release(context);
}

static const char set_rows[] =
    "@consume(c) fn f[T, N, D](c: f32[T, D], at: i32[N], x: f32[N, D]) -> (y: f32[T, D]) {\n"
    "    y = scatter(c, at, x, with = set);\n}\n";

static void test_scatter(void **state) {
    (void)state;
    check_rows(set_rows, 1, NEW);
    check_rows(set_rows, 3, NEW);
}

/* The last of three choices is looked at first. */
static void test_where(void **state) {
    static const char text[] =
        "@consume(c) fn f[T, N, D](c: f32[T, D], at: i32[N], x: f32[N, D]) -> (y: f32[T, D]) {\n"
        "    assert N == 3;\n"
        "    i = iota(T)[:, None];\n"
        "    y = where(i == at[2], x[2], where(i == at[1], x[1], where(i == at[0], x[0], c)));\n"
        "}\n";
    (void)state;
    check_rows(text, 1, NEW);
}

/* ---- what may not be ---------------------------------------------------------------------------
 */

#define REFUSED(STATUS, TEXT)                                                                      \
    do {                                                                                           \
        assert_int_equal(STATUS, FUSEC_WRONG_ARGUMENT);                                            \
        assert_string_equal(fusec_last_error()->text, TEXT);                                       \
    } while (0)

/* Two outputs are written over one input each, the third one reads other elements. */
static void test_refused(void **state) {
    static const char text[] =
        "@consume(a, b, c) fn f[N](a: f32[N], b: f32[N], c: f32[N])\n"
        "    -> (x: f32[N], y: f32[N], z: f32[N]) {\n"
        "    x = a + 1;\n    y = where(b > 0, b, 5);\n    z = cumsum(c);\n}\n";
    enum { N = 5 };
    float a[N] = {1, 2, 3, 4, 5}, b[N] = {-1, 1, -1, 1, 2}, c[N] = {1, 1, 1, 1, 1}, other[N];
    (void)state;
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, text, NULL);
    FusecExecutable *executable;
    double seconds;
    assert_ok(fusec_prepare(f, (const int64_t[]){N}, NULL, &executable));
    REFUSED(
        fusec_execute(executable, (void *[]){a, b, c, b, a, other}, 6, NULL),
        "y is given the memory of a, but is not written in place over it; "
        "the plan of f says what is");
    REFUSED(
        fusec_execute(executable, (void *[]){a, b, c, a, b, c}, 6, NULL),
        "z is given the memory of c, but is not written in place over it; "
        "the plan of f says what is");
    REFUSED(
        fusec_profile(executable, (void *[]){a, b, c, a, a, other}, 6, NULL, &seconds, 0),
        "y is given the memory of a, but is not written in place over it; "
        "the plan of f says what is");
    REFUSED(fusec_execute(executable, (void *[]){a, b, c, a + 1, b, other}, 6, NULL),
            "a is consumed, and overlaps x");
    assert_true(a[0] == 1 && b[1] == 1 && c[4] == 1);
    assert_ok(fusec_execute(executable, (void *[]){a, b, c, a, b, other}, 6, NULL));
    for (int i = 0; i < N; i++) {
        assert_true(a[i] == (float)(i + 2) && other[i] == (float)(i + 1));
        assert_true(b[i] == (i == 4 ? 2 : i % 2 ? 1 : 5));
    }
    fusec_executable_release(executable);
    fusec_function_release(f);
    fusec_context_release(context);
}

/* The rule is about elements of one type. */
static void test_other_types(void **state) {
    static const char text[] = "@consume(a) fn f[N](a: f32[N]) -> (x: i32[N]) { x = a as i32; }\n";
    float a[4] = {1, 2, 3, 4};
    (void)state;
    FusecContext *context = open_cpu();
    FusecFunction *f = load(context, text, NULL);
    FusecExecutable *executable;
    assert_ok(fusec_prepare(f, (const int64_t[]){4}, NULL, &executable));
    REFUSED(fusec_execute(executable, (void *[]){a, a}, 2, NULL),
            "a is consumed, and overlaps x");
    fusec_executable_release(executable);
    fusec_function_release(f);
    fusec_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scatter),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_other_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
