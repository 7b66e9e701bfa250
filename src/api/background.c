/* background.c: threads of a context that compile better variants in the background.
 * In: functions whose calls request it. Out: exact variants in their tables. */
#include "api/api.h"

#include <semaphore.h>
#include <unistd.h>

enum { THREADS_MOST = 16, SPECIALISATIONS_MOST = 64 };

struct Workers {
    FusecContext *context;
    pid_t process; /* that the threads are in: one that is forked from it has none */
    pthread_t thread[THREADS_MOST];
    int count;
    sem_t asked;
    pthread_mutex_t lock; /* of what follows, and of FusecFunction.next_in_context and .compiling */
    pthread_cond_t idle;
    FusecFunction *functions;
    bool stops;
};

/* ---- one piece of work -------------------------------------------------------------------- */

typedef struct Wanted {
    FusecFunction *f;
    int64_t dims[DIMS_MOST];
} Wanted;

static bool take_work(Workers *w, Wanted *wanted) {
    for (wanted->f = w->functions; wanted->f; wanted->f = wanted->f->next_in_context)
        if (policy_take_wanted(wanted->f, wanted->dims)) break;
    if (wanted->f) wanted->f->compiling++;
    return wanted->f;
}

static FusecStatus add_exact(void *of) {
    Wanted *wanted = of;
    FusecFunction *f = wanted->f;
    const Variant *found = variant_find(atomic_load(&f->table), wanted->dims, f->dim_count, true);
    if ((found && found->is_exact) || f->specialisations == SPECIALISATIONS_MOST) return FUSEC_OK;
    f->specialisations++;
    return prepare_specialised(f, wanted->dims, specialise_exactly(f, wanted->dims));
}

/* Nobody waits for its status: it goes to the log. */
static void tell_failure(const FusecContextOptions *o) {
    const FusecError *error = fusec_last_error();
    const FusecMessage message = {.severity = FUSEC_WARNING,
                                  .text = error->text,
                                  .file = error->file,
                                  .line = error->line,
                                  .column = error->column,
                                  .rendered = error->text};
    if (o->log) o->log(o->log_user, &message);
}

static void do_work(Workers *w, Wanted *wanted) {
    FusecFunction *f = wanted->f;
    FusecStatus status = function_lock(f);
    if (!status) {
        status = device_run(w->context, true, add_exact, wanted);
        function_unlock(f);
    }
    if (status) tell_failure(&w->context->options);
    pthread_mutex_lock(&w->lock);
    f->compiling--;
    pthread_cond_broadcast(&w->idle);
    pthread_mutex_unlock(&w->lock);
}

static void *work(void *of) {
    Workers *w = of;
    for (;;) {
        Wanted wanted;
        while (sem_wait(&w->asked)) continue; /* interrupted */
        pthread_mutex_lock(&w->lock);
        bool stops = w->stops, has_work = !stops && take_work(w, &wanted);
        pthread_mutex_unlock(&w->lock);
        if (stops) return NULL;
        if (has_work) do_work(w, &wanted);
    }
}

/* ---- the threads -------------------------------------------------------------------------- */

FusecStatus workers_start(FusecContext *context) {
    int count = context->options.background_threads;
    if (!count) return FUSEC_OK;
    if (count > THREADS_MOST)
        return api_fail_argument("options.background_threads",
                                 "options.background_threads is more than %d", THREADS_MOST);
    Workers *w = context->workers = arena_new_of(context->handle.arena, Workers);
    w->context = context;
    w->process = getpid();
    sem_init(&w->asked, 0, 0);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->idle, NULL);
    for (; w->count < count; w->count++)
        if (!thread_start(&w->thread[w->count], NULL, work, w))
            return api_fail(FUSEC_REFUSED, "pthread_create failed");
    return FUSEC_OK;
}

static bool is_forked(const Workers *w) { return w->process != getpid(); }

void workers_stop(Workers *w) {
    if (!w || is_forked(w)) return;
    pthread_mutex_lock(&w->lock);
    w->stops = true;
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->count; i++) sem_post(&w->asked);
    for (int i = 0; i < w->count; i++) pthread_join(w->thread[i], NULL);
    pthread_cond_destroy(&w->idle);
    pthread_mutex_destroy(&w->lock);
    sem_destroy(&w->asked);
}

/* ---- functions ---------------------------------------------------------------------------- */

void workers_join(FusecFunction *f) {
    Workers *w = f->model->context->workers;
    if (!w || is_forked(w)) return;
    pthread_mutex_lock(&w->lock);
    f->next_in_context = w->functions;
    w->functions = f;
    pthread_mutex_unlock(&w->lock);
}

void workers_part(FusecFunction *f) {
    Workers *w = f->model->context->workers;
    if (!w || is_forked(w)) return;
    pthread_mutex_lock(&w->lock);
    FusecFunction **at = &w->functions;
    while (*at && *at != f) at = &(*at)->next_in_context;
    if (*at) *at = f->next_in_context;
    while (f->compiling) pthread_cond_wait(&w->idle, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

void workers_ask(const FusecFunction *f) {
    Workers *w = f->model->context->workers;
    if (w) sem_post(&w->asked);
}
