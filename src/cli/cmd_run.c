/* cmd_run.c: fusec run: runs a function of a model on this machine.
 * In: a model and tensors. Out: a line about each output, the outputs as a file, and on request a
 * check and a time; or a check of outputs that another program made. */
#include "cli/command.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Run {
    Session *s;
    Compilation *c;
    const Function *f;
    RunTensors tensors;
    FusecContext *context; /* NULL: nothing is computed */
    Ready ready;
    Text out;
} Run;

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

/* Nothing runs: the inputs or outputs are files. */
static bool is_idle(const Options *o) { return o->against || o->inputs_file; }

/* --in x=FILE is expected by some, as --range is so. */
static bool is_input_file(Session *s, const char *path) {
    if (!strchr(path, '=') || !access(path, F_OK)) return is_tensor_file(s->diag, path);
    diag_error(s->diag, NOWHERE, "--in wants a file, named after its input as in x.npy, not '%s'",
               path);
    return false;
}

static bool options_agree(Session *s) {
    const Options *o = s->options;
    for (int i = 0; i < o->in_files.count; i++)
        if (!is_input_file(s, o->in_files.at[i])) return is_misuse(s);
    const char *const others[] = {o->out_file, o->inputs_file, o->against};
    for (int i = 0; i < 3; i++)
        if (others[i] && !is_tensor_file(s->diag, others[i])) return is_misuse(s);
    const char *other = o->out_file               ? "--out"
                        : o->repeat               ? "--repeat"
                        : o->trace                ? "--trace"
                        : o->check && !o->against ? "--check"
                                                  : NULL;
    if (!is_idle(o) || !other) return true;
    diag_error(s->diag, NOWHERE, "%s runs nothing and cannot be combined with %s",
               o->against ? "--against" : "--save-in", other);
    return is_misuse(s);
}

/* Told before anything runs. */
static bool files_hold_all(Session *s, const Graph *g) {
    const Options *o = s->options;
    return (!o->inputs_file || tensors_may_write(s->diag, o->inputs_file, g->inputs.count)) &&
           (!o->out_file || tensors_may_write(s->diag, o->out_file, g->outputs.count));
}

/* ---- running it ----------------------------------------------------------------------------- */

/* seconds: of each kernel, or of all together. */
static bool launch(Run *r, void *const *at, bool is_whole, double *seconds) {
    const Ready *ready = &r->ready;
    size_t kernels = is_whole ? 0 : fusec_executable_kernel_count(ready->executable);
    return succeeded(r->s, fusec_profile(ready->executable, at, (size_t)ready->count,
                                         &ready->options, seconds, kernels));
}

/* One kernel after the other, so that an error names its kernel. */
static bool launch_each(Run *r, void *const *at) {
    size_t kernels = fusec_executable_kernel_count(r->ready.executable);
    return launch(r, at, false, arena_array(r->s->arena, double, (int)kernels + 1)) &&
           ready_download(r->s, &r->ready, at);
}

static bool execute(Run *r) {
    if (!ready_make(r->s, r->context, r->c, 0, &r->tensors, &r->ready)) return false;
    progress_begin("running");
    bool ok = launch_each(r, r->ready.at);
    progress_end();
    return ok;
}

static bool repeat(Run *r) {
    int count = r->s->options->repeat;
    double *seconds = arena_array(r->s->arena, double, count);
    bool ok = true;
    progress_begin("timing");
    for (int i = 0; ok && i < count; i++) ok = launch(r, r->ready.at, true, &seconds[i]);
    progress_end();
    if (!ok) return false;
    double median = median_of(seconds, count);
    int64_t bytes = 0; /* on overflow */
    fusec_function_work(r->ready.function, r->tensors.dims, &bytes, NULL);
    text_printf(&r->out, "%s: median %.3f ms of %d runs", r->f->lowered->name, 1e3 * median, count);
    if (bytes > 0 && median > 0)
        text_printf(&r->out, ", %.2f GB/s of %" PRId64 " bytes", 1e-9 * (double)bytes / median,
                    bytes);
    text_char(&r->out, '\n');
    return true;
}

/* ---- what came out -------------------------------------------------------------------------- */

/* An element that is NaN in both checks little. */
static void warn_nan(Run *r, int output) {
    const Tensor *t = r->tensors.output[output];
    int64_t count = tensor_count(t), nans = 0;
    for (int64_t i = 0; dtype_is_float(t->type) && i < count; i++)
        nans += isnan(tensor_get(t, i).f) != 0;
    if (2 * nans <= count) return;
    diag_warning(r->s->diag, r->f->lowered->outputs.at[output].span,
                 "%" PRId64 " of %" PRId64 " elements of %s are NaN, so this checks little: give "
                 "the inputs valid values, as with --range NAME=0..1",
                 nans, count, r->f->lowered->outputs.at[output].name);
}

/* "kn", or "kn over kc" of an output in the memory of an input, if those are asked for. */
static const char *checked_name(const Run *r, int output, bool is_in_place) {
    const Graph *g = r->f->deferred;
    const int input =
        is_in_place ? executable_may_be(r->ready.executable, g->inputs.count + output) : -1;
    if (input < 0) return g->outputs.at[output].name;
    return arena_printf(r->s->arena, "%s over %s", g->outputs.at[output].name,
                        g->inputs.at[input].name);
}

/* is_in_place: what was right before is told only where it is over an input, or wrong. */
static bool check(Run *r, bool is_in_place) {
    const Graph *g = r->f->deferred;
    CheckReport *reports = arena_array(r->s->arena, CheckReport, g->outputs.count);
    progress_begin("evaluating the reference");
    bool ok = check_outputs(g, r->tensors.dims, (const Tensor *const *)r->tensors.input, true,
                            (const Tensor *const *)r->tensors.output, reports);
    progress_end();
    if (!ok) return false;
    int wrong = 0;
    for (int i = 0; i < g->outputs.count; i++) {
        const char *name = checked_name(r, i, is_in_place);
        wrong += !reports[i].ok;
        if (is_in_place && reports[i].ok && name == g->outputs.at[i].name) continue;
        check_print(name, &reports[i], &r->out);
        if (r->out.data[r->out.size - 1] != '\n') text_char(&r->out, '\n');
        if (!is_in_place) warn_nan(r, i);
    }
    if (wrong)
        diag_error(r->s->diag, NOWHERE, "%d of %d outputs of %s are wrong", wrong, g->outputs.count,
                   g->name);
    return !wrong;
}

/* The same with outputs in the memory of inputs, where they may be. */
static bool check_in_place(Run *r) {
    void **at = ready_in_place(r->s, &r->ready);
    return !at || (ready_again(r->s, &r->ready, at) && launch_each(r, at) && check(r, true));
}

static void summarise(Run *r) {
    const Graph *g = r->f->lowered;
    for (int i = 0; i < g->outputs.count; i++) {
        text_printf(&r->out, "%s: ", g->outputs.at[i].name);
        tensor_summary(r->tensors.output[i], &r->out);
        if (r->out.data[r->out.size - 1] != '\n') text_char(&r->out, '\n');
    }
}

static bool write_tensors(Run *r, const char *path, NamedTensor *named, int count) {
    const NamedTensors all = {named, count, count};
    interrupt_hold();
    bool ok = tensors_write(r->s->diag, path, &all);
    interrupt_release();
    return ok;
}

static bool save_outputs(Run *r) {
    const Graph *g = r->f->lowered;
    NamedTensor *named = arena_array(r->s->arena, NamedTensor, g->outputs.count);
    for (int i = 0; i < g->outputs.count; i++)
        named[i] =
            (NamedTensor){arena_strdup(r->s->arena, g->outputs.at[i].name), r->tensors.output[i]};
    return write_tensors(r, r->s->options->out_file, named, g->outputs.count);
}

static bool save_inputs(Run *r) {
    const Graph *g = r->f->lowered;
    NamedTensor *named = arena_array(r->s->arena, NamedTensor, g->inputs.count);
    for (int i = 0; i < g->inputs.count; i++)
        named[i] =
            (NamedTensor){arena_strdup(r->s->arena, g->inputs.at[i].name), r->tensors.input[i]};
    return write_tensors(r, r->s->options->inputs_file, named, g->inputs.count);
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Writes inputs for another program, or checks outputs that another program made. */
static void exchange(Run *r) {
    const Options *o = r->s->options;
    if (!run_tensors_make(r->s, r->f->lowered, &r->tensors)) return;
    if (o->inputs_file && !save_inputs(r)) return;
    if (o->against && run_outputs_read(r->s, r->f->lowered, &r->tensors)) check(r, false);
}

/* A wrong output is still summarised and saved, for inspection. */
static void run(Run *r) {
    const Options *o = r->s->options;
    if (!run_tensors_make(r->s, r->f->lowered, &r->tensors)) return;
    if (!execute(r)) return;
    summarise(r);
    if (o->check && !(check(r, false) && check_in_place(r)) && r->s->diag->refusal) return;
    if (o->out_file && !save_outputs(r)) return;
    if (o->repeat) repeat(r);
    if (o->trace) trace_write(r->s, r->c, &r->ready);
}

static void run_free(void *of) {
    Run *r = of;
    ready_release(&r->ready);
    run_tensors_free(&r->tensors);
}

static void run_and_print(void *of) {
    Run *r = of;
    is_idle(r->s->options) ? exchange(r) : run(r);
    const bool is_told = r->out.size && !r->s->options->json; /* else by fusec cache verify */
    if (is_told) write_output(r->s, "-", r->out.data, r->out.size);
}

/* A run of the command. */
typedef struct Command {
    Session *s;
    FusecContext *context; /* NULL: nothing is computed */
} Command;

static void run_function(Command *command, Compilation *c) {
    Session *s = command->s;
    Run r = {.s = s,
             .c = c,
             .f = &c->functions.at[0],
             .context = command->context,
             .out = text_new(s->arena)};
    ensure(run_and_print, run_free, &r);
}

static void compile_and_run(void *of) {
    Command *command = of;
    Session *s = command->s;
    CompileOptions options = s->options->compile;
    if (command->context) context_target(command->context, &options);
    Compilation *c = compile_tuned(s, command->context, &options, &(Recalls){0});
    bool ok = c && diag_status(s->diag) == STATUS_OK;
    ok = ok && is_one_function(s, c) && files_hold_all(s, c->functions.at[0].lowered);
    const int first = s->diag->messages.count;
    if (ok) run_function(command, c);
    if (options.warnings_are_errors) diag_warnings_are_errors(s->diag, first);
    if (ok && s->options->time_passes) times_print(c);
}

static void close_context(void *of) { context_close(((Command *)of)->context); }

Status cmd_run(Session *s) {
    const bool idle = is_idle(s->options);
    if (!options_agree(s)) return exit_status(s);
    Command command = {.s = s, .context = idle ? NULL : context_open(s)};
    if (!command.context && !idle) return exit_status(s);
    ensure(compile_and_run, close_context, &command);
    return exit_status(s);
}
