/* tune_private.h: shared by the files of the tuner's side: tune.c, attempts.c, pool.c, race.c. */
#ifndef FUSEC_TUNE_PRIVATE_H
#define FUSEC_TUNE_PRIVATE_H

#include "tune/tune.h"

typedef enum AttemptState {
    ATTEMPT_WAITS,
    ATTEMPT_COMPILES,
    ATTEMPT_IS_COMPILED,
    ATTEMPT_RUNS, /* it was checked, and takes part in the race */
    ATTEMPT_IS_SLOW,
    ATTEMPT_IS_SAME, /* the code of another one */
    ATTEMPT_FAILED
} AttemptState;

/* A tile of one kernel, with what was decided for the kernels before. */
typedef struct Attempt {
    int id;
    Tile tile;
    const char *text, *decisions, *code; /* code: the file */
    char key[40];                        /* of its code; "": not known */
    int distance;                        /* from the default */
    FusePin fusion;                      /* of a partition; a NULL: none */
    uint64_t source;                     /* of the emitted text; 0: not known */
    AttemptState state;
    CacheOutcome outcome;
    char note[128];
    double error;
    int registers, spills; /* of a thread of the kernel; -1: not known */
    int64_t shared;        /* the same */
    int loaded_in;         /* the start of the worker in which it is loaded; 0: in none */
    Vec(double) seconds;
    double score, median, spread;
    bool is_known; /* it was tried before */
} Attempt;

typedef Vec(Attempt) Attempts;

enum { POOL_MOST = 8 };

typedef struct Tuner {
    Diag *diag;
    Arena *arena;
    const TuneOptions *options;
    const CompileOptions *compile;
    const Compilation *c,
        *default_c;    /* of the partition that was decided for; of the default one */
    const Function *f; /* of c */
    Tuned *tuned;
    WorkerCommand command;
    int scratch_lock;
    Worker worker; /* the one that runs candidates */
    Worker pool[POOL_MOST];
    int pool_size, compiling[POOL_MOST]; /* the number of the attempt */
    double compile_deadline[POOL_MOST];
    Attempt first;         /* the default */
    bool is_evaluated;     /* results are compared with the evaluator's at these sizes */
    int next_id, failures; /* failures: starts of the worker that came to nothing, in a row */
    double deadline, start;
    double run_seconds, whole_seconds; /* of the default */
    KeyFields key;                     /* of what is being tuned */
    CacheTrials before;                /* its trials of before */
    Tile imported;                     /* a choice of another machine, which is tried first, */
    bool has_imported, is_pinned;      /* and is to be the choice if it is right */
    double least_seconds; /* of the kernel that is being tuned, by the roofline; 0: not known */
    TuneNews news;
    bool gave_up;
} Tuner;

bool tuner_is_stopped(const Tuner *t); /* interrupted, or no worker can be had */
void tuner_tell(Tuner *t, const Trial *trial);

/* ---- scratch.c: a folder for the workers ----------------------------------------------------- */

/* NULL, with the reason: it cannot be made. The lock is for scratch_remove. */
const char *scratch_make(Arena *arena, int *lock, const char **why);
void scratch_remove(const char *folder, int lock); /* NULL and -1 are fine */

/* ---- attempts.c: which tiles, and what is known of each ------------------------------------- */

int attempts_most(Effort effort);
/* Adds up to `most` tiles of one body of a kernel that are worth trying, the default before all.
 * near: only those that differ from it in one step; NULL: any. */
void attempts_list(Tuner *t, int kernel, int body, const Tile *near, int most, Attempts *all);
/* Adds what is one step from the tile of all->at[best], so many by the effort. */
void attempts_list_near(Tuner *t, int kernel, int body, int best, Attempts *all);
/* Adds one, unless it makes the same code as another, or cannot be compiled. */
void attempt_add(Tuner *t, const Attempt *a, Attempts *all);
/* The lines of the tiles that were chosen so far, with this one for a kernel; NULL: without. */
const char *decisions_text(Tuner *t, int kernel, int body, const char *tile);
void decisions_add(Tuner *t, int kernel, int body, const char *tile);
/* The median in ns of a tile that was tried, by the cache; 0: it was not. */
double attempt_median(Tuner *t, const KeyFields *key, const char *tile);
void attempt_fail(Attempt *a, CacheOutcome outcome, const char *why);
void attempt_keep(Tuner *t, const Attempt *a); /* in the cache: its trial so far */
/* As a Trial, of a kernel or "partition"; part: the body, from 1 on, of a kernel with several. */
void attempt_book(Tuner *t, const char *kernel, int part, const Attempt *a);
void attempt_score(Attempt *a); /* score, median, spread from seconds */
/* How to run one: load, check, time. False: it has failed. */
bool attempt_load(Tuner *t, Attempt *a);
/* As often as that, or at least twice where it takes more than a second. */
bool attempt_check(Tuner *t, Attempt *a, int times);
bool attempt_check_small(Tuner *t, Attempt *a);
/* What the kernel that is being tuned uses, if it is loaded. */
void attempt_use(Tuner *t, Attempt *a);
bool attempt_time(Tuner *t, Attempt *a, int kernel, int batch, double *seconds);

/* ---- partition.c: one kernel or two? -------------------------------------------------------- */

/* Other partitions whose estimated times are close: the default first. */
Attempts partitions_list(Tuner *t, const Attempt *current);
/* Decides for one of them: the next attempts are of its kernels. */
void partition_take(Tuner *t, const Attempt *winner);

/* ---- pool.c: compiling, while what is compiled is checked ----------------------------------- */

/* Compiling takes nothing from what is timed: that runs on a GPU. */
bool attempts_overlap(const Tuner *t);
/* Until all are compiled and checked, or it is `until`. How many run now that did not before? Where
 * they overlap, those that run are timed meanwhile, of one kernel of the program; -1: of the whole.
 */
int attempts_compile(Tuner *t, Attempts *all, int kernel, double until);
/* Goes on compiling, without waiting, beside a race. attempts_compile must follow. */
void attempts_go_on(Tuner *t, Attempts *all, double until);

/* ---- race.c: which is the fastest? ---------------------------------------------------------- */

/* Times those that run, of one kernel of the program; -1: of the whole. Until `until`. First until
 * those that are far behind have left; then the rest. */
void race_start(Tuner *t, Attempts *all, int kernel, double until);
void race_finish(Tuner *t, Attempts *all, int kernel, double until);
/* One time of one that has few: before the race, while others compile. False: there is none. */
bool race_ahead(Tuner *t, Attempts *all, int kernel);
/* The number of the winner: the default unless another is more than 2 % faster. */
int race_winner(const Attempts *all);
/* Times the two alone, in so many turns, fewer after `until`. Is the other one faster? */
bool race_confirm(Tuner *t, Attempt *first, Attempt *other, int kernel, int pairs, double until);
int race_batch(double seconds); /* launches that are timed together */

#endif
