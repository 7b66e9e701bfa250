/* bench_diagnose.c: fusec bench --diagnose: what limits each kernel, by what was measured.
 * In: a model with dims by -D. Out: a table, or JSON: achieved against peak rates, expected against
 * measured times, the time at twice the first size; the regime of each kernel, and what to do about
 * it. */
#include "cli/command.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const double reached = 0.5, grows = 1.25, far = 2;

typedef enum Regime {
    OVERHEAD, /* the host takes longer to launch it than the device to run it; or twice the size
                 takes less than 1.25 times as long, at less than half of both peaks */
    MEMORY,   /* at least half of the peak bandwidth, and bytes take longer than operations */
    COMPUTE,  /* at least half of the peak rate of operations */
    LATENCY   /* neither */
} Regime;

static const char *const regime_name[] = {"overhead", "memory", "compute", "latency"};
static const char *const advice[] = {
    "larger batches, or fewer launches: one function for more of it, a captured graph of its calls",
    "fewer bytes: narrower types; `fusec explain` tells which kernels stayed apart, and why",
    "`fusec tune` for its tile; narrower types; on a GPU `@precision` chooses faster products",
    "more parallel work: larger sizes, or several small problems as one batch; `fusec tune`"};

typedef struct Row {
    const char *name;
    double seconds, host, doubled, predicted; /* 0: not known */
    double memory, math;                      /* at the peaks */
    double operations;
    Regime regime;
} Row;

typedef struct Diagnosis {
    Session *s;
    FusecContext *context;
    Peaks peaks;
    CompileOptions options;
    json_t *functions; /* NULL: a table */
    Text *out;
} Diagnosis;

typedef struct Rows {
    int count; /* kernels; one more for all of them */
    Row *at;
} Rows;

/* ---- measuring ---------------------------------------------------------------------------- */

/* The least of a few launches: seconds of the host for each kernel. */
static bool time_host(Session *s, const Ready *r, Rows *rows) {
    enum { TIMES = 20 };
    double *seconds = arena_array(s->arena, double, rows->count + 1);
    HostTime *host = arena_array(s->arena, HostTime, rows->count + 1);
    for (int i = 0; i < TIMES; i++) {
        if (!succeeded(s, executable_trace(r->executable, r->at, (size_t)r->count, &r->options,
                                           seconds, (size_t)rows->count, host)))
            return false;
        for (int k = 0; k < rows->count; k++) {
            const double one = host[k].end - host[k].start;
            if (!i || one < rows->at[k].host) rows->at[k].host = one;
        }
    }
    return true;
}

static void fill_row(const Diagnosis *d, const Function *f, const Ready *r, int number, Row *row) {
    FusecKernel kernel = FUSEC_OPTIONS(FusecKernel);
    fusec_executable_kernel(r->executable, (size_t)number, &kernel);
    const Dtype product = kernel.product ? dtype_parse(kernel.product) : T_NONE;
    row->name = arena_strdup(d->s->arena, kernel.name);
    row->operations = kernel.operations > 0 ? (double)kernel.operations : 0;
    row->memory =
        kernel.bytes > 0 ? peaks_least_seconds(&d->peaks, (double)kernel.bytes, 0, product) : 0;
    row->math = peaks_least_seconds(&d->peaks, 0, row->operations, product);
    row->predicted = peaks_expected_seconds(&d->peaks, f, kernel.name);
}

static bool measure_ready(const Diagnosis *d, const Function *f, const Ready *r, Rows *rows) {
    Session *s = d->s;
    int sets;
    rows->count = (int)fusec_executable_kernel_count(r->executable);
    rows->at = arena_array(s->arena, Row, rows->count + 1);
    Timing *timings = arena_array(s->arena, Timing, rows->count + 1);
    if (!measure(s, r, timings, &sets)) return false;
    for (int k = 0; k <= rows->count; k++) rows->at[k].seconds = timings[k].median;
    for (int k = 0; k < rows->count; k++) fill_row(d, f, r, k, &rows->at[k]);
    return r->device->kind == DEVICE_CPU || time_host(s, r, rows);
}

static bool measure_function(const Diagnosis *d, Compilation *c, int number, Rows *rows) {
    Session *s = d->s;
    const Function *f = &c->functions.at[number];
    const int first = s->diag->messages.count;
    RunTensors tensors = {0};
    Ready ready = {0};
    const bool ok = run_tensors_make(s, f->lowered, &tensors) &&
                    ready_make(s, d->context, c, number, &tensors, &ready) &&
                    measure_ready(d, f, &ready, rows);
    ready_release(&ready);
    run_tensors_free(&tensors);
    if (ok) s->diag->messages.count = first; /* that its inputs are random */
    return ok;
}

/* ---- what limits it ------------------------------------------------------------------------- */

static Regime regime_of(const Row *row) {
    const bool is_memory = row->memory >= row->math;
    const double best = is_memory ? row->memory : row->math;
    if (row->host > row->seconds) return OVERHEAD;
    if (best >= reached * row->seconds) return is_memory ? MEMORY : COMPUTE;
    return row->doubled > 0 && row->doubled < grows * row->seconds ? OVERHEAD : LATENCY;
}

/* The same kernels at twice the first size that -D gives. */
static bool take_doubled(const Diagnosis *d, Compilation *doubled, int number, Rows *rows) {
    Rows other;
    if (!doubled) return true;
    if (!measure_function(d, doubled, number, &other)) return false;
    for (int k = 0; other.count == rows->count && k <= rows->count; k++)
        rows->at[k].doubled = other.at[k].seconds;
    return true;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void put_ratio(Text *out, double value, int width) {
    if (value > 0)
        text_printf(out, " %*.2f", width, value);
    else
        text_printf(out, " %*s", width, "-");
}

static void put_row(const Diagnosis *d, const Row *row, int width) {
    const double error = row->predicted > 0 ? row->seconds / row->predicted : 0;
    text_printf(d->out, "  %-*s %12.2f", width, row->name, 1e6 * row->seconds);
    put_ratio(d->out, 1e6 * row->predicted, 12);
    put_ratio(d->out, error, 8);
    text_str(d->out, error > far || (error > 0 && error < 1 / far) ? "!" : " ");
    put_ratio(d->out, row->memory / row->seconds, 8);
    put_ratio(d->out, row->math / row->seconds, 8);
    put_ratio(d->out, 1e6 * row->host, 9);
    put_ratio(d->out, row->doubled / row->seconds, 8);
    text_printf(d->out, "  %s\n", regime_name[row->regime]);
}

static double model_error(const Diagnosis *d, const Rows *rows) {
    double *errors = arena_array(d->s->arena, double, rows->count + 1);
    int known = 0;
    for (int k = 0; k < rows->count; k++) {
        const Row *row = &rows->at[k];
        if (!(row->predicted > 0) || !(row->seconds > 0)) continue;
        const double ratio = row->seconds / row->predicted;
        errors[known++] = ratio > 1 ? ratio : 1 / ratio;
    }
    return known ? median_of(errors, known) : 0;
}

/* Of the operations of all kernels, at the peak of matrix products. */
static double utilisation(const Diagnosis *d, const Rows *rows) {
    const double most =
        d->peaks.product_flops > d->peaks.flops ? d->peaks.product_flops : d->peaks.flops;
    const double seconds = rows->at[rows->count].seconds;
    double operations = 0;
    for (int k = 0; k < rows->count; k++) operations += rows->at[k].operations;
    return most > 0 && seconds > 0 ? operations / most / seconds : 0;
}

static void put_whole(const Diagnosis *d, const Rows *rows, const char *doubled) {
    const Row *whole = &rows->at[rows->count];
    text_printf(d->out, "  whole: %.2f us", 1e6 * whole->seconds);
    if (whole->doubled > 0)
        text_printf(d->out, ", %.2f times that with %s", whole->doubled / whole->seconds, doubled);
    text_printf(d->out, "; %.1f %% of the peak operations (MFU)", 100 * utilisation(d, rows));
    const double error = model_error(d, rows);
    if (error > 0) text_printf(d->out, "; predicted within a factor of %.2f in the median", error);
    text_char(d->out, '\n');
}

static void put_advice(const Diagnosis *d, const Rows *rows) {
    for (Regime regime = OVERHEAD; regime <= LATENCY; regime++) {
        int count = 0;
        for (int k = 0; k < rows->count; k++) {
            if (rows->at[k].regime != regime) continue;
            text_printf(d->out, "%s%s", count++ ? ", " : "  ", rows->at[k].name);
        }
        if (count) text_printf(d->out, ": bound by %s: %s\n", regime_name[regime], advice[regime]);
    }
}

static void put_function(const Diagnosis *d, const char *name, const Rows *rows,
                         const char *doubled) {
    int width = 6;
    for (int k = 0; k < rows->count; k++)
        if ((int)strlen(rows->at[k].name) > width) width = (int)strlen(rows->at[k].name);
    if (d->out->size) text_char(d->out, '\n');
    text_printf(d->out, "%s\n  %-*s %12s %12s %8s  %8s %8s %9s %8s\n", name, width, "kernel",
                "median us", "predicted", "ratio", "of bytes", "of math", "host us", doubled);
    for (int k = 0; k < rows->count; k++) put_row(d, &rows->at[k], width);
    put_whole(d, rows, doubled);
    put_advice(d, rows);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *known(double value) { return value > 0 ? json_real(value) : json_null(); }

static json_t *row_json(const Row *row) {
    return json_pack("{s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "name", row->name,
                     "median_us", 1e6 * row->seconds, "expected_us", known(1e6 * row->predicted),
                     "of_bytes", known(row->memory / row->seconds), "of_math",
                     known(row->math / row->seconds), "host_us", known(1e6 * row->host),
                     "doubled_us", known(1e6 * row->doubled), "regime", regime_name[row->regime],
                     "advice", advice[row->regime]);
}

static void add_function(const Diagnosis *d, const char *name, const Rows *rows,
                         const char *doubled) {
    const Row *whole = &rows->at[rows->count];
    json_t *kernels = json_array();
    for (int k = 0; k < rows->count; k++) json_array_append_new(kernels, row_json(&rows->at[k]));
    json_array_append_new(
        d->functions,
        json_pack("{s:s, s:o, s:f, s:o, s:o, s:o, s:o}", "name", name, "kernels", kernels,
                  "median_us", 1e6 * whole->seconds, "doubled_us", known(1e6 * whole->doubled),
                  "doubled", doubled ? json_string(doubled) : json_null(), "mfu",
                  known(utilisation(d, rows)), "error", known(model_error(d, rows))));
}

/* ---- the command ---------------------------------------------------------------------------- */

static void report_rows(const Diagnosis *d, const char *name, const Rows *rows,
                        const char *doubled) {
    for (int k = 0; k < rows->count; k++) rows->at[k].regime = regime_of(&rows->at[k]);
    if (d->functions)
        add_function(d, name, rows, doubled);
    else
        put_function(d, name, rows, doubled ? arena_printf(d->s->arena, "2 %s", doubled) : "twice");
}

bool bench_diagnose(Session *s, FusecContext *context, Peaks *peaks, json_t *functions, Text *out) {
    Diagnosis d = {.s = s,
                   .context = context,
                   .options = s->options->compile,
                   .functions = functions,
                   .out = out};
    context_target(context, &d.options);
    Compilation *c = compile_tuned(s, context, &d.options, &(Recalls){0}), *doubled = NULL;
    const char *dim = NULL;
    if (!c || diag_status(s->diag) != STATUS_OK || !dims_are_given(s, c)) return false;
    if (!peaks_measure(s, context_device(context), peaks)) return false;
    d.peaks = *peaks;
    if (d.options.binding_count) {
        const DimBinding *first = &d.options.bindings[0];
        doubled = compile_with_size(s, &d.options, 0, 2 * first->value);
        dim = first->name;
    }
    for (int i = 0; i < c->functions.count; i++) {
        Rows rows;
        if (!measure_function(&d, c, i, &rows) || !take_doubled(&d, doubled, i, &rows))
            return false;
        report_rows(&d, c->functions.at[i].lowered->name, &rows, dim);
    }
    return true;
}
