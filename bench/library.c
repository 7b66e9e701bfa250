/* library.c: what libfusec costs beside the kernels: a call, its dispatch, each step of loading,
 * and the first result from a text. `build/bench/library`; prints a table in Markdown. The kernel
 * is one addition of one number, compiled for one thread: in a call its own time is a few
 * nanoseconds, which the first row has, and which is in all other rows, too. */
#include <fusec.h>

#include "library_kernels.h"
#include "measure.h"

enum { ROUNDS = 15, CALLS = 200000, VARIANTS = 8 };

static void check(FusecStatus status) {
    if (status) die(fusec_last_error()->text);
}

/* ---- one call ----------------------------------------------------------------------------- */

typedef struct Bench {
    FusecFunction *function;
    FusecExecutable *executable;
    int64_t shape[2];
    float x[64], y[64];
    DLTensor in, out;
    const DLTensor *tensors[2];
    void *pointers[2];
    FusecCallOptions options;
} Bench;

static int (*volatile direct)(const float *, float *, int64_t, int64_t, void *) = shifted;

static void by_pointer(Bench *b) { direct(b->x, b->y, b->shape[0], b->shape[1], NULL); }
static void by_execute(Bench *b) { check(fusec_execute(b->executable, b->pointers, 2, NULL)); }
static void by_call(Bench *b) { check(fusec_call(b->function, b->tensors, 2, NULL)); }
static void with_options(Bench *b) { check(fusec_call(b->function, b->tensors, 2, &b->options)); }

static double nanoseconds(void (*call)(Bench *), Bench *b) {
    double times[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double start = thread_seconds();
        for (int i = 0; i < CALLS; i++) call(b);
        times[round] = (thread_seconds() - start) / CALLS;
    }
    return 1e9 * median(times, ROUNDS);
}

static void row(const char *what, void (*call)(Bench *), Bench *b) {
    printf("| %s | %.0f |\n", what, nanoseconds(call, b));
    fflush(stdout);
}

static void set_sizes(Bench *b, int64_t n, int64_t d) {
    b->shape[0] = n;
    b->shape[1] = d;
}

static Bench *bench_new(FusecModel *model, FusecPolicy policy) {
    Bench *b = allocate(sizeof *b);
    FusecFunctionOptions options = FUSEC_OPTIONS(FusecFunctionOptions);
    options.policy = policy;
    check(fusec_function_create(model, "shifted", &options, &b->function));
    b->in = b->out =
        (DLTensor){.device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = b->shape};
    b->in.data = b->pointers[0] = b->x;
    b->out.data = b->pointers[1] = b->y;
    b->tensors[0] = &b->in;
    b->tensors[1] = &b->out;
    b->options = FUSEC_OPTIONS(FusecCallOptions);
    set_sizes(b, 1, 1);
    check(fusec_prepare(b->function, b->shape, NULL, &b->executable));
    return b;
}

static void bench_free(Bench *b) {
    fusec_executable_release(b->executable);
    fusec_function_release(b->function);
    free(b);
}

static void measure_calls(FusecModel *model) {
    Bench *exact = bench_new(model, FUSEC_EXACT), *general = bench_new(model, FUSEC_GENERAL);
    puts("| a call | ns |\n|---|---|");
    row("the emitted function, by its pointer", by_pointer, exact);
    row("fusec_execute", by_execute, exact);
    row("fusec_call, 1 exact variant", by_call, exact);
    row("fusec_call with options", with_options, exact);
    for (int64_t n = 2; n <= VARIANTS; n++)
        check(fusec_prepare(exact->function, (const int64_t[]){n, 1}, NULL, NULL));
    row("fusec_call, the last of 8 exact variants", by_call, exact);
    row("fusec_call, a general variant", by_call, general);
    bench_free(exact);
    bench_free(general);
}

/* ---- from a text to a result -------------------------------------------------------------- */

static double step(const char *what, double start) {
    double now = seconds();
    printf("| %s | %.3f |\n", what, 1e3 * (now - start));
    return seconds();
}

static FusecModel *measure_loading(FusecContext **context, const char *path) {
    FusecContextOptions options = FUSEC_OPTIONS(FusecContextOptions);
    FusecModel *model;
    options.threads = 1;
    puts("| from a text to a result | ms |\n|---|---|");
    double begin = seconds(), start = begin;
    check(fusec_context_create(&options, context));
    start = step("fusec_context_create", start);
    check(fusec_model_from_file(*context, path, NULL, NULL, &model));
    start = step("fusec_model_from_file", start);
    Bench *b = allocate(sizeof *b);
    check(fusec_function_create(model, "shifted", NULL, &b->function));
    start = step("fusec_function_create", start);
    check(fusec_prepare(b->function, (const int64_t[]){1, 1}, NULL, &b->executable));
    start = step("fusec_prepare, with the C compiler", start);
    b->pointers[0] = b->x;
    b->pointers[1] = b->y;
    by_execute(b);
    start = step("fusec_execute", start);
    step("all", begin);
    bench_free(b);
    return model;
}

int main(int count, char **arguments) {
    FusecContext *context;
    if (count != 2) die("usage: library library.fx");
    printf("libfusec %s, CPU: ", fusec_version());
    print_fact("/proc/cpuinfo", "model name");
    puts("\n");
    FusecModel *model = measure_loading(&context, arguments[1]);
    puts("");
    measure_calls(model);
    fusec_model_release(model);
    fusec_context_release(context);
}
