/* pool.c: compiles candidates in several processes, while those that are compiled are checked, and
 * on a GPU timed.
 * In: attempts. Out: attempts that are ready for the race, or have failed. */
#include "tune/tune_private.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

static const double compile_most = 60; /* seconds */

/* ---- compiling ---------------------------------------------------------------------------- */

static void start_one(Tuner *t, Attempts *all, int slot, int number) {
    Attempt *a = &all->at[number];
    Worker *w = &t->pool[slot];
    if (!w->pid && worker_start(w)) {
        attempt_fail(a, OUTCOME_RUNTIME, "no process for it");
        return;
    }
    json_t *request = json_pack("{s:s, s:i, s:s, s:s}", "do", "compile", "id", a->id, "decisions",
                                a->decisions, "code", a->code);
    if (!worker_send(w, request)) {
        worker_kill(w);
        attempt_fail(a, OUTCOME_RUNTIME, "the worker does not listen");
        return;
    }
    a->state = ATTEMPT_COMPILES;
    t->compiling[slot] = number;
    t->compile_deadline[slot] = clock_now() + compile_most;
}

static void start_some(Tuner *t, Attempts *all, double until) {
    int number = 0;
    for (int slot = 0; slot < t->pool_size && clock_now() < until; slot++) {
        if (t->pool[slot].is_busy) continue;
        while (number < all->count && all->at[number].state != ATTEMPT_WAITS) number++;
        if (number == all->count) return;
        start_one(t, all, slot, number);
    }
}

/* Is its code that of an earlier one? Then its time is, too. */
static bool is_same(const Attempts *all, const Attempt *a) {
    for (const Attempt *b = all->at; *a->key && b < all->at + all->count; b++)
        if (b != a && b->state != ATTEMPT_FAILED && b->state != ATTEMPT_IS_SAME &&
            !strcmp(a->key, b->key))
            return true;
    return false;
}

static void finish_one(Tuner *t, Attempts *all, int slot) {
    Attempt *a = &all->at[t->compiling[slot]];
    CacheOutcome outcome = OUTCOME_COMPILE;
    char why[128];
    json_t *response =
        worker_answer(&t->pool[slot], t->compile_deadline[slot], t->options->stop, &outcome, why);
    if (!response && tuner_is_stopped(t)) {
        a->state = ATTEMPT_WAITS;
    } else if (!response) {
        attempt_fail(a, outcome == OUTCOME_TIMEOUT ? outcome : OUTCOME_COMPILE, why);
    } else if (json_is_true(json_object_get(response, "ok"))) {
        const char *key = json_string_value(json_object_get(response, "key"));
        snprintf(a->key, sizeof a->key, "%s", key ? key : "");
        a->state = is_same(all, a) ? ATTEMPT_IS_SAME : ATTEMPT_IS_COMPILED;
    } else {
        const char *text = json_string_value(json_object_get(response, "why"));
        attempt_fail(a, OUTCOME_COMPILE, text ? text : "");
    }
    json_decref(response);
}

/* Responses that are there, and those that are late. */
static void finish_some(Tuner *t, Attempts *all) {
    for (int slot = 0; slot < t->pool_size; slot++)
        if (t->pool[slot].is_busy && (channel_is_readable(&t->pool[slot].channel) ||
                                      clock_now() > t->compile_deadline[slot]))
            finish_one(t, all, slot);
}

static bool any_compiles(const Tuner *t) {
    for (int slot = 0; slot < t->pool_size; slot++)
        if (t->pool[slot].is_busy) return true;
    return false;
}

/* A moment, or until there is a response. */
static void wait_for_some(const Tuner *t) {
    enum { MOMENT_MS = 50 };
    struct pollfd of[POOL_MOST];
    nfds_t count = 0;
    for (int slot = 0; slot < t->pool_size; slot++)
        if (t->pool[slot].is_busy)
            of[count++] = (struct pollfd){t->pool[slot].channel.fd, POLLIN, 0};
    poll(of, count, MOMENT_MS);
}

/* ---- checking ----------------------------------------------------------------------------- */

static Attempt *next_compiled(const Attempts *all) {
    for (int i = 0; i < all->count; i++)
        if (all->at[i].state == ATTEMPT_IS_COMPILED) return &all->at[i];
    return NULL;
}

/* There is no time for those that still compile. */
static void abandon(Tuner *t, Attempts *all) {
    for (int slot = 0; slot < t->pool_size; slot++) {
        if (!t->pool[slot].is_busy) continue;
        worker_kill(&t->pool[slot]);
        all->at[t->compiling[slot]].state = ATTEMPT_WAITS;
        t->tuned->is_out_of_time = true;
    }
}

bool attempts_overlap(const Tuner *t) { return t->options->facts.kind == DEVICE_CUDA; }

void attempts_go_on(Tuner *t, Attempts *all, double until) {
    start_some(t, all, until);
    finish_some(t, all);
}

int attempts_compile(Tuner *t, Attempts *all, int kernel, double until) {
    int passed = 0;
    while (!tuner_is_stopped(t) && clock_now() < until) {
        attempts_go_on(t, all, until);
        Attempt *a = next_compiled(all);
        if (a) {
            if (attempt_check(t, a, 1)) {
                a->state = ATTEMPT_RUNS;
                passed++;
                attempt_use(t, a);
            } else {
                attempt_keep(t, a);
            }
            t->news.tried++;
            tuner_tell(t, NULL);
        } else if (any_compiles(t)) {
            if (!attempts_overlap(t) || !race_ahead(t, all, kernel)) wait_for_some(t);
        } else {
            break;
        }
    }
    abandon(t, all);
    return passed;
}
