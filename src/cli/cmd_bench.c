/* cmd_bench.c: fusec bench: times the kernels of a model on this machine.
 * In: a model and sizes. Out: for each function a table, or JSON: the times of its kernels and of
 * all together, their rates by the plan's bytes and operations, and the fraction of the device's
 * peak. */
#include "cli/command.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LEAST = 6 };

/* A kernel, or all kernels of a function. */
typedef struct Row {
    const char *name;
    Timing timing;
    double bytes, flops; /* 0: not known */
    double least;        /* seconds at the device's peak rates; 0: not known */
    double expected;     /* seconds by the model of the plan; 0: not known */
} Row;

typedef struct Bench {
    Session *s;
    FusecContext *context;
    Device *device; /* its */
    Peaks peaks;
    Text out;
    json_t *functions;
} Bench;

/* One function, measured. */
typedef struct Result {
    const char *name;
    int sets, count; /* rows; the last is all kernels together */
    Row *rows;
} Result;

/* ---- numbers ------------------------------------------------------------------------------ */

static double rate(double amount, const Row *row) {
    return row->timing.median > 0 ? amount / row->timing.median : 0;
}

static double of_peak(const Row *row) {
    return row->timing.median > 0 ? row->least / row->timing.median : 0;
}

static Row row_of(const Bench *b, const Function *f, const Ready *ready, int number) {
    FusecKernel kernel = FUSEC_OPTIONS(FusecKernel);
    fusec_executable_kernel(ready->executable, (size_t)number, &kernel);
    Row row = {.name = kernel.name,
               .bytes = kernel.bytes > 0 ? (double)kernel.bytes : 0,
               .flops = kernel.operations > 0 ? (double)kernel.operations : 0};
    const Dtype product = kernel.product ? dtype_parse(kernel.product) : T_NONE;
    row.least = peaks_least_seconds(&b->peaks, row.bytes, row.flops, product);
    row.expected = peaks_expected_seconds(&b->peaks, f, row.name);
    return row;
}

/* The last row sums the bytes and operations of the kernels; unknown if one of them is. */
static void fill_rows(const Bench *b, const Function *f, Result *r, const Ready *ready,
                      const Timing *timings) {
    int kernels = r->count - 1;
    bool known = true;
    r->rows = arena_array(b->s->arena, Row, r->count);
    Row *whole = &r->rows[kernels];
    whole->name = "whole";
    for (int i = 0; i < kernels; i++) {
        Row *row = &r->rows[i];
        *row = row_of(b, f, ready, i);
        whole->bytes += row->bytes;
        whole->flops += row->flops;
        whole->least += row->least;
        whole->expected += row->expected;
        known = known && row->least > 0;
    }
    if (!known) whole->least = 0;
    for (int i = 0; i <= kernels; i++) r->rows[i].timing = timings[i];
}

/* ---- a table ------------------------------------------------------------------------------ */

static void put_head(Bench *b) {
    text_printf(&b->out, "%s", b->device->name);
    if (b->peaks.threads)
        text_printf(&b->out, ", %d thread%s", b->peaks.threads, b->peaks.threads == 1 ? "" : "s");
    text_printf(&b->out, "; a copy moves %.1f GB/s", 1e-9 * b->peaks.bytes);
    if (b->peaks.flops > 0) text_printf(&b->out, "; f32 %.2f TFLOP/s", 1e-12 * b->peaks.flops);
    if (b->peaks.product_flops > b->peaks.flops)
        text_printf(&b->out, ", matrix products %.0f", 1e-12 * b->peaks.product_flops);
    text_char(&b->out, '\n');
}

static void put_row(const Row *row, int width, Text *out) {
    text_printf(out, "  %-*s %12.2f %12.2f", width, row->name, 1e6 * row->timing.median,
                1e6 * row->timing.least);
    text_printf(out, " %10.1f %10.3f", 1e-9 * rate(row->bytes, row), 1e-12 * rate(row->flops, row));
    if (row->least > 0)
        text_printf(out, " %9.2f\n", of_peak(row));
    else
        text_printf(out, " %9s\n", "-");
}

static void put_table(Bench *b, const Result *r) {
    const BindingVec *dims = &b->s->options->bindings;
    int width = NAME_LEAST;
    for (int i = 0; i < r->count; i++)
        if ((int)strlen(r->rows[i].name) > width) width = (int)strlen(r->rows[i].name);
    text_printf(&b->out, "\n%s", r->name);
    for (int i = 0; i < dims->count; i++)
        text_printf(&b->out, " %s=%lld", dims->at[i].name, (long long)dims->at[i].value);
    text_printf(&b->out, "; %d set%s of buffers\n", r->sets, r->sets == 1 ? "" : "s");
    text_printf(&b->out, "  %-*s %12s %12s %10s %10s %9s\n", width, "kernel", "median us",
                "least us", "GB/s", "TFLOP/s", "of peak");
    for (int i = 0; i < r->count; i++) put_row(&r->rows[i], width, &b->out);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static json_t *known_or_null(double value) { return value > 0 ? json_real(value) : json_null(); }

static json_t *count_or_null(double value) {
    return value > 0 ? json_integer((json_int_t)value) : json_null();
}

static json_t *row_json(const Row *row) {
    return json_pack(
        "{s:s, s:f, s:f, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "name", row->name, "median_us",
        1e6 * row->timing.median, "least_us", 1e6 * row->timing.least, "expected_us",
        known_or_null(1e6 * row->expected), "launches", row->timing.batch, "rounds",
        row->timing.rounds, "bytes", count_or_null(row->bytes), "flops", count_or_null(row->flops),
        "gb_s", known_or_null(1e-9 * rate(row->bytes, row)), "tflop_s",
        known_or_null(1e-12 * rate(row->flops, row)), "of_peak", known_or_null(of_peak(row)));
}

static void add_json(Bench *b, const Result *r) {
    const BindingVec *given = &b->s->options->bindings;
    json_t *dims = json_object(), *kernels = json_array();
    for (int i = 0; i < given->count; i++)
        json_object_set_new(dims, given->at[i].name, json_integer(given->at[i].value));
    for (int i = 0; i + 1 < r->count; i++) json_array_append_new(kernels, row_json(&r->rows[i]));
    json_array_append_new(b->functions, json_pack("{s:s, s:o, s:i, s:o, s:o}", "name", r->name,
                                                  "dims", dims, "sets", r->sets, "kernels", kernels,
                                                  "whole", row_json(&r->rows[r->count - 1])));
}

static void put_json(Bench *b) {
    json_t *all =
        json_pack("{s:i, s:s, s:s, s:i, s:o, s:o, s:o, s:O}", "version", 1, "device",
                  b->device->name, "kind", b->device->kind == DEVICE_CUDA ? "cuda" : "cpu",
                  "threads", b->peaks.threads, "copy_gb_s", known_or_null(1e-9 * b->peaks.bytes),
                  "f32_tflop_s", known_or_null(1e-12 * b->peaks.flops), "product_tflop_s",
                  known_or_null(1e-12 * b->peaks.product_flops), "functions", b->functions);
    char *text = all ? json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;
    if (text)
        text_printf(&b->out, "%s\n", text);
    else
        diag_refuse(b->s->diag, "out of memory for the JSON");
    free(text);
    json_decref(all);
}

/* ---- measuring ---------------------------------------------------------------------------- */

static void bench_ready(Bench *b, const Function *f, const Ready *ready) {
    Result r = {.name = f->lowered->name,
                .count = (int)fusec_executable_kernel_count(ready->executable) + 1};
    Timing *timings = arena_array(b->s->arena, Timing, r.count);
    if (!measure(b->s, ready, timings, &r.sets)) return;
    fill_rows(b, f, &r, ready, timings);
    if (b->functions)
        add_json(b, &r);
    else
        put_table(b, &r);
}

static void bench_function(Bench *b, Compilation *c, int number) {
    const Function *f = &c->functions.at[number];
    RunTensors tensors = {0};
    Ready ready = {0};
    if (run_tensors_make(b->s, f->lowered, &tensors) &&
        ready_make(b->s, b->context, c, number, &tensors, &ready))
        bench_ready(b, f, &ready);
    ready_release(&ready);
    run_tensors_free(&tensors);
}

static void compile_and_time(void *of) {
    Bench *b = of;
    Session *s = b->s;
    CompileOptions options = s->options->compile;
    context_target(b->context, &options);
    Compilation *c = compile_tuned(s, b->context, &options, &(Recalls){0});
    bool ok = c && diag_status(s->diag) == STATUS_OK && dims_are_given(s, c) &&
              peaks_measure(s, b->device, &b->peaks);
    if (s->options->json) b->functions = json_array();
    if (ok && !b->functions) put_head(b);
    for (int i = 0; ok && i < c->functions.count && diag_status(s->diag) == STATUS_OK; i++)
        bench_function(b, c, i);
    if (ok && b->functions) put_json(b);
    if (b->out.size) write_output(s, "-", b->out.data, b->out.size);
}

static void measure_advice(void *of) {
    Bench *b = of;
    if (bench_advice(b->s, b->context, &b->out))
        write_output(b->s, "-", text_get(&b->out), b->out.size);
}

static void diagnose(void *of) {
    Bench *b = of;
    Text tables = text_new(b->s->arena);
    if (b->s->options->json) b->functions = json_array();
    if (!bench_diagnose(b->s, b->context, &b->peaks, b->functions, &tables)) return;
    if (b->functions)
        put_json(b);
    else
        put_head(b);
    if (!b->functions) text_printf(&b->out, "\n%s", text_get(&tables));
    write_output(b->s, "-", text_get(&b->out), b->out.size);
}

static void measure_machine(void *of) {
    const Bench *b = of;
    calibrate(b->s, b->context);
}

static void bench_free(void *of) {
    Bench *b = of;
    json_decref(b->functions);
    context_close(b->context);
}

/* One of three things is measured, or none of them; advice is text. */
static bool modes_agree(Session *s) {
    const Options *o = s->options;
    const char *wrong = NULL;
    if (o->calibrate + o->advice + o->diagnose > 1)
        wrong = "--calibrate, --advice and --diagnose are three things: choose one";
    if (o->output && !o->calibrate) wrong = "-o needs --calibrate";
    if (o->advice && o->json) wrong = "--advice prints text: leave --json out";
    if (wrong) diag_error(s->diag, NOWHERE, "%s", wrong);
    return !wrong || is_misuse(s);
}

Status cmd_bench(Session *s) {
    if (!modes_agree(s)) return exit_status(s);
    Bench b = {.s = s, .context = context_open(s), .out = text_new(s->arena)};
    if (!b.context) return exit_status(s);
    b.device = context_device(b.context);
    ensure(s->options->calibrate  ? measure_machine
           : s->options->advice   ? measure_advice
           : s->options->diagnose ? diagnose
                                  : compile_and_time,
           bench_free, &b);
    return exit_status(s);
}
