/* cmd_run.c: fusec run: a function of a model on this machine.
 * In: a model and tensors. Out: a line about each output, the outputs as a file, and on request
 * whether they are right and how fast they came; or whether those that another made are right. */
#include "command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Run {
    Session *s;
    const Function *f;
    RunTensors tensors;
    Program program;
    void *workspace;
    Text out;
} Run;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the function --------------------------------------------------------------------------- */

static bool is_one_function(Session *s, const Compilation *c) {
    Text names = text_new(s->arena);
    if (c->functions.count == 1) return true;
    for (int i = 0; i < c->functions.count; i++)
        text_printf(&names, "%s%s", i ? ", " : "", c->functions.at[i].lowered->name);
    diag_error(s->diag, NOWHERE, "%s has %d functions: choose one with --fn: %s",
               s->options->files.at[0], c->functions.count, text_get(&names));
    return false;
}

static bool options_agree(Session *s) {
    const Options *o = s->options;
    if (!o->against || (!o->out_file && !o->repeat)) return true;
    diag_error(s->diag, NOWHERE, "--against runs nothing: it does not go with %s",
               o->out_file ? "--out" : "--repeat");
    return false;
}

/* OpenMP reads it when the library is loaded. */
static void set_threads(int threads) {
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    if (threads) setenv("OMP_NUM_THREADS", text, 1);
}

static bool load(Run *r, const Compilation *c) {
    const Graph *g = r->f->lowered;
    r->program = (Program){.name = plan_identifier(r->s->arena, g->name, false),
                           .source = text_get(&c->source),
                           .input_count = g->inputs.count,
                           .output_count = g->outputs.count,
                           .symbol_count = g->dims->symbols.count};
    set_threads(r->s->options->threads);
    progress_begin("the C compiler works");
    interrupt_hold();
    bool ok = program_load(r->s->diag, &r->program, r->s->options->keep, NULL);
    interrupt_release();
    progress_end();
    return ok;
}

/* ---- running it ----------------------------------------------------------------------------- */

static bool run_once(Run *r) {
    return program_run(r->s->diag, &r->program, r->tensors.input, r->tensors.output,
                       r->tensors.dims, r->workspace);
}

static bool execute(Run *r) {
    r->workspace = program_workspace(r->s->diag, &r->program, r->tensors.dims);
    if (!r->workspace) return false;
    progress_begin("running");
    bool ok = run_once(r);
    progress_end();
    return ok;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Bytes that the kernels move by the plan; 0 when there are too many to count. */
static int64_t plan_bytes(const Run *r) {
    const Plan *plan = r->f->plan;
    int64_t total = 0, read, written;
    for (int i = 0; i < plan->groups.count; i++) {
        const Group *group = &plan->groups.at[i];
        if (!group->bytes_read || !group->bytes_written ||
            !dim_value(plan->g->dims, group->bytes_read, r->tensors.dims, &read) ||
            !dim_value(plan->g->dims, group->bytes_written, r->tensors.dims, &written))
            return 0;
        total += read + written;
    }
    return total;
}

static bool repeat(Run *r) {
    int count = r->s->options->repeat;
    double *seconds = arena_array(r->s->arena, double, count);
    bool ok = true;
    progress_begin("running again");
    for (int i = 0; ok && i < count; i++) {
        double start = now();
        ok = run_once(r);
        seconds[i] = now() - start;
    }
    progress_end();
    if (!ok) return false;
    qsort(seconds, (size_t)count, sizeof *seconds, by_value);
    double median = (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
    int64_t bytes = plan_bytes(r);
    text_printf(&r->out, "%s: median %.3f ms of %d runs", r->f->lowered->name, 1e3 * median, count);
    if (bytes > 0 && median > 0)
        text_printf(&r->out, ", %.2f GB/s of %" PRId64 " bytes", 1e-9 * (double)bytes / median,
                    bytes);
    text_char(&r->out, '\n');
    return true;
}

/* ---- what came out -------------------------------------------------------------------------- */

static bool check(Run *r) {
    const Graph *g = r->f->lowered;
    CheckReport *reports = arena_array(r->s->arena, CheckReport, g->outputs.count);
    progress_begin("the reference evaluator works");
    bool ok = check_outputs(g, r->tensors.dims, (const Tensor *const *)r->tensors.input, true,
                            (const Tensor *const *)r->tensors.output, reports);
    progress_end();
    if (!ok) return false;
    int wrong = 0;
    for (int i = 0; i < g->outputs.count; i++) {
        check_print(g->outputs.at[i].name, &reports[i], &r->out);
        if (r->out.data[r->out.size - 1] != '\n') text_char(&r->out, '\n');
        wrong += !reports[i].ok;
    }
    if (wrong)
        diag_error(r->s->diag, NOWHERE, "%d of %d outputs of %s are wrong", wrong, g->outputs.count,
                   g->name);
    return !wrong;
}

static void summarise(Run *r) {
    const Graph *g = r->f->lowered;
    for (int i = 0; i < g->outputs.count; i++) {
        text_printf(&r->out, "%s: ", g->outputs.at[i].name);
        tensor_summary(r->tensors.output[i], &r->out);
        if (r->out.data[r->out.size - 1] != '\n') text_char(&r->out, '\n');
    }
}

static bool save(Run *r) {
    const Graph *g = r->f->lowered;
    NamedTensor *named = arena_array(r->s->arena, NamedTensor, g->outputs.count);
    for (int i = 0; i < g->outputs.count; i++)
        named[i] =
            (NamedTensor){arena_strdup(r->s->arena, g->outputs.at[i].name), r->tensors.output[i]};
    const NamedTensors all = {named, g->outputs.count, g->outputs.count};
    interrupt_hold();
    bool ok = tensors_write(r->s->diag, r->s->options->out_file, &all);
    interrupt_release();
    return ok;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Outputs that this program did not make. */
static void compare(Run *r) {
    if (!run_tensors_make(r->s, r->f->lowered, &r->tensors)) return;
    if (run_outputs_read(r->s, r->f->lowered, &r->tensors)) check(r);
}

/* A wrong output is still summarised and saved: somebody will want to look at it. */
static void run(Run *r, const Compilation *c) {
    const Options *o = r->s->options;
    if (!run_tensors_make(r->s, r->f->lowered, &r->tensors)) return;
    if (!load(r, c) || !execute(r)) return;
    summarise(r);
    if (o->check && !check(r) && r->s->diag->refusal) return;
    if (o->out_file && !save(r)) return;
    if (o->repeat) repeat(r);
}

Status cmd_run(Session *s) {
    CompileOptions options = s->options->compile;
    options.target = TARGET_C;
    options.emit.entry = options.emit.bare = true;
    Compilation *c = model_compile(s, &options);
    if (!c || diag_status(s->diag) != STATUS_OK) return diag_status(s->diag);
    if (!is_one_function(s, c) || !options_agree(s)) return STATUS_USAGE;
    Run r = {.s = s, .f = &c->functions.at[0], .out = text_new(s->arena)};
    if (s->options->against)
        compare(&r);
    else
        run(&r, c);
    if (r.out.size) write_output(s, "-", r.out.data, r.out.size);
    if (s->options->time_passes) times_print(c);
    free(r.workspace);
    program_free(&r.program);
    run_tensors_free(&r.tensors);
    return diag_status(s->diag);
}
