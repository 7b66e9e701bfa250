/* nvrtc_parts.c: NVRTC in threads of its own: for several parts of a program at a time, and so that
 * whoever waits for it may leave.
 * In: CUDA C++ texts, who watches. Out: as of nvrtc_compile; or a refusal, at once, when the
 * watcher ends it. NVRTC cannot be interrupted: it goes on then, with a copy of its input, and what
 * it makes is dropped. */
#include "runtime/cuda.h"

#include <stdlib.h>
#include <time.h>

enum { ASK_MS = 50 };

/* Of the thread, and of who waits for it: the last one frees it. */
typedef struct Job {
    atomic_int users;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_done; /* with the lock */
    Arena *arena;
    Diag *diag;
    NvrtcInput input;
    NvrtcResult result;
    void *bytes;
    size_t size;
    bool was_left; /* the work, for .. */
    Recovery why;
} Job;

/* ---- jobs --------------------------------------------------------------------------------- */

static const char *copy(Arena *arena, const char *text) {
    return text ? arena_strdup(arena, text) : NULL;
}

static void fill(void *of) {
    Job *job = of;
    const NvrtcInput given = job->input;
    NvrtcPlace *places = arena_array(job->arena, NvrtcPlace, given.place_count + 1);
    for (int i = 0; i < given.place_count; i++)
        places[i] = (NvrtcPlace){given.places[i].source_at, copy(job->arena, given.places[i].place),
                                 copy(job->arena, given.places[i].part)};
    job->diag = diag_new(job->arena, 1);
    job->input = (NvrtcInput){copy(job->arena, given.source),
                              copy(job->arena, given.file),
                              copy(job->arena, given.arch),
                              places,
                              given.place_count,
                              copy(job->arena, given.keep),
                              given.lines};
}

static void job_drop(Job *job) {
    if (atomic_fetch_sub(&job->users, 1) > 1) return;
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->lock);
    arena_free(job->arena);
    free(job->bytes);
    free(job);
}

/* NULL: no memory. */
static Job *job_new(const NvrtcInput *input, NvrtcResult result) {
    Recovery why;
    Job *job = calloc(1, sizeof *job);
    if (!job) return NULL;
    job->arena = arena_new(0);
    job->input = *input;
    job->result = result;
    atomic_init(&job->users, 2);
    if (!job->arena || !recover(fill, job, &why) || pthread_mutex_init(&job->lock, NULL)) {
        arena_free(job->arena);
        free(job);
        return NULL;
    }
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&job->changed, &steady);
    pthread_condattr_destroy(&steady);
    return job;
}

/* ---- the thread --------------------------------------------------------------------------- */

static void compile(void *of) {
    Job *job = of;
    job->bytes = nvrtc_compile(job->diag, &job->input, job->result, &job->size);
}

static void *work(void *of) {
    Job *job = of;
    job->was_left = !recover(compile, job, &job->why);
    pthread_mutex_lock(&job->lock);
    job->is_done = true;
    pthread_cond_signal(&job->changed);
    pthread_mutex_unlock(&job->lock);
    job_drop(job);
    return NULL;
}

static bool start(Job *job) {
    pthread_attr_t detached;
    pthread_t thread;
    if (pthread_attr_init(&detached)) return false;
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    const bool started = thread_start(&thread, &detached, work, job);
    pthread_attr_destroy(&detached);
    return started;
}

/* ---- waiting ------------------------------------------------------------------------------ */

static bool wait_a_moment(Job *job) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ASK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&job->lock);
    int status = 0;
    while (!job->is_done && !status)
        status = pthread_cond_timedwait(&job->changed, &job->lock, &until);
    const bool done = job->is_done;
    pthread_mutex_unlock(&job->lock);
    return done;
}

static void *take(Diag *diag, Job *job, size_t *size) {
    void *bytes = job->bytes;
    const Diag *said = job->diag;
    if (said->refusal && said->no_memory) diag_refuse_memory(diag, "%s", said->refusal);
    if (said->refusal && !said->no_memory) diag_refuse(diag, "%s", said->refusal);
    job->bytes = NULL;
    *size = job->size;
    return bytes;
}

static Job *start_job(const NvrtcInput *input, NvrtcResult result) {
    Job *job = job_new(input, result);
    if (!job || start(job)) return job;
    atomic_store(&job->users, 1);
    job_drop(job);
    return NULL;
}

/* ---- all parts ---------------------------------------------------------------------------- */

typedef struct All {
    Diag *diag;
    const NvrtcInput *input;
    NvrtcResult result;
    const Watch *watch;
    NvrtcCode *code;
    int count;
    bool was_ended, done;
    Job *job[NVRTC_PARTS_MOST]; /* NULL: there is none, or no more */
} All;

/* False: the watcher has ended it. */
static bool wait_for(const All *all, Job *job) {
    while (!wait_a_moment(job))
        if (all->watch && !all->watch->goes_on(all->watch->user)) return false;
    return true;
}

static void finish(All *all, int i) {
    Job *job = all->job[i];
    if (!job) {
        all->code[i].bytes =
            nvrtc_compile(all->diag, &all->input[i], all->result, &all->code[i].size);
        return;
    }
    all->was_ended = !wait_for(all, job);
    if (all->was_ended) return;
    if (job->was_left) leave(&job->why);
    all->code[i].bytes = take(all->diag, job, &all->code[i].size);
    all->job[i] = NULL;
    job_drop(job);
}

static void finish_all(void *of) {
    All *all = of;
    all->done = true;
    for (int i = 0; i < all->count && !all->was_ended; i++) {
        finish(all, i);
        all->done = all->done && all->code[i].bytes;
    }
    if (all->was_ended)
        diag_refuse(all->diag, "NVRTC was left before it was done, as was asked for");
}

static void drop_all(void *of) {
    All *all = of;
    for (int i = 0; i < all->count; i++) {
        if (all->job[i]) job_drop(all->job[i]);
        if (all->done) continue;
        free(all->code[i].bytes);
        all->code[i].bytes = NULL;
    }
}

bool nvrtc_compile_parts(Diag *diag, const NvrtcInput *input, int count, NvrtcResult result,
                         const Watch *watch, NvrtcCode *code) {
    All all = {diag, input, result, watch, code, count, false, false, {NULL}};
    for (int i = 0; i < count; i++) {
        code[i] = (NvrtcCode){NULL, 0};
        if (watch || count > 1) all.job[i] = start_job(&input[i], result);
    }
    ensure(finish_all, drop_all, &all);
    return all.done;
}
