/* race.c: the fastest of several candidates.
 * In: attempts that run. Out: their times, and the winner. All are timed in turns, so that a
 * disturbance of the machine affects all of them; those that are far behind leave the race, so that
 * most measurements are of those that are close. */
#include "tune/tune_private.h"

static const double tie = 0.02; /* relative: what is closer is equally fast */

/* After `rounds` rounds, a candidate leaves that is more than `most` times as slow as the best. */
static const struct {
    int rounds;
    double most;
} heats[] = {{3, 1.3}, {8, 1.1}, {16, 1.05}, {32, 1.03}};
enum { HEATS = sizeof heats / sizeof *heats, FIRST_HEATS = 2, FINALISTS = 4, BATCH_MOST = 64 };
static const double batch_seconds = 300e-6;

int race_batch(double seconds) {
    const double wanted = seconds > 0 ? batch_seconds / seconds + 1 : BATCH_MOST;
    return wanted < BATCH_MOST ? (int)wanted : BATCH_MOST;
}

static bool run_one(Tuner *t, Attempt *a, int kernel, int batch) {
    double seconds;
    if (!attempt_time(t, a, kernel, batch, &seconds)) return false;
    vec_push(t->arena, &a->seconds, seconds);
    attempt_score(a);
    return true;
}

static double best_score(const Attempts *all) {
    double best = 0;
    for (int i = 0; i < all->count; i++)
        if (all->at[i].state == ATTEMPT_RUNS && all->at[i].seconds.count &&
            (best == 0 || all->at[i].score < best))
            best = all->at[i].score;
    return best;
}

static void drop_slow(Attempts *all, double most) {
    const double best = best_score(all);
    for (int i = 1; i < all->count; i++)
        if (all->at[i].state == ATTEMPT_RUNS && all->at[i].score > most * best)
            all->at[i].state = ATTEMPT_IS_SLOW;
}

/* The fastest few, and the default. */
static void keep_finalists(Attempts *all) {
    for (int i = 1; i < all->count; i++) {
        int faster = 0;
        if (all->at[i].state != ATTEMPT_RUNS) continue;
        for (int j = 1; j < all->count; j++)
            faster += all->at[j].state == ATTEMPT_RUNS && all->at[j].seconds.count &&
                      all->at[j].score < all->at[i].score;
        if (faster >= FINALISTS) all->at[i].state = ATTEMPT_IS_SLOW;
    }
}

static int running(const Attempts *all) {
    int count = 0;
    for (int i = 0; i < all->count; i++) count += all->at[i].state == ATTEMPT_RUNS;
    return count;
}

static bool run_round(Tuner *t, Attempts *all, int kernel, int batch, double until) {
    for (int i = 0; i < all->count && !tuner_is_stopped(t); i++) {
        if (i && clock_now() > until) return false;
        if (all->at[i].state == ATTEMPT_RUNS) run_one(t, &all->at[i], kernel, batch);
    }
    return !tuner_is_stopped(t);
}

/* From one heat on, to before another. */
static void run_heats(Tuner *t, Attempts *all, int kernel, int heat, int end, double until) {
    const int batch = race_batch(all->at[0].score);
    for (int round = heat ? heats[heat - 1].rounds : 0; heat < end; heat++) {
        for (; round < heats[heat].rounds; round++) {
            if (running(all) < 2 || !run_round(t, all, kernel, batch, until)) return;
            t->news.best = best_score(all), t->news.first = all->at[0].score;
            tuner_tell(t, NULL);
            if (attempts_overlap(t)) attempts_go_on(t, all, until);
        }
        for (int i = 0; i < all->count; i++) attempt_keep(t, &all->at[i]);
        drop_slow(all, heats[heat].most);
        if (heat) keep_finalists(all);
    }
}

void race_start(Tuner *t, Attempts *all, int kernel, double until) {
    for (int i = 0; i < all->count; i++) /* those of another race were not taken in turns */
        if (all->at[i].state == ATTEMPT_RUNS) all->at[i].seconds.count = 0;
    run_heats(t, all, kernel, 0, FIRST_HEATS, until);
}

void race_finish(Tuner *t, Attempts *all, int kernel, double until) {
    run_heats(t, all, kernel, FIRST_HEATS, HEATS, until);
}

bool race_ahead(Tuner *t, Attempts *all, int kernel) {
    enum { ENOUGH = 3, FAR = 2 };
    const int batch = race_batch(all->at[0].score);
    for (int i = 0; i < all->count; i++) {
        Attempt *a = &all->at[i];
        if (a->state != ATTEMPT_RUNS || a->seconds.count >= ENOUGH) continue;
        if (run_one(t, a, kernel, batch) && i && a->seconds.count == ENOUGH &&
            a->score > FAR * best_score(all))
            a->state = ATTEMPT_IS_SLOW;
        return true;
    }
    return false;
}

int race_winner(const Attempts *all) {
    const double best = best_score(all);
    int winner = 0;
    if (all->at[0].score <= best * (1 + tie)) return 0;
    for (int i = 1; i < all->count; i++) {
        const Attempt *a = &all->at[i];
        if (a->state != ATTEMPT_RUNS || !a->seconds.count || a->score > best * (1 + tie)) continue;
        if (!winner || a->distance < all->at[winner].distance) winner = i;
    }
    return winner;
}

bool race_confirm(Tuner *t, Attempt *first, Attempt *other, int kernel, int pairs, double until) {
    enum { PAIRS_LEAST = 5 };
    const int batch = race_batch(other->score > 0 ? other->score : first->score);
    first->seconds.count = other->seconds.count = 0;
    for (int i = 0; i < pairs && (i < PAIRS_LEAST || clock_now() < until); i++)
        if (!run_one(t, first, kernel, batch) || !run_one(t, other, kernel, batch)) return false;
    return other->score < first->score;
}
