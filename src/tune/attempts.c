/* attempts.c: candidates: which tiles of a kernel are tried, and requests about one of them.
 * In: the legal tiles of a kernel. Out: those worth trying; whether one runs, and how fast. */
#include "tune/tune_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double load_most = 120; /* seconds */

/* ---- which -------------------------------------------------------------------------------- */

int attempts_most(Effort effort) {
    return effort == EFFORT_QUICK ? 5 : effort == EFFORT_FULL ? 32 : 12;
}

static bool is_pinned_otherwise(const Tuner *t, const char *kernel, const Tile *tile) {
    const TilePins *pins = &t->compile->tile_pins;
    for (int i = 0; i < pins->count; i++) {
        const TilePin *pin = &pins->at[i];
        if (pin->kernel ? strcmp(pin->kernel, kernel) != 0 : !tile_has_key(tile, pin->key))
            continue;
        if (!tile_matches(tile, pin)) return true;
    }
    return false;
}

static Attempt attempt_new(Tuner *t, int kernel, int body, const Tile *tile) {
    Text text = text_new(t->arena);
    tile_print(tile, &text);
    Attempt a = {.tile = *tile, .text = text_get(&text), .error = -1};
    a.registers = a.spills = -1, a.shared = -1;
    a.decisions = decisions_text(t, kernel, body, a.text);
    a.distance = tile_distance(&t->f->kernels.tiles[kernel][body], tile);
    return a;
}

/* Of the text that is emitted; 0: it cannot be compiled. */
static uint64_t source_hash(Tuner *t, const Attempt *a) {
    const Source *source = &t->c->diag->sources.at[0];
    const TuneModel model = {source->name, source->text, source->size, t->compile};
    Arena *arena = arena_new(0);
    if (!arena) return 0;
    const Compilation *c = compile_decided(arena, diag_new(arena, 1), &model, a->decisions);
    const uint64_t hash = c ? hash_bytes(c->source.data, c->source.size, 1) : 0;
    arena_free(arena);
    return hash;
}

/* What is known of it from before: it failed, or was far from the fastest; or it is banned. */
static void recall(Tuner *t, Attempt *a) {
    enum { FAR = 2 };
    double best = 0;
    for (int i = 0; i < t->before.count; i++) {
        const CacheTrial *r = &t->before.at[i];
        if (r->outcome == OUTCOME_OK && r->median_ns > 0 && (best == 0 || r->median_ns < best))
            best = r->median_ns; /* else it is banned, and was never tried */
    }
    for (int i = 0; i < t->before.count; i++) {
        const CacheTrial *r = &t->before.at[i];
        const bool is_it = r->ban ? cache_tile_has(a->text, r->tile) : !strcmp(r->tile, a->text);
        if (!is_it || (!r->ban && !t->options->resume)) continue;
        if (r->ban || r->outcome != OUTCOME_OK)
            attempt_fail(a, r->ban ? OUTCOME_RUNTIME : r->outcome,
                         r->ban    ? r->ban
                         : r->note ? r->note
                                   : "");
        else if (r->median_ns > FAR * best)
            a->state = ATTEMPT_IS_SLOW;
        a->is_known = a->state != ATTEMPT_WAITS;
    }
}

double attempt_median(Tuner *t, const KeyFields *key, const char *tile) {
    const CacheTrials trials = cache_trials(t->options->cache, t->diag, t->arena, key);
    for (int i = 0; i < trials.count; i++)
        if (trials.at[i].outcome == OUTCOME_OK && !strcmp(trials.at[i].tile, tile))
            return trials.at[i].median_ns;
    return 0;
}

void attempt_add(Tuner *t, const Attempt *a, Attempts *all) {
    Attempt new = *a;
    new.source = source_hash(t, a);
    if (!new.source) return;
    for (int i = 0; i < all->count; i++)
        if (all->at[i].source == new.source) return;
    recall(t, &new);
    new.id = ++t->next_id;
    new.code = arena_printf(t->arena, "%s/%d.code", t->command.folder, new.id);
    vec_push(t->arena, all, new);
}

/* Would it do what another one does? Then it is not added. */
static void add_if_new(Tuner *t, int kernel, int body, const Attempt *a, Attempts *all) {
    for (int i = 0; i < all->count; i++)
        if (tile_has_same_effect(t->f->kernels.at[kernel], body, &a->tile, &all->at[i].tile))
            return;
    attempt_add(t, a, all);
}

/* A choice of another machine: nothing is believed of it, but it is tried before others. */
static void add_imported(Tuner *t, int kernel, int body, Attempts *all) {
    const TilePin like = {.at = NOWHERE};
    TilePins pins = {0};
    CacheChoice choice;
    t->has_imported = cache_choice_find(t->options->cache, t->diag, t->arena, &t->key, &choice) &&
                      choice.is_imported &&
                      tile_parse_values(diag_new(t->arena, 1), choice.tile, &like, &pins) &&
                      tile_find(t->f->kernels.at[kernel], body, t->f->plan->machine, &pins,
                                t->arena, &t->imported);
    t->is_pinned = t->has_imported && choice.is_pinned;
    if (!t->has_imported) return;
    const Attempt a = attempt_new(t, kernel, body, &t->imported);
    add_if_new(t, kernel, body, &a, all);
}

/* The legal tiles come by expected time; bodies of one kernel have the threads of the first. Not
 * all are looked at: there may be thousands. */
void attempts_list(Tuner *t, int kernel, int body, const Tile *near, int most, Attempts *all) {
    enum { LOOKED_AT = 150 };
    const Kernel *k = t->f->kernels.at[kernel];
    const Tile *own = t->f->kernels.tiles[kernel];
    const TileVec legal = tile_candidates(k, body, t->f->plan->machine, t->arena);
    if (!all->count) {
        Attempt first = attempt_new(t, kernel, body, &own[body]);
        first.source = source_hash(t, &first);
        vec_push(t->arena, all, first);
    }
    const int end = all->count + most;
    if (!near) add_imported(t, kernel, body, all);
    for (int i = 0, looked_at = 0;
         i < legal.count && all->count < end && looked_at < LOOKED_AT && !tuner_is_stopped(t);
         i++) {
        const Tile *tile = &legal.at[i];
        if (is_pinned_otherwise(t, k->name, tile)) continue;
        if (near && tile_distance(near, tile) > 1) continue;
        if (body && tile->threads != own[0].threads) continue;
        const Attempt a = attempt_new(t, kernel, body, tile);
        add_if_new(t, kernel, body, &a, all);
        looked_at++;
    }
}

void attempts_list_near(Tuner *t, int kernel, int body, int best, Attempts *all) {
    static const int most[] = {[EFFORT_QUICK] = 0, [EFFORT_NORMAL] = 6, [EFFORT_FULL] = 16};
    const Tile near = all->at[best].tile;
    attempts_list(t, kernel, body, &near, most[t->options->effort], all);
    t->news.planned = all->count;
}

/* ---- decisions as text -------------------------------------------------------------------- */

static void add_entries(Tuner *t, LockSection *s, int kernel, int body, const char *tile) {
    const TiledKernels *kernels = &t->f->kernels;
    const bool has_parts = kernels->at[kernel]->bodies.count > 1;
    for (int i = 0; i < t->f->plan->groups.count; i++)
        if (kernels->function[i] == kernel)
            vec_push(t->arena, &s->entries,
                     ((LockEntry){t->f->plan->groups.at[i].name, tile, has_parts ? body + 1 : 0,
                                  NOWHERE}));
}

void decisions_add(Tuner *t, int kernel, int body, const char *tile) {
    add_entries(t, &t->tuned->section, kernel, body, tile);
}

const char *decisions_text(Tuner *t, int kernel, int body, const char *tile) {
    Lock lock = {0};
    Text text = text_new(t->arena);
    LockSection s = t->tuned->section;
    s.entries.at = NULL, s.entries.count = s.entries.cap = 0;
    for (int i = 0; i < t->tuned->section.entries.count; i++)
        vec_push(t->arena, &s.entries, t->tuned->section.entries.at[i]);
    if (tile) add_entries(t, &s, kernel, body, tile);
    vec_push(t->arena, &lock.sections, s);
    lock_print(&lock, NULL, &text);
    return text_get(&text);
}

/* ---- what is known ------------------------------------------------------------------------ */

void attempt_fail(Attempt *a, CacheOutcome outcome, const char *why) {
    a->state = ATTEMPT_FAILED;
    a->outcome = outcome;
    if (why != a->note) snprintf(a->note, sizeof a->note, "%s", why);
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Other work on the machine only makes launches slower: the first quartile hardly notices it. */
void attempt_score(Attempt *a) {
    const int count = a->seconds.count;
    if (!count) return;
    double *sorted = malloc(sizeof *sorted * (size_t)count);
    if (!sorted) leave_for_memory(__FILE__, __LINE__);
    memcpy(sorted, a->seconds.at, sizeof *sorted * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    a->score = sorted[(count - 1) / 4];
    a->median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    a->spread = a->median > 0 ? (sorted[3 * (count - 1) / 4] - a->score) / a->median : 0;
    free(sorted);
}

/* A process that is killed loses none that was kept. */
void attempt_keep(Tuner *t, const Attempt *a) {
    const bool is_failure = a->state == ATTEMPT_FAILED;
    if (!t->key.count || a->is_known || (!is_failure && !a->seconds.count)) return;
    const CacheTrial trial = {.tile = a->text,
                              .outcome = is_failure ? a->outcome : OUTCOME_OK,
                              .median_ns = 1e9 * a->median,
                              .spread = a->spread,
                              .rounds = a->seconds.count,
                              .registers = a->registers,
                              .spills = a->spills,
                              .shared_bytes = a->shared,
                              .error = a->error,
                              .note = *a->note ? a->note : NULL,
                              .about = &t->default_c->programs[0].about};
    cache_trial_add(t->options->cache, t->diag, &t->key, &trial);
}

void attempt_book(Tuner *t, const char *kernel, int part, const Attempt *a) {
    Trial trial = {.kernel = kernel,
                   .tile = a->text,
                   .part = part,
                   .outcome = a->state == ATTEMPT_FAILED ? a->outcome : OUTCOME_OK,
                   .median = a->median,
                   .spread = a->spread,
                   .score = a->score,
                   .rounds = a->seconds.count,
                   .error = a->error,
                   .registers = a->registers,
                   .spills = a->spills};
    memcpy(trial.note, a->note, sizeof trial.note);
    vec_push(t->arena, &t->tuned->trials, trial);
    tuner_tell(t, &trial);
}

/* ---- requests ----------------------------------------------------------------------------- */

static CacheOutcome outcome_of(const char *name) {
    const CacheOutcome outcome = name ? outcome_parse(name) : OUTCOME_COUNT;
    return outcome == OUTCOME_COUNT ? OUTCOME_RUNTIME : outcome;
}

/* The response, if it is a good one; to be decref'ed. Else NULL, and the attempt has failed. After
 * an error that the device did not survive the worker is started anew for the next one. */
static json_t *ask(Tuner *t, Attempt *a, json_t *request, double seconds) {
    char why[128] = "the worker does not answer";
    CacheOutcome outcome = OUTCOME_RUNTIME;
    if (!worker_send(&t->worker, request)) worker_kill(&t->worker);
    json_t *response = t->worker.pid ? worker_answer(&t->worker, clock_now() + seconds,
                                                     t->options->stop, &outcome, why)
                                     : NULL;
    if (!response && tuner_is_stopped(t)) { /* no fault of the attempt */
        if (!a->seconds.count) a->state = ATTEMPT_WAITS;
        return NULL;
    }
    if (!response) return attempt_fail(a, outcome, why), NULL;
    if (json_is_true(json_object_get(response, "ok"))) return response;
    outcome = outcome_of(json_string_value(json_object_get(response, "class")));
    const char *text = json_string_value(json_object_get(response, "why"));
    attempt_fail(a, outcome, text ? text : "");
    if (outcome == OUTCOME_STICKY) worker_kill(&t->worker);
    json_decref(response);
    return NULL;
}

static bool ask_for_nothing(Tuner *t, Attempt *a, json_t *request, double seconds) {
    json_t *response = ask(t, a, request, seconds);
    json_decref(response);
    return response;
}

static json_t *request_about(const char *what, const Attempt *a) {
    return json_pack("{s:s, s:i, s:s}", "do", what, "id", a->id, "decisions", a->decisions);
}

static bool load(Tuner *t, Attempt *a) {
    json_t *request = json_pack("{s:s, s:i, s:s, s:s}", "do", "load", "id", a->id, "decisions",
                                a->decisions, "code", a->code);
    if (!ask_for_nothing(t, a, request, load_most)) return false;
    a->loaded_in = t->worker.starts;
    return true;
}

/* 20 times what is expected, and at least 2 s. */
static double patience(double seconds) { return 20 * seconds > 2 ? 20 * seconds : 2; }

static bool run_and_compare(Tuner *t, Attempt *a) {
    json_t *run = json_pack("{s:s, s:i}", "do", "run", "id", a->id);
    json_t *compare = json_pack("{s:s, s:i}", "do", "compare", "id", a->id);
    json_t *response = NULL;
    if (ask_for_nothing(t, a, run, patience(t->run_seconds)))
        response = ask(t, a, compare, load_most);
    else
        json_decref(compare);
    if (response) a->error = json_real_value(json_object_get(response, "error"));
    json_decref(response);
    return response;
}

/* False: it never will start. */
static bool can_start(Tuner *t) {
    const int error = worker_start(&t->worker);
    if (!error) return true;
    t->first.outcome = OUTCOME_RUNTIME;
    snprintf(t->first.note, sizeof t->first.note, "%s cannot be run: %s",
             t->worker.command->words[0], strerror(error));
    return false;
}

/* A worker that has the default, and what results are compared with. The innocent default may have
 * "failed" with the worker of before. */
static bool worker_ensure(Tuner *t) {
    enum { FAILURES_MOST = 5 };
    if (t->worker.pid) return true;
    if (t->gave_up || !can_start(t)) return t->gave_up = true, false;
    Attempt first = t->first;
    json_t *expected = NULL;
    if (load(t, &first)) expected = ask(t, &first, request_about("expect", &first), load_most);
    const bool evaluated = json_is_true(json_object_get(expected, "evaluated"));
    json_decref(expected);
    const bool made = expected && run_and_compare(t, &first);
    t->first.loaded_in = first.loaded_in;
    t->is_evaluated = evaluated;
    if (made) return t->failures = 0, true;
    memcpy(t->first.note, first.note, sizeof first.note);
    t->first.outcome = first.outcome;
    worker_kill(&t->worker);
    t->gave_up = ++t->failures >= FAILURES_MOST || first.outcome == OUTCOME_INCORRECT;
    return false;
}

bool attempt_load(Tuner *t, Attempt *a) {
    while (!t->worker.pid && !t->gave_up && !tuner_is_stopped(t)) worker_ensure(t);
    if (!t->worker.pid) { /* for the reason why the default failed */
        attempt_fail(a, t->first.outcome, t->first.note);
        return false;
    }
    if (a->id == t->first.id) a->loaded_in = t->first.loaded_in;
    return a->loaded_in == t->worker.starts || load(t, a);
}

bool attempt_check(Tuner *t, Attempt *a, int times) {
    enum { LEAST = 2 };
    static const double most = 1; /* seconds */
    const double until = clock_now() + most;
    for (int i = 0; i < times && (i < LEAST || clock_now() < until); i++)
        if (!attempt_load(t, a) || !run_and_compare(t, a)) return false;
    return true;
}

bool attempt_check_small(Tuner *t, Attempt *a) {
    if (t->is_evaluated) return true;
    if (!attempt_load(t, a)) return false;
    return ask_for_nothing(t, a, request_about("small", a), load_most);
}

void attempt_use(Tuner *t, Attempt *a) {
    a->registers = a->spills = -1, a->shared = -1;
    if (t->options->facts.kind != DEVICE_CUDA || !t->worker.pid) return;
    if (a->loaded_in != t->worker.starts) return;
    json_t *response =
        ask(t, a, json_pack("{s:s, s:i, s:s}", "do", "use", "id", a->id, "kernel", t->news.kernel),
            load_most);
    if (!response) return;
    a->registers = (int)json_integer_value(json_object_get(response, "registers"));
    a->spills = (int)json_integer_value(json_object_get(response, "spills"));
    a->shared = json_integer_value(json_object_get(response, "shared"));
    json_decref(response);
}

bool attempt_time(Tuner *t, Attempt *a, int kernel, int batch, double *seconds) {
    if (!attempt_load(t, a)) return false;
    json_t *request = json_pack("{s:s, s:i, s:i, s:i}", "do", "time", "id", a->id, "kernel", kernel,
                                "batch", batch);
    json_t *response = ask(t, a, request, patience((batch + 1) * t->whole_seconds));
    if (!response) return false;
    *seconds = json_real_value(json_object_get(response, "seconds"));
    json_decref(response);
    return true;
}
