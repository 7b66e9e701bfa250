/* progress.c: "fusec: compiling C, 3 s" on a terminal, if something takes longer than a second. A
 * timer draws it, so the work itself does not call it. */
#define _XOPEN_SOURCE 700 /* setitimer */
#include "cli/command.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* A signal handler can use only globals. */
static const char *volatile doing;
static volatile sig_atomic_t seconds;

static void put(const char *text, size_t size) {
    ssize_t ignored = write(STDERR_FILENO, text, size);
    (void)ignored;
}

/* Async-signal-safe functions only: no stdio. */
static void draw(int number) {
    (void)number;
    char text[16] = {0};
    size_t at = sizeof text - 2;
    text[at] = 's';
    text[--at] = ' ';
    int count = seconds = seconds + 1;
    do text[--at] = (char)('0' + count % 10);
    while ((count /= 10) && at > 2);
    text[--at] = ' ';
    text[--at] = ',';
    put("\r\033[Kfusec: ", 11);
    put(doing, strlen(doing));
    put(text + at, sizeof text - 1 - at);
}

static void timer(int period) {
    struct itimerval interval = {{period, 0}, {period, 0}};
    setitimer(ITIMER_REAL, &interval, NULL);
}

void progress_begin(const char *what) {
    struct sigaction action = {.sa_handler = draw, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (!isatty(STDERR_FILENO)) return;
    doing = what;
    seconds = 0;
    sigaction(SIGALRM, &action, NULL);
    timer(1);
}

void progress_end(void) {
    if (!doing) return;
    timer(0);
    if (seconds) put("\r\033[K", 4);
    doing = NULL;
}
