/* cmd_tune.c: fusec tune: finds the fastest tiles of a model's kernels.
 * In: a model and sizes. Out: what was gained, as lines or JSON; decisions in a file. While it
 * runs, a line that changes, on a terminal; else a line for each kernel. */
#include "cli/command.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A signal handler can use only globals. */
static volatile sig_atomic_t interrupted;

static void note(int number) { interrupted = number; }

static const int held[] = {SIGINT, SIGTERM, SIGHUP};
enum { HELD = sizeof held / sizeof *held };

typedef struct Tuning {
    Session *s;
    CompileOptions compile; /* for the device */
    Compilation *model;     /* its functions, without kernels */
    DeviceKind kind;
    const char *device;
    Cache *cache;
    TuneFacts facts;
    bool is_terminal, line_is_open;
    Lock lock;
    Text out;
    json_t *functions;
} Tuning;

/* ---- while it runs ------------------------------------------------------------------------ */

static double speed_up(double first, double best) { return best > 0 ? first / best : 1; }

/* "geglu_0 (1 of 2): 7 of 12 tried, best 812.4 us, 1.14 times default, 3 s left" */
static void put_news(const TuneNews *n, Text *line) {
    if (!n->kernel) {
        text_str(line, "compiling, checking and timing the default tiles");
        return;
    }
    text_str(line, n->kernel);
    if (n->kernel_number) text_printf(line, " (%d of %d)", n->kernel_number, n->kernel_count);
    text_printf(line, ": %d of %d tried", n->tried, n->planned);
    if (n->best > 0)
        text_printf(line, ", best %.2f us, %.2f times default", 1e6 * n->best,
                    speed_up(n->first, n->best));
    if (n->left > 0) text_printf(line, ", %.0f s left", n->left);
}

static void put_trial(const Trial *trial, Text *line) {
    text_printf(line, "%s %s: ", trial->kernel, trial->tile);
    if (trial->outcome == OUTCOME_OK)
        text_printf(line, "%.2f us, %d rounds", 1e6 * trial->score, trial->rounds);
    else
        text_printf(line, "%s: %s", outcome_name(trial->outcome), trial->note);
}

/* A line that is longer than the terminal is wide could not be replaced by the next one. */
static void show(Tuning *t, const char *line) {
    enum { USUAL = 80 };
    static const char program[] = "fusec: ";
    struct winsize size;
    if (!t->is_terminal) return;
    const bool is_known = !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col;
    const int width = (is_known ? size.ws_col : USUAL) - (int)sizeof program;
    fprintf(stderr, "\r\033[K%s%.*s", program, width > 0 ? width : 0, line);
    t->line_is_open = true;
}

static void end_line(Tuning *t) {
    if (t->line_is_open) fputs("\r\033[K", stderr);
    t->line_is_open = false;
}

/* Lines about every trial, or on a terminal about those that failed. */
static void tell(void *user, const TuneNews *n) {
    Tuning *t = user;
    Arena *arena = arena_new(0);
    if (!arena) return;
    Text line = text_new(arena);
    if (n->trial && (n->trial->outcome != OUTCOME_OK || !t->is_terminal)) {
        end_line(t);
        put_trial(n->trial, &line);
        fprintf(stderr, "fusec: %s\n", text_get(&line));
    } else {
        put_news(n, &line);
        show(t, text_get(&line));
    }
    arena_free(arena);
}

/* ---- what came out ------------------------------------------------------------------------ */

static void put_kernel(const TunedKernel *k, bool is_kept, Text *out) {
    const bool is_changed = is_kept && strcmp(k->tile, k->default_tile) != 0;
    text_printf(out, "  %-24s %10.2f %10.2f %7.2f %6.0f%%", k->name, 1e6 * k->first,
                1e6 * (is_changed ? k->best : k->first),
                is_changed ? speed_up(k->first, k->best) : 1, 100 * k->share);
    if (k->is_skipped)
        text_str(out, "  too short to matter\n");
    else
        text_printf(out, "  %d tried%s%s\n", k->tried, is_changed ? ": " : ", default kept",
                    is_changed ? k->tile : "");
}

static void put_fusion(const FusePin *pin, Text *out) {
    if (pin->b)
        text_printf(out, "  %s %s and %s\n", pin->is_cut ? "apart:" : "one kernel:", pin->a,
                    pin->b);
    else
        text_printf(out, "  parts along k: %lld of %s\n", (long long)pin->parts, pin->a);
}

static void put_tuned(Tuning *t, const Tuned *tuned) {
    Text *out = &t->out;
    text_printf(out, "%s", tuned->fn);
    for (int i = 0; i < t->compile.binding_count; i++)
        text_printf(out, " %s=%lld", t->compile.bindings[i].name,
                    (long long)t->compile.bindings[i].value);
    text_printf(out, " on %s\n  %-24s %10s %10s %7s %7s\n", t->device, "kernel", "default us",
                "tuned us", "times", "part");
    for (int i = 0; i < tuned->kernels.count; i++)
        put_kernel(&tuned->kernels.at[i], tuned->is_kept, out);
    for (int i = 0; i < tuned->section.fusions.count; i++)
        put_fusion(&tuned->section.fusions.at[i], out);
    text_printf(out, "  %-24s %10.2f %10.2f %7.2f\n", "whole", 1e6 * tuned->first,
                1e6 * (tuned->is_kept ? tuned->best : tuned->first),
                tuned->is_kept ? speed_up(tuned->first, tuned->best) : 1);
    text_printf(out, "  %d tiles tried in %.1f s%s\n", tuned->trials.count, tuned->seconds,
                tuned->is_interrupted   ? ", interrupted"
                : tuned->is_out_of_time ? ", the budget is used up"
                                        : "");
}

static json_t *trial_json(const Trial *r) {
    return json_pack("{s:s, s:i, s:s, s:s, s:f, s:f, s:i, s:f, s:i, s:i, s:s}", "kernel", r->kernel,
                     "part", r->part, "tile", r->tile, "outcome", outcome_name(r->outcome),
                     "median_us", 1e6 * r->median, "spread", r->spread, "rounds", r->rounds,
                     "error", r->error, "registers", r->registers, "spills", r->spills, "note",
                     r->note);
}

static json_t *kernel_json(const TunedKernel *k) {
    return json_pack("{s:s, s:f, s:f, s:f, s:s, s:s, s:i, s:i, s:i}", "name", k->name, "default_us",
                     1e6 * k->first, "tuned_us", 1e6 * k->best, "part", k->share, "tile", k->tile,
                     "default_tile", k->default_tile, "tried", k->tried, "failed", k->failed,
                     "incorrect", k->wrong);
}

static void add_json(Tuning *t, const Tuned *tuned) {
    json_t *dims = json_object(), *kernels = json_array(), *trials = json_array();
    for (int i = 0; i < t->compile.binding_count; i++)
        json_object_set_new(dims, t->compile.bindings[i].name,
                            json_integer(t->compile.bindings[i].value));
    for (int i = 0; i < tuned->kernels.count; i++)
        json_array_append_new(kernels, kernel_json(&tuned->kernels.at[i]));
    for (int i = 0; i < tuned->trials.count; i++)
        json_array_append_new(trials, trial_json(&tuned->trials.at[i]));
    json_array_append_new(t->functions,
                          json_pack("{s:s, s:o, s:f, s:f, s:b, s:b, s:b, s:f, s:o, s:o}", "name",
                                    tuned->fn, "dims", dims, "default_us", 1e6 * tuned->first,
                                    "tuned_us", 1e6 * (tuned->is_kept ? tuned->best : tuned->first),
                                    "kept", tuned->is_kept, "interrupted", tuned->is_interrupted,
                                    "out_of_time", tuned->is_out_of_time, "seconds", tuned->seconds,
                                    "kernels", kernels, "trials", trials));
}

static void put_json(Tuning *t) {
    json_t *all =
        json_pack("{s:i, s:s, s:O}", "version", 1, "device", t->device, "functions", t->functions);
    char *text = all ? json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;
    if (text)
        text_printf(&t->out, "%s\n", text);
    else
        diag_refuse(t->s->diag, "out of memory for the JSON");
    free(text);
    json_decref(all);
}

/* ---- functions ---------------------------------------------------------------------------- */

/* This program again, with the same options, for one function on one device. */
static char *const *worker_words(Tuning *t, const char *fn) {
    Session *s = t->s;
    Vec(char *) words = {0};
    /* also where the file was replaced meanwhile */
    vec_push(s->arena, &words, arena_strdup(s->arena, "/proc/self/exe"));
    vec_push(s->arena, &words, arena_strdup(s->arena, "tune-worker"));
    vec_push(s->arena, &words, arena_printf(s->arena, "--fn=%s", fn));
    vec_push(s->arena, &words,
             arena_strdup(s->arena, t->kind == DEVICE_CUDA ? "--device=cuda" : "--device=cpu"));
    for (int i = 0; i < s->options->given.count; i++) {
        const GivenOption *given = &s->options->given.at[i];
        if (given->row->id == OPT_FN || given->row->id == OPT_DEVICE) continue;
        vec_push(s->arena, &words, arena_strdup(s->arena, given->row->name));
        if (given->value) vec_push(s->arena, &words, arena_strdup(s->arena, given->value));
    }
    vec_push(s->arena, &words, arena_strdup(s->arena, "--"));
    vec_push(s->arena, &words, arena_strdup(s->arena, s->options->files.at[0]));
    vec_push(s->arena, &words, NULL);
    return words.at;
}

/* budget: seconds of it; 0: by the effort. */
static void tune_one(Tuning *t, const char *fn, double budget) {
    Session *s = t->s;
    CompileOptions compile = t->compile;
    Tuned tuned;
    compile.fn = fn;
    Compilation *c = compile_file(s, &compile);
    TuneOptions options = {.effort = s->options->effort,
                           .budget = budget,
                           .resume = s->options->resume,
                           .cache = t->cache,
                           .facts = t->facts,
                           .worker = worker_words(t, fn),
                           .stop = &interrupted,
                           .tell = tell,
                           .user = t};
    if (!c || diag_status(s->diag) != STATUS_OK) return;
    const bool done = tune_function(s->diag, c, &compile, &options, &tuned);
    end_line(t);
    if (!done) return;
    if (tuned.first > 0) vec_push(s->arena, &t->lock.sections, tuned.section);
    if (t->functions)
        add_json(t, &tuned);
    else
        put_tuned(t, &tuned);
}

/* Not where an interrupt came before anything was measured: there may be a file of before. */
static void write_lock(Tuning *t) {
    Session *s = t->s;
    Text text = text_new(s->arena);
    if (!t->lock.sections.count) return;
    lock_print(&t->lock, s->options->compile.emit.command, &text);
    if (s->options->tune_lock) write_output(s, s->options->tune_lock, text_get(&text), text.size);
}

/* Functions have equal parts of what is left of the budget; none is a default one. */
static void tune_all(Tuning *t) {
    static const double least = 0.1; /* seconds */
    Session *s = t->s;
    const Compilation *c = t->model;
    const double until = clock_now() + s->options->budget;
    for (int i = 0; i < c->functions.count && !interrupted; i++) {
        const double left = (until - clock_now()) / (c->functions.count - i);
        const double budget = !s->options->budget ? 0 : left > least ? left : least;
        tune_one(t, c->functions.at[i].lowered->name, budget);
        if (diag_status(s->diag) != STATUS_OK) return;
    }
    write_lock(t);
    if (t->functions) put_json(t);
    write_output(s, "-", text_get(&t->out), t->out.size);
}

/* The functions and their dims. Warnings come again when each function is compiled. */
static bool know_model(Tuning *t) {
    Session *s = t->s;
    CompileOptions compile = t->compile;
    const int before = s->diag->messages.count;
    compile.until = STAGE_GRAPH;
    t->model = compile_file(s, &compile);
    if (!t->model || diag_status(s->diag) != STATUS_OK) return false;
    s->diag->messages.count = before;
    return dims_are_given(s, t->model);
}

/* Of a CPU they are measured; those of GPUs are known. */
static bool know_rates(Tuning *t, FusecContext *context) {
    Peaks peaks;
    if (t->kind != DEVICE_CPU || !t->cache) return true; /* they are only recorded */
    show(t, "measuring the rates of the CPU");
    if (!peaks_measure(t->s, context_device(context), &peaks)) return false;
    t->facts.copied = peaks.bytes, t->facts.operations = peaks.flops;
    return true;
}

/* The device is open only as long as it takes to know its name: kernels run in workers. */
static bool know_device(Tuning *t) {
    Session *s = t->s;
    FusecContext *context = context_open(s);
    if (!context) return false;
    Device *device = context_device(context);
    t->kind = device->kind;
    t->device = arena_strdup(s->arena, device->name);
    t->compile = s->options->compile;
    t->compile.keeps_inputs = true;
    context_target(context, &t->compile);
    if (device->arch) t->compile.emit.arch = arena_strdup(s->arena, device->arch);
    const CacheOptions cache = {.folder = s->options->cache, .build = artifact_build()};
    if (context_cache(context)) t->cache = cache_open(s->diag, &cache); /* else that is told */
    t->facts = tune_facts(s->diag, device, t->cache, s->options->threads);
    const bool done = know_model(t) && know_rates(t, context);
    context_close(context);
    return done;
}

/* Told before the search, not after it. */
static bool may_write_lock(Session *s) {
    const char *path = s->options->tune_lock;
    if (!path || !strcmp(path, "-")) return true;
    const char *slash = strrchr(path, '/');
    const char *folder = !slash          ? "."
                         : slash == path ? "/"
                                         : arena_strndup(s->arena, path, (size_t)(slash - path));
    if (!access(folder, W_OK | X_OK)) return true;
    diag_refuse(s->diag, "--tune-lock %s cannot be written: %s: %s", path, folder, strerror(errno));
    return false;
}

static void tune_and_print(void *of) {
    Tuning *t = of;
    if (may_write_lock(t->s) && know_device(t)) tune_all(t);
}

static void tuning_free(void *of) {
    Tuning *t = of;
    end_line(t);
    json_decref(t->functions);
    cache_close(t->cache);
}

Status cmd_tune(Session *s) {
    Tuning t = {.s = s, .out = text_new(s->arena), .is_terminal = isatty(STDERR_FILENO)};
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND}, before[HELD];
    if (s->options->is_tune_worker) return cmd_tune_worker(s);
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < HELD; i++) sigaction(held[i], &action, &before[i]);
    if (s->options->json) t.functions = json_array();
    ensure(tune_and_print, tuning_free, &t);
    for (int i = 0; i < HELD; i++) sigaction(held[i], &before[i], NULL);
    if (interrupted) raise(interrupted);
    return exit_status(s);
}
