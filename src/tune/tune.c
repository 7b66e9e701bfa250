/* tune.c: tunes one function: kernel after kernel, in the order in which they run.
 * In: a compilation with default tiles. Out: the tiles to use, what they gain, and all trials. What
 * is measured is the kernel in its place: the kernels before it run, too, and leave their results
 * in the caches. At the end the whole function is compared with the default, which stays unless it
 * is slower. */
#include "tune/tune_private.h"

#include <errno.h>
#include <string.h>

static const double part_least = 0.02, /* of the function's time: less is not worth tuning */
    compile_part = 0.6,                /* of a kernel's budget: for compiling */
    final_part = 0.1;                  /* of the whole: for the comparison at the end */

enum { RUNS_OF_WINNER = 10, PAIRS = 12, FINAL_PAIRS = 15, ROUNDS_OF_DEFAULT = 5 };

bool tuner_is_stopped(const Tuner *t) {
    return t->gave_up || (t->options->stop && *t->options->stop);
}

void tuner_tell(Tuner *t, const Trial *trial) {
    if (!t->options->tell) return;
    t->news.left = t->deadline - clock_now();
    t->news.trial = trial;
    t->options->tell(t->options->user, &t->news);
}

/* ---- the folder of workers ---------------------------------------------------------------- */

static bool make_folder(Tuner *t) {
    const char *why;
    t->command =
        (WorkerCommand){t->options->worker, scratch_make(t->arena, &t->scratch_lock, &why)};
    if (!t->command.folder) diag_refuse(t->diag, "%s", why);
    return t->command.folder;
}

static double default_budget(Effort effort) {
    return effort == EFFORT_QUICK ? 2 : effort == EFFORT_FULL ? 30 : 5;
}

/* ---- the default -------------------------------------------------------------------------- */

static LockSection section_new(Tuner *t) {
    const CompileOptions *o = t->compile;
    Text dims = text_new(t->arena);
    for (int i = 0; i < o->binding_count; i++)
        text_printf(&dims, "%s%s=%lld", i ? " " : "", o->bindings[i].name,
                    (long long)o->bindings[i].value);
    return (LockSection){.fn = t->f->lowered->name,
                         .target = lock_target(t->arena, o),
                         .numeric = numeric_mode(t->arena, t->f->lowered),
                         .dims = text_get(&dims),
                         .size = size_planned(t->arena, o, t->f->plan),
                         .at = NOWHERE,
                         .target_at = NOWHERE,
                         .numeric_at = NOWHERE,
                         .size_at = NOWHERE};
}

/* Of several times the same: what other work disturbs least. */
static bool time_alone(Tuner *t, Attempt *a, int kernel, double *seconds) {
    a->seconds.count = 0;
    double one;
    if (!attempt_time(t, a, kernel, 1, &one)) return false;
    for (int i = 0; i < ROUNDS_OF_DEFAULT; i++) {
        if (!attempt_time(t, a, kernel, race_batch(one), &one)) return false;
        vec_push(t->arena, &a->seconds, one);
    }
    attempt_score(a);
    *seconds = a->score;
    return true;
}

static bool refuse_default(Tuner *t) {
    if (tuner_is_stopped(t) && !t->gave_up) return true;
    diag_refuse(t->diag, "%s with default tiles: %s: %s", t->f->lowered->name,
                outcome_name(t->first.outcome), t->first.note);
    return false;
}

/* The default is right, and this is how fast it is. A worker that somebody kills is replaced. False
 * after a refusal; with an interrupt nothing is known. */
static bool measure_default(Tuner *t) {
    enum { TRIES = 4 };
    static const double at_first = 10; /* seconds that one run may take */
    t->first = (Attempt){.id = ++t->next_id, .error = -1, .state = ATTEMPT_RUNS};
    t->first.registers = t->first.spills = -1, t->first.shared = -1;
    t->first.decisions = decisions_text(t, 0, 0, NULL);
    t->first.code = "";
    t->run_seconds = t->whole_seconds = at_first;
    bool measured = false;
    for (int i = 0; !measured && i < TRIES && !tuner_is_stopped(t); i++) {
        if (t->first.outcome == OUTCOME_INCORRECT || t->first.outcome == OUTCOME_COMPILE) break;
        t->first.state = ATTEMPT_RUNS;
        const bool loaded = attempt_load(t, &t->first);
        const double start = clock_now();
        measured = loaded && attempt_check(t, &t->first, 1);
        if (measured) t->run_seconds = clock_now() - start;
        measured = measured && attempt_check_small(t, &t->first) &&
                   time_alone(t, &t->first, -1, &t->whole_seconds);
    }
    if (!measured) return refuse_default(t);
    t->tuned->first = t->tuned->best = t->whole_seconds;
    return true;
}

/* ---- a kernel ----------------------------------------------------------------------------- */

/* The attempt's number, or 0: the winner of the race, if it wins again against the default alone,
 * and is right in each of several runs. */
static int winner_of(Tuner *t, Attempts *all, int of_program, double until) {
    for (;;) {
        const int winner = race_winner(all);
        Attempt *a = &all->at[winner], *first = &all->at[0];
        if (!winner || tuner_is_stopped(t)) return 0;
        if (!race_confirm(t, first, a, of_program, PAIRS, until) || race_winner(all) != winner)
            if (a->state == ATTEMPT_RUNS) a->state = ATTEMPT_IS_SLOW;
        if (a->state == ATTEMPT_RUNS && attempt_check(t, a, RUNS_OF_WINNER) &&
            attempt_check_small(t, a))
            return winner;
        if (first->state != ATTEMPT_RUNS) return 0;
    }
}

static void unload_others(Tuner *t, const Attempts *all, int kept) {
    for (int i = 1; i < all->count && t->worker.pid; i++) {
        const Attempt *a = &all->at[i];
        CacheOutcome outcome;
        char why[128];
        if (i == kept || a->loaded_in != t->worker.starts) continue;
        if (!worker_send(&t->worker, json_pack("{s:s, s:i}", "do", "unload", "id", a->id))) return;
        json_decref(worker_answer(&t->worker, clock_now() + 10, t->options->stop, &outcome, why));
    }
}

static void book_all(Tuner *t, TunedKernel *kernel, int number, int body, const Attempts *all) {
    for (int i = 0; i < all->count; i++) {
        const Attempt *a = &all->at[i];
        const bool timed = a->seconds.count > 0;
        if (a->is_known) continue;
        attempt_keep(t, a);
        if (a->state == ATTEMPT_FAILED || (timed && a->state != ATTEMPT_WAITS)) {
            const Kernel *k = t->f->kernels.at[number];
            attempt_book(t, k->name, k->bodies.count > 1 ? body + 1 : 0, a);
            kernel->tried++;
        }
        kernel->failed += a->state == ATTEMPT_FAILED;
        kernel->wrong += a->state == ATTEMPT_FAILED && a->outcome == OUTCOME_INCORRECT;
    }
}

/* All against each other, then with what is one step from the best of them, which may be better
 * still. On a GPU that is compiled beside the race. */
static void race_all(Tuner *t, Attempts *all, int number, int body, int of_program, double until) {
    const bool overlaps = attempts_overlap(t);
    const int before = all->count;
    race_start(t, all, of_program, until);
    if (overlaps) attempts_list_near(t, number, body, race_winner(all), all);
    race_finish(t, all, of_program, until);
    const double now = clock_now();
    if (!overlaps && now < until && !tuner_is_stopped(t))
        attempts_list_near(t, number, body, race_winner(all), all);
    if (!overlaps && all->count == before) return;
    if (!attempts_compile(t, all, of_program, now + compile_part * (until - now))) return;
    race_start(t, all, of_program, until);
    race_finish(t, all, of_program, until);
}

/* Also the default is a choice: it was compared with others. An interrupted search decides
 * nothing. */
static void keep_choice(Tuner *t, const Attempt *winner, const Attempt *first, bool is_pinned) {
    const CacheChoice choice = {.tile = winner->text,
                                .median_ns = 1e9 * winner->median,
                                .default_ns = 1e9 * first->median,
                                .roofline_ns = 1e9 * t->least_seconds,
                                .is_pinned = is_pinned,
                                .driver = t->options->facts.driver,
                                .about = &t->default_c->programs[0].about};
    if (!tuner_is_stopped(t) && first->seconds.count)
        cache_choice_set(t->options->cache, t->diag, &t->key, &choice);
}

/* The one that was imported as pinned, if its results are right; -1: there is none. */
static int find_pinned(const Tuner *t, int kernel, int body, const Attempts *all) {
    for (int i = 0; t->has_imported && t->is_pinned && i < all->count; i++)
        if (all->at[i].seconds.count &&
            tile_has_same_effect(t->f->kernels.at[kernel], body, &all->at[i].tile, &t->imported))
            return i;
    return -1;
}

/* One body of a kernel. `current`: the attempt with all that was decided so far; it becomes the
 * winner. */
static void tune_body(Tuner *t, TunedKernel *kernel, int number, int body, int of_program,
                      Attempt *current, double until) {
    Attempts all = {0};
    t->key = tuning_key(t->arena, &t->options->facts, t->f, number, body, t->compile);
    t->least_seconds = tuning_least(&t->options->facts, t->f, number);
    t->before = cache_trials(t->options->cache, t->diag, t->arena, &t->key);
    attempts_list(t, number, body, NULL, attempts_most(t->options->effort) - 1, &all);
    const double now = clock_now();
    const Attempt listed = all.at[0];
    all.at[0] = *current;
    all.at[0].text = listed.text, all.at[0].tile = listed.tile;
    all.at[0].source = listed.source;
    all.at[0].state = ATTEMPT_RUNS;
    all.at[0].score = kernel->best;
    all.at[0].seconds.at = NULL, all.at[0].seconds.count = all.at[0].seconds.cap = 0;
    attempt_use(t, &all.at[0]);
    t->news.planned = all.count, t->news.tried = 1;
    attempts_compile(t, &all, of_program, now + compile_part * (until - now));
    race_all(t, &all, number, body, of_program, until);
    const int winner = winner_of(t, &all, of_program, until);
    if (winner) decisions_add(t, number, body, all.at[winner].text);
    if (winner) *current = all.at[winner];
    if (all.at[winner].seconds.count) kernel->best = all.at[winner].score;
    if (all.at[0].seconds.count && !body) kernel->first = all.at[0].score;
    book_all(t, kernel, number, body, &all);
    const int pinned = find_pinned(t, number, body, &all);
    keep_choice(t, &all.at[pinned < 0 ? winner : pinned], &all.at[0], pinned >= 0);
    unload_others(t, &all, winner);
}

/* ---- the partition ------------------------------------------------------------------------ */

static void book_partition(Tuner *t, const Attempt *a) {
    if (!a->is_known) attempt_keep(t, a);
    if (a->state == ATTEMPT_FAILED || a->seconds.count) attempt_book(t, PARTITION, 0, a);
}

/* With default tiles: those of other kernels are not known yet. */
static void tune_partition(Tuner *t, Attempt *current) {
    static const double part = 0.2; /* of the budget */
    t->key = partition_key(t->arena, &t->options->facts, t->f, t->compile);
    t->before = cache_trials(t->options->cache, t->diag, t->arena, &t->key);
    Attempts all = partitions_list(t, current);
    const double now = clock_now();
    const double seconds =
        t->options->budget ? part * t->options->budget : default_budget(t->options->effort);
    if (all.count < 2 || tuner_is_stopped(t)) return;
    t->news.kernel = PARTITION, t->news.planned = all.count, t->news.tried = 1;
    t->news.first = t->news.best = t->whole_seconds;
    all.at[0].state = ATTEMPT_RUNS;
    all.at[0].seconds.at = NULL, all.at[0].seconds.count = all.at[0].seconds.cap = 0;
    attempts_compile(t, &all, -1, now + compile_part * seconds);
    race_start(t, &all, -1, now + seconds);
    race_finish(t, &all, -1, now + seconds);
    const int winner = winner_of(t, &all, -1, now + seconds);
    for (int i = 0; i < all.count; i++) book_partition(t, &all.at[i]);
    keep_choice(t, &all.at[winner], &all.at[0], false);
    if (winner) partition_take(t, &all.at[winner]);
    if (winner) *current = all.at[winner];
    unload_others(t, &all, winner);
}

/* ---- all kernels -------------------------------------------------------------------------- */

/* What is tuned: a kernel with a function of its own. */
typedef struct Part {
    int number, of_program; /* in the plan; in the program, -1: it is the only one */
    TunedKernel kernel;
} Part;

typedef Vec(Part) Parts;

static const char *tiles_text(Tuner *t, int kernel) {
    Text text = text_new(t->arena);
    for (int body = 0; body < t->f->kernels.at[kernel]->bodies.count; body++) {
        if (body) text_str(&text, "; ");
        tile_print(&t->f->kernels.tiles[kernel][body], &text);
    }
    return text_get(&text);
}

/* How long each takes with its default tile, in the partition that was decided for. */
static Parts list_parts(Tuner *t, Attempt *current) {
    const Plan *plan = t->f->plan;
    const int launched = t->c->programs[0].kernel_count;
    Parts parts = {0};
    for (int i = 0, of_program = 0; i < plan->groups.count; i++) {
        if (plan->groups.at[i].once) continue;
        const int at = of_program++;
        if (t->f->kernels.function[i] != i) continue;
        Part part = {.number = i, .of_program = launched > 1 ? at : -1};
        part.kernel = (TunedKernel){.name = plan->groups.at[i].name,
                                    .default_tile = tiles_text(t, i),
                                    .first = t->whole_seconds,
                                    .share = 1};
        if (launched > 1 && !time_alone(t, current, at, &part.kernel.first)) break;
        part.kernel.best = part.kernel.first;
        part.kernel.tile = part.kernel.default_tile;
        if (launched > 1) part.kernel.share = part.kernel.first / t->whole_seconds;
        part.kernel.share *= t->f->kernels.calls[i] > 1 ? t->f->kernels.calls[i] : 1;
        part.kernel.is_skipped = part.kernel.share < part_least;
        vec_push(t->arena, &parts, part);
    }
    return parts;
}

static void tune_parts(Tuner *t, Parts *parts, Attempt *current) {
    int left = 0;
    for (int i = 0; i < parts->count; i++)
        if (!parts->at[i].kernel.is_skipped)
            left += t->f->kernels.at[parts->at[i].number]->bodies.count;
    if (!t->options->budget) t->deadline = clock_now() + left * default_budget(t->options->effort);
    const double end = t->deadline - (t->options->budget ? final_part * t->options->budget : 0);
    t->news.kernel_count = left;
    for (int i = 0; i < parts->count && !tuner_is_stopped(t); i++) {
        Part *part = &parts->at[i];
        const int bodies = t->f->kernels.at[part->number]->bodies.count;
        if (part->kernel.is_skipped) continue;
        for (int body = 0; body < bodies && !tuner_is_stopped(t); body++, left--) {
            const double now = clock_now();
            t->tuned->is_out_of_time |= now >= end;
            if (now >= end) return;
            t->news.kernel = part->kernel.name, t->news.kernel_number++;
            t->news.first = t->news.best = part->kernel.first;
            tune_body(t, &part->kernel, part->number, body, part->of_program, current,
                      now + (end - now) / left);
        }
    }
    t->tuned->is_out_of_time |= clock_now() >= end;
}

/* The tile that was decided for a kernel's part; the default if none was. */
static const char *tile_of(const Tuner *t, int kernel, int part) {
    const char *name = t->f->plan->groups.at[kernel].name;
    for (int i = 0; t->tuned->is_kept && i < t->tuned->section.entries.count; i++) {
        const LockEntry *e = &t->tuned->section.entries.at[i];
        if (!strcmp(e->kernel, name) && e->part == part) return e->tile;
    }
    Text text = text_new(t->arena);
    tile_print(&t->f->kernels.tiles[kernel][part ? part - 1 : 0], &text);
    return text_get(&text);
}

/* All kernels, also those with their default: so the file says what will run. */
static void complete_section(Tuner *t) {
    LockSection all = t->tuned->section;
    all.entries.at = NULL, all.entries.count = all.entries.cap = 0;
    for (int i = 0; i < t->f->plan->groups.count; i++) {
        const int bodies = t->f->kernels.at[i]->bodies.count;
        for (int body = 0; body < bodies; body++) {
            const int part = bodies > 1 ? body + 1 : 0;
            const LockEntry e = {t->f->plan->groups.at[i].name, tile_of(t, i, part), part, NOWHERE};
            vec_push(t->arena, &all.entries, e);
        }
    }
    t->tuned->section = all;
}

/* The whole is not faster: partition and tiles are the default ones again. */
static void choose_defaults(Tuner *t) {
    t->c = t->default_c;
    t->f = &t->c->functions.at[0];
    if (t->tuned->section.fusions.count) {
        const KeyFields key = partition_key(t->arena, &t->options->facts, t->f, t->compile);
        const CacheChoice choice = {.tile = partition_print(t->arena, NULL),
                                    .driver = t->options->facts.driver,
                                    .about = &t->default_c->programs[0].about};
        cache_choice_set(t->options->cache, t->diag, &key, &choice);
    }
    t->tuned->section.fusions.count = 0;
    for (int i = 0; i < t->f->plan->groups.count; i++)
        for (int body = 0; body < t->f->kernels.at[i]->bodies.count; body++) {
            Text text = text_new(t->arena);
            const KeyFields key =
                tuning_key(t->arena, &t->options->facts, t->f, i, body, t->compile);
            tile_print(&t->f->kernels.tiles[i][body], &text);
            const double ns = attempt_median(t, &key, text_get(&text));
            const CacheChoice choice = {.tile = text_get(&text),
                                        .median_ns = ns,
                                        .default_ns = ns,
                                        .driver = t->options->facts.driver,
                                        .about = &t->default_c->programs[0].about};
            if (t->f->kernels.function[i] == i)
                cache_choice_set(t->options->cache, t->diag, &key, &choice);
        }
}

/* The whole function against the default, in turns. */
static void compare_whole(Tuner *t, Attempt *current) {
    Tuned *tuned = t->tuned;
    const double until = clock_now() + 0.1 * (t->deadline - t->start) + 0.2;
    if (!tuned->section.entries.count && !tuned->section.fusions.count) return;
    tuned->is_kept = race_confirm(t, &t->first, current, -1, FINAL_PAIRS, until);
    if (t->first.seconds.count) tuned->first = t->first.score;
    if (current->seconds.count) tuned->best = current->score;
    if (!tuned->is_kept && tuner_is_stopped(t)) tuned->is_kept = current->state == ATTEMPT_RUNS;
    if (!tuned->is_kept) choose_defaults(t);
}

static void tune(void *of) {
    Tuner *t = of;
    tuner_tell(t, NULL);
    if (!make_folder(t) || !measure_default(t) || tuner_is_stopped(t)) return;
    Attempt current = t->first;
    tune_partition(t, &current);
    Parts parts = list_parts(t, &current);
    tune_parts(t, &parts, &current);
    const Compilation *compared = t->c;
    compare_whole(t, &current);
    if (t->c != compared) parts = list_parts(t, &t->first);
    for (int i = 0; i < parts.count; i++) {
        TunedKernel *kernel = &parts.at[i].kernel;
        kernel->tile =
            tile_of(t, parts.at[i].number, t->f->kernels.at[parts.at[i].number]->bodies.count > 1);
        vec_push(t->arena, &t->tuned->kernels, *kernel);
    }
}

static void end(void *of) {
    Tuner *t = of;
    worker_kill(&t->worker);
    for (int i = 0; i < t->pool_size; i++) worker_kill(&t->pool[i]);
    scratch_remove(t->command.folder, t->scratch_lock);
}

/* Processes that compile. One processor stays for the worker, if that runs beside them. */
static int pool_size(const TuneOptions *options) {
    const int count = processors_here() - (options->facts.kind == DEVICE_CUDA);
    return count < 1 ? 1 : count > POOL_MOST ? POOL_MOST : count;
}

bool tune_function(Diag *diag, const Compilation *c, const CompileOptions *compile,
                   const TuneOptions *options, Tuned *tuned) {
    Tuner t = {.diag = diag,
               .arena = c->arena,
               .options = options,
               .compile = compile,
               .c = c,
               .f = &c->functions.at[0],
               .default_c = c,
               .tuned = tuned,
               .pool_size = pool_size(options),
               .scratch_lock = -1,
               .start = clock_now()};
    *tuned = (Tuned){.fn = c->functions.at[0].lowered->name};
    t.deadline = t.start + options->budget;
    t.worker.command = &t.command;
    for (int i = 0; i < t.pool_size; i++) t.pool[i].command = &t.command;
    tuned->section = section_new(&t);
    ensure(tune, end, &t);
    complete_section(&t);
    tuned->is_interrupted = options->stop && *options->stop;
    tuned->seconds = clock_now() - t.start;
    return !diag->refusal;
}
