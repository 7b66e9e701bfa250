/* cpu_dots.c: contractions on a CPU: what fusec emits for cpu_dots.fx against oneDNN and OpenBLAS,
 * all in one process, the arms taking turns, on one thread and on two. OPENBLAS_CORETYPE=SkylakeX
 * cpu_dots [ROUNDS]     prints a Markdown table OpenBLAS 0.3.21 takes a Sapphire Rapids for a core
 * without AVX unless it is told; the head of the table says which one it ran as. For GEGLU the
 * peers' matmul (oneDNN adds the bias to it) is followed by fusec's own pass over its result. A
 * result that differs from the peers' ends the program. */
#include "cpu_dots_kernels.h"
#include "measure.h"

#include <cblas.h>
#include <dnnl.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>

enum { ROUNDS_MAX = 99, SIZE = 4096, N = 2048, D = 1024, THREADS = 2 };
static const size_t ELEMENTS = (size_t)SIZE * SIZE;

static float *a, *b, *y, *bias, *hidden;
static uint16_t *a_narrow, *b_narrow, *y_narrow, *bias_narrow, *hidden_narrow;
static int8_t *a_bytes, *b_bytes;
static void *workspace;
static int size; /* of the square product that an arm computes */

/* ---- oneDNN -------------------------------------------------------------------------------- */

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static void check(dnnl_status_t status) {
    if (status != dnnl_success) die("oneDNN refused");
}

typedef struct Matmul {
    dnnl_primitive_t primitive;
    dnnl_exec_arg_t argument[4];
    int argument_count;
} Matmul;

static dnnl_memory_desc_t matrix(dnnl_data_type_t type, int rows, int cols, bool transposed) {
    dnnl_memory_desc_t shape;
    dnnl_dims_t extent = {rows, cols}, stride = {transposed ? 1 : cols, transposed ? rows : 1};
    check(dnnl_memory_desc_init_by_strides(&shape, 2, extent, type, stride));
    return shape;
}

static void argument(Matmul *m, int name, const dnnl_memory_desc_t *shape, void *data) {
    dnnl_memory_t memory;
    check(dnnl_memory_create(&memory, shape, engine, data));
    m->argument[m->argument_count++] = (dnnl_exec_arg_t){name, memory};
}

/* [rows, inner] times [inner, cols], or the transpose of [cols, inner] with a bias, in plain
 * layout. */
static Matmul matmul(dnnl_data_type_t type, int rows, int cols, int inner, void *bias_data,
                     void *result) {
    bool narrow = type == dnnl_bf16, bytes = type == dnnl_s8;
    Matmul m = {.argument_count = 0};
    dnnl_memory_desc_t x = matrix(type, rows, inner, false);
    dnnl_memory_desc_t z = matrix(bytes ? dnnl_s32 : type, rows, cols, false);
    dnnl_memory_desc_t w = matrix(type, inner, cols, bias_data != NULL);
    dnnl_memory_desc_t c = matrix(type, 1, cols, false);
    dnnl_matmul_desc_t operation;
    check(dnnl_matmul_desc_init(&operation, &x, &w, bias_data ? &c : NULL, &z));
    dnnl_primitive_desc_t description;
    check(dnnl_primitive_desc_create(&description, &operation, NULL, engine, NULL));
    check(dnnl_primitive_create(&m.primitive, description));
    check(dnnl_primitive_desc_destroy(description));
    argument(&m, DNNL_ARG_SRC, &x, bytes ? (void *)a_bytes : narrow ? (void *)a_narrow : a);
    argument(&m, DNNL_ARG_WEIGHTS, &w, bytes ? (void *)b_bytes : narrow ? (void *)b_narrow : b);
    argument(&m, DNNL_ARG_DST, &z, result);
    if (bias_data) argument(&m, DNNL_ARG_BIAS, &c, bias_data);
    return m;
}

static void matmul_run(const Matmul *m) {
    check(dnnl_primitive_execute(m->primitive, stream, m->argument_count, m->argument));
    check(dnnl_stream_wait(stream));
}

/* ---- the arms ------------------------------------------------------------------------------ */

enum { SIZES = 4 };
static Matmul wide[SIZES], narrow[SIZES], bytes[SIZES], geglu_h,
    geglu_h_narrow; /* squares of 512 << i */

static int size_number(void) {
    int i = 0;
    while (512 << i < size) i++;
    return i;
}

static void wide_fusec(void) { gemm_wide(a, b, y, size, size, size, workspace); }
static void wide_onednn(void) { matmul_run(&wide[size_number()]); }
static void wide_openblas(void) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a, size, b, size, 0,
                y, size);
}
static void narrow_fusec(void) {
    gemm_narrow(a_narrow, b_narrow, y_narrow, size, size, size, workspace);
}
static void narrow_onednn(void) { matmul_run(&narrow[size_number()]); }
static void bytes_fusec(void) {
    gemm_bytes(a_bytes, b_bytes, (int32_t *)y, size, size, size, workspace);
}
static void bytes_onednn(void) { matmul_run(&bytes[size_number()]); }
static void geglu_fusec(void) { geglu_wide(a, b, bias, y, N, D, workspace); }
static void geglu_onednn(void) {
    matmul_run(&geglu_h);
    pass_wide(hidden, y, N, D, workspace);
}
static void geglu_openblas(void) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, N, 8 * D, D, 1, a, D, b, D, 0, hidden,
                8 * D);
    pass_biased(hidden, bias, y, N, D, workspace);
}
static void geglu_narrow_fusec(void) {
    geglu_narrow(a_narrow, b_narrow, bias_narrow, y_narrow, N, D, workspace);
}
static void geglu_narrow_onednn(void) {
    matmul_run(&geglu_h_narrow);
    pass_narrow(hidden_narrow, y_narrow, N, D, workspace);
}

typedef void Run(void);
enum { WAYS = 3 }; /* fusec, oneDNN, OpenBLAS */

typedef struct Arm {
    const char *name;
    int size; /* of a square product; 0: GEGLU */
    Run *run[WAYS];
    bool is_narrow, is_bytes;
    double time[THREADS][WAYS][ROUNDS_MAX];
} Arm;

static Arm arms[] = {
    {.name = "f32", .size = 512, .run = {wide_fusec, wide_onednn, wide_openblas}},
    {.name = "f32", .size = 1024, .run = {wide_fusec, wide_onednn, wide_openblas}},
    {.name = "f32", .size = 2048, .run = {wide_fusec, wide_onednn, wide_openblas}},
    {.name = "f32", .size = 4096, .run = {wide_fusec, wide_onednn, wide_openblas}},
    {.name = "bf16", .size = 512, .run = {narrow_fusec, narrow_onednn}, .is_narrow = true},
    {.name = "bf16", .size = 1024, .run = {narrow_fusec, narrow_onednn}, .is_narrow = true},
    {.name = "bf16", .size = 2048, .run = {narrow_fusec, narrow_onednn}, .is_narrow = true},
    {.name = "i8", .size = 1024, .run = {bytes_fusec, bytes_onednn}, .is_bytes = true},
    {.name = "i8", .size = 2048, .run = {bytes_fusec, bytes_onednn}, .is_bytes = true},
    {.name = "GEGLU f32", .run = {geglu_fusec, geglu_onednn, geglu_openblas}},
    {.name = "GEGLU bf16", .run = {geglu_narrow_fusec, geglu_narrow_onednn}, .is_narrow = true},
};
enum { ARMS = sizeof arms / sizeof *arms };

static double operations(const Arm *arm) {
    double n = arm->size;
    return arm->size ? 2 * n * n * n : 2.0 * N * 8 * D * D;
}

/* ---- setting up ---------------------------------------------------------------------------- */

static uint16_t narrowed(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)(bits >> 16);
}

/* Uniform in [-1, 1). */
static void fill(float *wide_to, uint16_t *narrow_to, int8_t *byte_to, size_t count,
                 uint32_t state) {
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        wide_to[i] = (float)(int32_t)state * 0x1p-31f;
        narrow_to[i] = narrowed(wide_to[i]);
        byte_to[i] = (int8_t)(state >> 24);
    }
}

static void set_threads(int count) {
    omp_set_num_threads(count);
    openblas_set_num_threads(count);
}

static void set_up(void) {
    size_t widest = ELEMENTS > (size_t)N * 8 * D ? ELEMENTS : (size_t)N * 8 * D;
    a = allocate(4 * widest), b = allocate(4 * widest), y = allocate(4 * widest);
    hidden = allocate(4 * widest), bias = allocate(4 * 8 * D);
    a_narrow = allocate(2 * widest), b_narrow = allocate(2 * widest);
    y_narrow = allocate(2 * widest), hidden_narrow = allocate(2 * widest);
    bias_narrow = allocate(2 * 8 * D);
    a_bytes = allocate(widest), b_bytes = allocate(widest);
    fill(a, a_narrow, a_bytes, widest, 1);
    fill(b, b_narrow, b_bytes, widest, 2);
    for (int i = 0; i < 8 * D; i++) bias[i] = a[i], bias_narrow[i] = a_narrow[i];
    set_threads(THREADS);
    int64_t most = gemm_wide_workspace(SIZE, SIZE, SIZE), next = geglu_wide_workspace(N, D);
    workspace = allocate((size_t)(most > next ? most : next) * 2);
    check(dnnl_engine_create(&engine, dnnl_cpu, 0));
    check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
    for (int i = 0; i < SIZES; i++) {
        int n = 512 << i;
        wide[i] = matmul(dnnl_f32, n, n, n, NULL, y);
        narrow[i] = matmul(dnnl_bf16, n, n, n, NULL, y_narrow);
        bytes[i] = matmul(dnnl_s8, n, n, n, NULL, y);
    }
    geglu_h = matmul(dnnl_f32, N, 8 * D, D, bias, hidden);
    geglu_h_narrow = matmul(dnnl_bf16, N, 8 * D, D, bias_narrow, hidden_narrow);
}

/* ---- comparing and measuring --------------------------------------------------------------- */

static float result(const Arm *arm, size_t i) {
    if (arm->is_bytes) return (float)((const int32_t *)y)[i];
    if (!arm->is_narrow) return y[i];
    uint32_t bits = (uint32_t)y_narrow[i] << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int ways(const Arm *arm) { return arm->run[WAYS - 1] ? WAYS : WAYS - 1; }

/* All ways compute the same: a sample of elements, to roundings of the type. */
static void compare(const Arm *arm) {
    enum { STEP = 997 };
    static float mine[(size_t)SIZE * SIZE / STEP + 1];
    size_t count = arm->size ? (size_t)arm->size * (size_t)arm->size : (size_t)N * 4 * D;
    size = arm->size;
    for (int way = 0; way < ways(arm); way++) {
        memset(arm->is_narrow ? (void *)y_narrow : y, 0xff, count * (arm->is_narrow ? 2 : 4));
        arm->run[way]();
        for (size_t i = 0; i < count; i += STEP) {
            float x = result(arm, i);
            float bound = arm->is_bytes ? 0 : arm->is_narrow ? 0x1p-5f : 2e-4f;
            if (way && !(fabsf(mine[i / STEP] - x) <= bound * (1 + fabsf(x)))) {
                fprintf(stderr, "%s: element %zu is %g and %g\n", arm->name, i,
                        (double)mine[i / STEP], (double)x);
                die("the results differ");
            }
            if (!way) mine[i / STEP] = x;
        }
    }
}

/* Another way begins in every round: the first one finds the operands in no cache. */
static void measure(int rounds) {
    for (int threads = 1; threads <= THREADS; threads++) {
        double (*clock)(void) = threads == 1 ? thread_seconds : seconds;
        set_threads(threads);
        for (int i = 0; i < rounds; i++)
            for (Arm *arm = arms; arm < arms + ARMS; arm++)
                for (int turn = 0; turn < ways(arm); turn++) {
                    int way = (i + turn) % ways(arm);
                    size = arm->size;
                    double start = clock();
                    arm->run[way]();
                    arm->time[threads - 1][way][i] = clock() - start;
                }
    }
}

static void print_head(int rounds) {
    print_date();
    printf(", ");
    print_fact("/proc/cpuinfo", "model name");
    printf(", compiler %s, oneDNN %d.%d.%d, OpenBLAS as %s, `cpu_dots %d`: median of %d rounds, "
           "arms taking "
           "turns, in billions of operations a second (one thread by its own clock, %d beside it "
           "by the wall's). GEGLU is %d x %d. "
           "Load of the machine: ",
           __VERSION__, dnnl_version()->major, dnnl_version()->minor, dnnl_version()->patch,
           openblas_get_corename(), rounds, rounds, THREADS, N, D);
    print_fact("/proc/loadavg", "");
    puts(".\n");
}

static void print_table(int rounds) {
    puts(
        "| product | size | threads | fusec | oneDNN | OpenBLAS | times oneDNN | times OpenBLAS |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|");
    for (Arm *arm = arms; arm < arms + ARMS; arm++)
        for (int threads = 0; threads < THREADS; threads++) {
            double speed[WAYS] = {0};
            for (int way = 0; way < ways(arm); way++)
                speed[way] = 1e-9 * operations(arm) / median(arm->time[threads][way], rounds);
            printf("| %s | ", arm->name);
            if (arm->size) printf("%d", arm->size);
            printf(" | %d | %.1f | %.1f | ", threads + 1, speed[0], speed[1]);
            if (arm->run[2]) printf("%.1f", speed[2]);
            printf(" | %.2f | ", speed[0] / speed[1]);
            if (arm->run[2]) printf("%.2f", speed[0] / speed[2]);
            puts(" |");
        }
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 11;
    if (count > 2 || rounds < 1 || rounds > ROUNDS_MAX) die("usage: cpu_dots [ROUNDS]");
    set_up();
    for (int i = 0; i < ARMS; i++) compare(&arms[i]);
    measure(rounds);
    print_head(rounds);
    print_table(rounds);
}
