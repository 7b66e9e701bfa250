/* child.c: runs commands as child processes, which their watcher may end.
 * In: their words, files for their output, folders for temporary files, the watcher. Out: how they
 * ended. */
#include "runtime/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { LOOK_MS = 5, ASK_EVERY = 10 }; /* a watcher is asked each 50 ms, and waits 5 ms too long */

/* ---- starting ----------------------------------------------------------------------------- */

/* That of this process, with another TMPDIR. Without memory it does not return. */
static char **environment(const Child *child) {
    size_t count = 0, size = 0;
    while (environ && environ[count]) count++;
    char **all = arena_alloc(child->arena, sizeof *all * (count + 2));
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "TMPDIR=", 7)) all[size++] = environ[i];
    all[size++] = arena_printf(child->arena, "TMPDIR=%s", child->folder);
    all[size] = NULL;
    return all;
}

/* The output of the command goes to the log. */
static int redirect(const Child *child, posix_spawn_file_actions_t *actions) {
    int error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_addopen(actions, 1, child->log,
                                                 O_WRONLY | O_CREAT | O_TRUNC, 0666);
    return error ? error : posix_spawn_file_actions_adddup2(actions, 1, 2);
}

/* A group of its own, which can be ended with all that it has started. Without a watcher it stays
 * in the group of this process: an interrupt from the terminal ends both, so that it must not
 * inherit that signals are blocked, as in a thread. A compiler waits for children of its own, so it
 * must not inherit that SIGCHLD is ignored. */
static int set_attributes(const Child *child, posix_spawnattr_t *attributes) {
    const short flags =
        POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (child->watch ? POSIX_SPAWN_SETPGROUP : 0);
    sigset_t usual, none;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGCHLD);
    int error = posix_spawnattr_setflags(attributes, flags);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &usual);
    if (!error) error = posix_spawnattr_setsigmask(attributes, &none);
    return error || !child->watch ? error : posix_spawnattr_setpgroup(attributes, 0);
}

static int start_as(const Child *child, char **variables, pid_t *pid,
                    posix_spawnattr_t *attributes) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = redirect(child, &actions);
    if (!error) error = set_attributes(child, attributes);
    if (!error)
        error = posix_spawnp(pid, child->words[0], &actions, attributes, child->words, variables);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int start(const Child *child, char **variables, pid_t *pid) {
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error) return error;
    error = start_as(child, variables, pid, &attributes);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* ---- waiting ------------------------------------------------------------------------------ */

/* Where this process ignores SIGCHLD, or waits for any child elsewhere, waitpid blocks until the
 * child has ended, and does not know its status: what it has made tells. */
static int lost_status(const Child *child) {
    enum { FAILED = 1 << 8 }; /* exit(1) */
    return child->makes && access(child->makes, F_OK) ? FAILED : 0;
}

/* 1: it has ended. 0: it runs. -1: errno says what is wrong. */
static int look(Child *child, pid_t pid, int options) {
    pid_t ended;
    do ended = waitpid(pid, &child->status, options);
    while (ended < 0 && errno == EINTR);
    if (ended >= 0 || errno != ECHILD) return ended > 0 ? 1 : (int)ended;
    child->status = lost_status(child);
    return 1;
}

/* Waits until it ends, or ends it when the watcher asks for that. */
static int watch(Child *child, pid_t pid) {
    const struct timespec pause = {0, LOOK_MS * 1000000L};
    for (int looks = 1;; looks++) {
        int ended = look(child, pid, WNOHANG);
        if (ended) return ended;
        nanosleep(&pause, NULL);
        if (looks % ASK_EVERY || child->watch->goes_on(child->watch->user)) continue;
        child->was_ended = true;
        kill(-pid, SIGKILL);
        return look(child, pid, 0);
    }
}

static int wait_for(Child *child, pid_t pid) {
    return (child->watch ? watch(child, pid) : look(child, pid, 0)) < 0 ? errno : 0;
}

int child_run_all(Child *children, int count) {
    pid_t *pids = arena_array(children->arena, pid_t, count);
    char ***variables = arena_array(children->arena, char **, count);
    int error = 0, started = 0;
    for (int i = 0; i < count; i++) variables[i] = environment(&children[i]); /* before any runs */
    while (started < count && !error) {
        error = start(&children[started], variables[started], &pids[started]);
        if (!error) started++;
    }
    for (int i = 0; i < started; i++) {
        if (i && children[i - 1].was_ended && children[i].watch) kill(-pids[i], SIGKILL);
        int failed = wait_for(&children[i], pids[i]);
        if (i && children[i - 1].was_ended) children[i].was_ended = true;
        if (!error) error = failed;
    }
    return error;
}

int child_run(Child *child) { return child_run_all(child, 1); }
