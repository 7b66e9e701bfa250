/* cpu_rows.c: memory-bound kernels on one thread of a CPU: what fusec emits for cpu_rows.fx,
 * against copying the same bytes and against oneDNN, all in one process, the arms taking turns.
 *   cpu_rows [ROUNDS]       prints a Markdown table; bench/CMakeLists.txt says how it is built.
 * Every array has 256 MiB, but for the last line. A result that differs from oneDNN's ends the
 * program. */
#include "cpu_rows_kernels.h"
#include "measure.h"

#include <dnnl.h>
#include <immintrin.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>

enum {
    ROWS = 16384,
    COLS = 4096,
    HALF = COLS / 2,
    QUARTER = COLS / 4,
    SQUARE = 4096,
    ROUNDS_MAX = 99
};
static const size_t ELEMENTS = (size_t)ROWS * COLS; /* 256 MiB of f32 */

static float *a, *b, *y, *gain, *bias;
static uint16_t *narrow; /* bf16 */
static void *workspace;

/* ---- copies -------------------------------------------------------------------------------- */

static void copy_memcpy(void) { memcpy(y, a, ELEMENTS * sizeof *y); }

__attribute__((target("avx"))) static void copy_stream(void) {
    for (size_t i = 0; i < ELEMENTS; i += 8) _mm256_stream_ps(y + i, _mm256_load_ps(a + i));
    _mm_sfence();
}

/* ---- fusec --------------------------------------------------------------------------------- */

static void run_add_wide(void) { add_wide(a, b, y, ELEMENTS, workspace); }
static void run_gelu_wide(void) { gelu_wide(a, y, ELEMENTS, workspace); }
static void run_gelu_narrow(void) { gelu_narrow(narrow, (uint16_t *)y, 2 * ELEMENTS, workspace); }
static void run_rms_norm_wide(void) { rms_norm_wide(a, gain, y, ROWS, COLS, workspace); }
static void run_layer_norm_wide(void) { layer_norm_wide(a, gain, bias, y, ROWS, COLS, workspace); }
static void run_layer_norm_half(void) {
    layer_norm_wide(a, gain, bias, y, 2 * ROWS, HALF, workspace);
}
static void run_layer_norm_quarter(void) {
    layer_norm_wide(a, gain, bias, y, 4 * ROWS, QUARTER, workspace);
}
static void run_layer_norm_narrow(void) {
    layer_norm_narrow(narrow, gain, bias, (uint16_t *)y, 2 * ROWS, COLS, workspace);
}
static void run_softmax_wide(void) { softmax_wide(a, y, ROWS, COLS, workspace); }
static void run_softmax_square(void) { softmax_wide(a, y, SQUARE, SQUARE, workspace); }

/* ---- oneDNN -------------------------------------------------------------------------------- */

static dnnl_engine_t engine;
static dnnl_stream_t stream;

typedef struct Peer {
    dnnl_primitive_t primitive;
    dnnl_exec_arg_t argument[4];
    int argument_count;
} Peer;

static Peer add_peer, gelu_peer, gelu_narrow_peer, layer_norm_peer, layer_norm_half_peer,
    layer_norm_quarter_peer, layer_norm_narrow_peer, softmax_peer, softmax_square_peer;

static void check(dnnl_status_t status) {
    if (status != dnnl_success) die("oneDNN refused");
}

static dnnl_memory_desc_t describe(dnnl_data_type_t type, int64_t rows, int64_t cols) {
    dnnl_memory_desc_t shape;
    if (rows)
        check(dnnl_memory_desc_init_by_tag(&shape, 2, (dnnl_dims_t){rows, cols}, type, dnnl_ab));
    else
        check(dnnl_memory_desc_init_by_tag(&shape, 1, (dnnl_dims_t){cols}, type, dnnl_a));
    return shape;
}

static void peer_argument(Peer *p, int name, const dnnl_memory_desc_t *shape, void *data) {
    dnnl_memory_t memory;
    check(dnnl_memory_create(&memory, shape, engine, data));
    p->argument[p->argument_count++] = (dnnl_exec_arg_t){name, memory};
}

static void peer_create(Peer *p, const_dnnl_op_desc_t operation) {
    dnnl_primitive_desc_t description;
    check(dnnl_primitive_desc_create(&description, operation, NULL, engine, NULL));
    check(dnnl_primitive_create(&p->primitive, description));
    check(dnnl_primitive_desc_destroy(description));
}

static void *source(dnnl_data_type_t type) { return type == dnnl_bf16 ? (void *)narrow : a; }

static void peer_gelu(Peer *p, dnnl_data_type_t type, int64_t rows) {
    dnnl_memory_desc_t shape = describe(type, rows, COLS);
    dnnl_eltwise_desc_t operation;
    check(dnnl_eltwise_forward_desc_init(&operation, dnnl_forward_inference, dnnl_eltwise_gelu_erf,
                                         &shape, 0, 0));
    peer_create(p, &operation);
    peer_argument(p, DNNL_ARG_SRC, &shape, source(type));
    peer_argument(p, DNNL_ARG_DST, &shape, y);
}

static void peer_add(Peer *p) {
    dnnl_memory_desc_t shape = describe(dnnl_f32, ROWS, COLS);
    dnnl_binary_desc_t operation;
    check(dnnl_binary_desc_init(&operation, dnnl_binary_add, &shape, &shape, &shape));
    peer_create(p, &operation);
    peer_argument(p, DNNL_ARG_SRC_0, &shape, a);
    peer_argument(p, DNNL_ARG_SRC_1, &shape, b);
    peer_argument(p, DNNL_ARG_DST, &shape, y);
}

static void peer_layer_norm(Peer *p, dnnl_data_type_t type, int64_t rows, int64_t cols) {
    dnnl_memory_desc_t shape = describe(type, rows, cols), column = describe(dnnl_f32, 0, cols);
    dnnl_layer_normalization_desc_t operation;
    check(dnnl_layer_normalization_forward_desc_init(&operation, dnnl_forward_inference, &shape,
                                                     NULL, 1e-5f, dnnl_use_scale | dnnl_use_shift));
    peer_create(p, &operation);
    peer_argument(p, DNNL_ARG_SRC, &shape, source(type));
    peer_argument(p, DNNL_ARG_DST, &shape, y);
    peer_argument(p, DNNL_ARG_SCALE, &column, gain);
    peer_argument(p, DNNL_ARG_SHIFT, &column, bias);
}

static void peer_softmax(Peer *p, int64_t rows) {
    dnnl_memory_desc_t shape = describe(dnnl_f32, rows, COLS);
    dnnl_softmax_desc_t operation;
    check(dnnl_softmax_forward_desc_init(&operation, dnnl_forward_inference, &shape, 1));
    peer_create(p, &operation);
    peer_argument(p, DNNL_ARG_SRC, &shape, a);
    peer_argument(p, DNNL_ARG_DST, &shape, y);
}

static void peers_create(void) {
    check(dnnl_engine_create(&engine, dnnl_cpu, 0));
    check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
    peer_add(&add_peer);
    peer_gelu(&gelu_peer, dnnl_f32, ROWS);
    peer_gelu(&gelu_narrow_peer, dnnl_bf16, 2 * ROWS);
    peer_layer_norm(&layer_norm_peer, dnnl_f32, ROWS, COLS);
    peer_layer_norm(&layer_norm_half_peer, dnnl_f32, 2 * ROWS, HALF);
    peer_layer_norm(&layer_norm_quarter_peer, dnnl_f32, 4 * ROWS, QUARTER);
    peer_layer_norm(&layer_norm_narrow_peer, dnnl_bf16, 2 * ROWS, COLS);
    peer_softmax(&softmax_peer, ROWS);
    peer_softmax(&softmax_square_peer, SQUARE);
}

/* The largest workspace that any of the functions asks for. */
static void workspace_create(void) {
    int64_t sizes[] = {
        add_wide_workspace(ELEMENTS),          gelu_wide_workspace(ELEMENTS),
        gelu_narrow_workspace(2 * ELEMENTS),   rms_norm_wide_workspace(ROWS, COLS),
        layer_norm_wide_workspace(ROWS, COLS), layer_norm_narrow_workspace(2 * ROWS, COLS),
        softmax_wide_workspace(ROWS, COLS)};
    int64_t most = 4096;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] > most) most = sizes[i];
    workspace = allocate(((size_t)most + 4095) & ~(size_t)4095);
}

static void peer_run(const Peer *p) {
    check(dnnl_primitive_execute(p->primitive, stream, p->argument_count, p->argument));
    check(dnnl_stream_wait(stream));
}

/* ---- arms ---------------------------------------------------------------------------------- */

typedef struct Arm {
    const char *name, *shape;
    void (*run)(void);
    Peer *peer; /* NULL: none */
    size_t elements;
    int element_bytes, arrays; /* read and written together */
    double time[ROUNDS_MAX], peer_time[ROUNDS_MAX];
} Arm;

static Arm arms[] = {
    {"memcpy", "256 MiB", copy_memcpy, NULL, (size_t)ROWS *COLS, 4, 2, {0}, {0}},
    {"streaming copy", "256 MiB", copy_stream, NULL, (size_t)ROWS *COLS, 4, 2, {0}, {0}},
    {"add f32", "67108864", run_add_wide, &add_peer, (size_t)ROWS *COLS, 4, 3, {0}, {0}},
    {"gelu f32", "67108864", run_gelu_wide, &gelu_peer, (size_t)ROWS *COLS, 4, 2, {0}, {0}},
    {"gelu bf16",
     "134217728",
     run_gelu_narrow,
     &gelu_narrow_peer,
     (size_t)2 * ROWS *COLS,
     2,
     2,
     {0},
     {0}},
    {"rms_norm f32", "16384 x 4096", run_rms_norm_wide, NULL, (size_t)ROWS *COLS, 4, 2, {0}, {0}},
    {"layer_norm f32",
     "16384 x 4096",
     run_layer_norm_wide,
     &layer_norm_peer,
     (size_t)ROWS *COLS,
     4,
     2,
     {0},
     {0}},
    {"layer_norm f32",
     "32768 x 2048",
     run_layer_norm_half,
     &layer_norm_half_peer,
     (size_t)ROWS *COLS,
     4,
     2,
     {0},
     {0}},
    {"layer_norm f32",
     "65536 x 1024",
     run_layer_norm_quarter,
     &layer_norm_quarter_peer,
     (size_t)ROWS *COLS,
     4,
     2,
     {0},
     {0}},
    {"layer_norm bf16",
     "32768 x 4096",
     run_layer_norm_narrow,
     &layer_norm_narrow_peer,
     (size_t)2 * ROWS *COLS,
     2,
     2,
     {0},
     {0}},
    {"softmax f32",
     "16384 x 4096",
     run_softmax_wide,
     &softmax_peer,
     (size_t)ROWS *COLS,
     4,
     2,
     {0},
     {0}},
    {"softmax f32",
     "4096 x 4096",
     run_softmax_square,
     &softmax_square_peer,
     (size_t)SQUARE *SQUARE,
     4,
     2,
     {0},
     {0}},
};
enum { ARMS = sizeof arms / sizeof *arms, COPIES = 2 };

/* Uniform in [-1, 1). */
static void fill(void) {
    uint32_t state = 1, bits;
    for (size_t i = 0; i < 2 * ELEMENTS; i++) {
        state = state * 1664525u + 1013904223u;
        float x = (float)(int32_t)state * 0x1p-31f;
        memcpy(&bits, &x, sizeof bits);
        narrow[i] = (uint16_t)(bits >> 16);
        if (i < ELEMENTS) a[i] = x, b[i] = -0.5f * x;
    }
    for (int i = 0; i < COLS; i++) gain[i] = 1 + 0.001f * (float)i, bias[i] = 0.5f;
}

static float result(const Arm *arm, size_t i) {
    if (arm->element_bytes == 4) return y[i];
    uint32_t bits = (uint32_t)((const uint16_t *)y)[i] << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Both compute the same: a sample of elements, to a rounding of the type or of oneDNN's erf. */
static void compare(const Arm *arm) {
    enum { STEP = 9973 };
    static float mine[2 * (size_t)ROWS * COLS / STEP + 1];
    memset(y, 0xff, ELEMENTS * sizeof *y);
    arm->run();
    for (size_t i = 0; i < arm->elements; i += STEP) mine[i / STEP] = result(arm, i);
    memset(y, 0xff, ELEMENTS * sizeof *y);
    peer_run(arm->peer);
    for (size_t i = 0; i < arm->elements; i += STEP) {
        float peer = result(arm, i), bound = arm->element_bytes == 4 ? 2e-6f : 0x1p-7f;
        if (!(fabsf(mine[i / STEP] - peer) <= bound * (1 + fabsf(peer)))) {
            fprintf(stderr, "%s: element %zu is %g, oneDNN's %g\n", arm->name, i,
                    (double)mine[i / STEP], (double)peer);
            die("the results differ");
        }
    }
}

static void measure(int rounds) {
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < ARMS; k++) {
            double start = seconds();
            arms[k].run();
            double middle = seconds();
            if (arms[k].peer) peer_run(arms[k].peer);
            arms[k].time[i] = middle - start;
            arms[k].peer_time[i] = seconds() - middle;
        }
}

/* ---- the table ----------------------------------------------------------------------------- */

static void print_head(int rounds) {
    print_date();
    printf(", ");
    print_fact("/proc/cpuinfo", "model name");
    printf(", 1 thread, oneDNN %d.%d.%d, `cpu_rows %d`: median of %d rounds, arms taking turns; "
           "`of copy` is of the faster copy. Load of the machine: ",
           dnnl_version()->major, dnnl_version()->minor, dnnl_version()->patch, rounds, rounds);
    print_fact("/proc/loadavg", "");
    puts(".\n");
}

static void print_table(int rounds) {
    double copy = 0;
    puts("| kernel | size | GB/s | of copy | oneDNN, GB/s | times oneDNN |\n"
         "|---|---|---:|---:|---:|---:|");
    for (int i = 0; i < ARMS; i++) {
        Arm *arm = &arms[i];
        double bytes = (double)arm->elements * arm->element_bytes * arm->arrays;
        double speed = 1e-9 * bytes / median(arm->time, rounds);
        if (i < COPIES && speed > copy) copy = speed;
        printf("| %s | %s | %.2f |", arm->name, arm->shape, speed);
        if (i < COPIES)
            printf(" |");
        else
            printf(" %.2f |", speed / copy);
        if (!arm->peer) {
            puts(" | |");
            continue;
        }
        double peer = 1e-9 * bytes / median(arm->peer_time, rounds);
        printf(" %.2f | %.2f |\n", peer, speed / peer);
    }
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 11;
    if (count > 2 || rounds < 1 || rounds > ROUNDS_MAX) die("usage: cpu_rows [ROUNDS]");
    omp_set_num_threads(1);
    size_t bytes = ELEMENTS * sizeof *a;
    a = allocate(bytes), b = allocate(bytes), y = allocate(bytes), narrow = allocate(bytes);
    gain = allocate(COLS * sizeof *gain), bias = allocate(COLS * sizeof *bias);
    workspace_create();
    fill();
    peers_create();
    for (int k = 0; k < ARMS; k++)
        if (arms[k].peer) compare(&arms[k]);
    measure(rounds);
    print_head(rounds);
    print_table(rounds);
}
