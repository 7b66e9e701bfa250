/* interrupt.c: defers signals while files or temporary folders would be left half done. Between
 * hold and release a signal is only recorded; it takes effect at release. */
#include "cli/command.h"

#include <signal.h>

static const int held[] = {SIGINT, SIGTERM, SIGHUP};
enum { HELD = sizeof held / sizeof held[0] };

/* A signal handler can use only globals. */
static volatile sig_atomic_t noted;
static struct sigaction before[HELD];

static void note(int number) { noted = number; }

void interrupt_hold(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    noted = 0;
    for (int i = 0; i < HELD; i++) {
        sigaction(held[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(held[i], &action, NULL);
    }
}

void interrupt_release(void) {
    for (int i = 0; i < HELD; i++) sigaction(held[i], &before[i], NULL);
    if (noted) raise(noted);
}
