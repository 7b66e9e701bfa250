/* cmd_report.c: fusec report: a page about a model.
 * In: a model, sizes; times that fusec bench --json has measured; trials in the cache. Out: HTML.
 */
#include "cli/command.h"

#include "report/report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct Page {
    Session *s;
    Report report;
    json_t *times; /* of --times; NULL */
    Cache *cache;
} Page;

/* ---- times -------------------------------------------------------------------------------- */

static bool wrong_times(const Page *p, const char *why) {
    diag_error(p->s->diag, NOWHERE, "--times '%s': %s", p->s->options->times, why);
    return false;
}

static bool times_read(Page *p) {
    enum { MOST = 16 << 20 };
    Session *s = p->s;
    json_error_t error;
    size_t size;
    char *bytes = file_read(s->diag, s->options->times, MOST, &size);
    if (!bytes) return false;
    p->times = json_loadb(bytes, size, 0, &error);
    free(bytes);
    if (!p->times)
        return wrong_times(p, arena_printf(s->arena, "line %d: %s", error.line, error.text));
    const char *device = json_string_value(json_object_get(p->times, "device"));
    if (!device || !json_is_array(json_object_get(p->times, "functions")))
        return wrong_times(p, "it is not what `fusec bench --json` prints");
    const json_int_t threads = json_integer_value(json_object_get(p->times, "threads"));
    p->report.device = threads ? arena_printf(s->arena, "%s, %d thread%s", device, (int)threads,
                                              threads == 1 ? "" : "s")
                               : arena_strdup(s->arena, device);
    return true;
}

/* The times are of these sizes? */
static bool dims_agree(const Page *p, json_t *dims) {
    const BindingVec *given = &p->s->options->bindings;
    for (int i = 0; i < given->count; i++) {
        json_t *size = json_object_get(dims, given->at[i].name);
        if (size && json_integer_value(size) != given->at[i].value)
            return wrong_times(p,
                               arena_printf(p->s->arena, "measured with %s = %lld, not %lld",
                                            given->at[i].name, (long long)json_integer_value(size),
                                            (long long)given->at[i].value));
    }
    return true;
}

static double median_of_row(json_t *row) {
    const double us = json_number_value(json_object_get(row, "median_us"));
    return us > 0 ? 1e-6 * us : 0;
}

static bool take_times(const Page *p, ReportFunction *f) {
    const Plan *plan = f->f->plan;
    json_t *function, *kernel;
    size_t i, j;
    json_array_foreach(json_object_get(p->times, "functions"), i, function) {
        const char *name = json_string_value(json_object_get(function, "name"));
        if (!name || strcmp(name, plan->g->name) != 0) continue;
        if (!dims_agree(p, json_object_get(function, "dims"))) return false;
        double *seconds = arena_array(p->s->arena, double, plan->groups.count + 1);
        json_array_foreach(json_object_get(function, "kernels"), j, kernel) {
            const char *of = json_string_value(json_object_get(kernel, "name"));
            for (int k = 0; of && k < plan->groups.count; k++)
                if (!strcmp(plan->groups.at[k].name, of)) seconds[k] = median_of_row(kernel);
        }
        seconds[plan->groups.count] = median_of_row(json_object_get(function, "whole"));
        f->measured = seconds;
    }
    return true;
}

/* ---- trials ------------------------------------------------------------------------------- */

static bool is_of(const CacheEntry *e, const char *text) {
    const char *of = entry_value(e, "text");
    return e->kind == CACHE_TUNING && of && !strcmp(of, text);
}

static void take_trials(Page *p, ReportFunction *f) {
    Arena *arena = p->s->arena;
    const CacheEntries all = cache_entries(p->cache, p->s->diag, arena);
    for (int k = 0; k < f->f->plan->groups.count; k++) {
        const char *text = tuning_kernel_text(arena, f->f, k);
        for (int i = 0; i < all.count; i++) {
            const CacheEntry *e = &all.at[i];
            if (!is_of(e, text)) continue;
            const char *threads = entry_value(e, "threads"), *chip = entry_value(e, "chip");
            ReportTrials trials = {.kernel = k, .choice = e->has_choice ? e->choice.tile : NULL};
            trials.device = threads ? arena_printf(arena, "%s, threads: %s", chip, threads) : chip;
            trials.trials = cache_trials(p->cache, p->s->diag, arena, &e->key);
            vec_push(arena, &f->trials, trials);
        }
    }
}

/* ---- the page ----------------------------------------------------------------------------- */

/* Without what stands before the drawing; NULL: dot is not installed. */
static const char *plan_drawing(Page *p, const Plan *plan) {
    Text dot = text_new(p->s->arena);
    plans_dot(&plan, 1, &dot);
    static const char *const flags[] = {"-Tsvg", NULL};
    const char *svg = tool_run(p->s, "dot", flags, text_get(&dot), dot.size).text;
    return svg ? strstr(svg, "<svg") : NULL;
}

static bool add_function(Page *p, const Compilation *c, int number, const Advices *advice) {
    Arena *arena = p->s->arena;
    const Function *f = &c->functions.at[number];
    ReportFunction of = {.f = f};
    of.rooflines = rooflines_make(f->plan, &f->kernels, (Shard){0});
    of.lifetimes = lifetimes_of(f->plan);
    of.unfused = lifetimes_of(plan_unfused(f->plan));
    for (int i = 0; i < advice->count; i++)
        if (advice->at[i].function == number)
            vec_push(arena, &of.advice,
                     arena_printf(arena, "%s: %s", advice->at[i].name, advice->at[i].text));
    of.drawing = plan_drawing(p, f->plan);
    take_trials(p, &of);
    if (p->times && !take_times(p, &of)) return false;
    vec_push(arena, &p->report.functions, of);
    return true;
}

static const char *dims_text(Session *s) {
    const BindingVec *given = &s->options->bindings;
    Text text = text_new(s->arena);
    for (int i = 0; i < given->count; i++)
        text_printf(&text, "%s%s = %lld", i ? ", " : "", given->at[i].name,
                    (long long)given->at[i].value);
    return text_get(&text);
}

static const char *command_text(Session *s) {
    Text text = text_new(s->arena);
    text_str(&text, "fusec report");
    for (int i = 0; i < s->options->word_count; i++)
        text_printf(&text, " %s", s->options->words[i]);
    return text_get(&text);
}

static void make(void *of) {
    Page *p = of;
    Session *s = p->s;
    Text out = text_new(s->arena);
    CompileOptions options = s->options->compile;
    const char *target = s->options->target;
    options.target = target && !strcmp(target, "c") ? &target_c : &target_cuda;
    options.until = STAGE_SOURCE;
    p->report =
        (Report){.arena = s->arena, .out = &out, .command = command_text(s), .dims = dims_text(s)};
    if (!machine_choose(s, &options) || (s->options->times && !times_read(p))) return;
    const CacheOptions cache = {.folder = s->options->cache, .build = artifact_build()};
    const char *folder = cache_folder(s->arena, cache.folder);
    if (folder && cache_is_there(s->arena, folder)) p->cache = cache_open(s->diag, &cache);
    const Compilation *c = p->report.c = compile_file(s, &options);
    if (!c || diag_status(s->diag) != STATUS_OK) return;
    const Advices advice = advice_make(s, c, &options);
    for (int i = 0; i < c->functions.count; i++)
        if (!add_function(p, c, i, &advice)) return;
    if (diag_status(s->diag) != STATUS_OK) return;
    report_print(&p->report);
    write_output(s, s->options->output ? s->options->output : "-", out.data, out.size);
}

static void finish(void *of) {
    Page *p = of;
    json_decref(p->times);
    cache_close(p->cache);
}

Status cmd_report(Session *s) {
    Page page = {.s = s};
    ensure(make, finish, &page);
    return exit_status(s);
}
