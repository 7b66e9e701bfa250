/* threads.c: threads that the library starts. They block all signals: those are for the threads of
 * the application. */
#include "runtime/runtime.h"

#include <signal.h>

bool thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                  void *of) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool ok = !pthread_create(thread, attributes, work, of);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

/* ---- parts of a range ------------------------------------------------------------------------ */

typedef struct Part {
    void (*work)(void *of, int64_t first, int64_t end);
    void *of;
    int64_t first, end;
    pthread_t thread;
    bool is_started;
} Part;

static void *work_on(void *of) {
    const Part *p = of;
    p->work(p->of, p->first, p->end);
    return NULL;
}

void share_range(int64_t count, int parts, void (*work)(void *of, int64_t first, int64_t end),
                 void *of) {
    enum { MOST = 16 };
    Part part[MOST];
    const int here = processors_here();
    if (parts > here) parts = here;
    if (parts > MOST) parts = MOST;
    if (parts > count) parts = (int)count;
    for (int i = 1; i < parts; i++) {
        part[i] = (Part){work, of, count * i / parts, count * (i + 1) / parts, .thread = 0};
        part[i].is_started = thread_start(&part[i].thread, NULL, work_on, &part[i]);
    }
    work(of, 0, parts > 1 ? count / parts : count);
    for (int i = 1; i < parts; i++) {
        if (part[i].is_started)
            pthread_join(part[i].thread, NULL);
        else
            work_on(&part[i]);
    }
}
