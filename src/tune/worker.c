/* worker.c: worker processes, as the tuner sees them.
 * In: a command line, requests. Out: responses; or how a worker ended that gave none. Started by
 * spawn, never by fork alone: after a fork CUDA is of no use. A worker leads a process group, so
 * that the compilers that it has started end with it. */
#include "tune/tune.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* ---- starting ----------------------------------------------------------------------------- */

/* The socket becomes standard input; what the worker prints goes nowhere. */
static int redirect(posix_spawn_file_actions_t *actions, int socket) {
    int error = posix_spawn_file_actions_adddup2(actions, socket, 0);
    if (!error) error = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    return error ? error : posix_spawn_file_actions_adddup2(actions, 1, 2);
}

/* Signals that the tuner or the application handles have their usual effect in a worker. */
static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t usual, none;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGCHLD);
    int error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                         POSIX_SPAWN_SETSIGMASK);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &usual);
    return error ? error : posix_spawnattr_setsigmask(attributes, &none);
}

static int spawn_with(const WorkerCommand *command, int socket, pid_t *pid, char **environment) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = redirect(&actions, socket);
        if (!error) error = set_attributes(&attributes);
        if (!error)
            error = posix_spawnp(pid, command->words[0], &actions, &attributes, command->words,
                                 environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* That of this process, but for TMPDIR. */
static int spawn(const WorkerCommand *command, int socket, pid_t *pid) {
    Arena *arena = arena_new(0);
    size_t count = 0, size = 0;
    if (!arena) return ENOMEM;
    while (environ && environ[count]) count++;
    char **all = arena_array(arena, char *, count + 2);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0) all[size++] = environ[i];
    all[size] = arena_printf(arena, "TMPDIR=%s", command->folder);
    const int error = spawn_with(command, socket, pid, all);
    arena_free(arena);
    return error;
}

int worker_start(Worker *worker) {
    int ends[2];
    worker->channel = (Channel){.fd = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int error = spawn(worker->command, ends[1], &worker->pid);
    close(ends[1]);
    worker->channel.fd = ends[0];
    worker->starts++;
    worker->is_busy = false;
    if (!error) return 0;
    worker->pid = 0;
    channel_close(&worker->channel);
    return error;
}

/* ---- ending ------------------------------------------------------------------------------- */

/* False: its status is lost, as this process ignores SIGCHLD, or waits for any child elsewhere. */
static bool reap(Worker *worker, int *status) {
    pid_t ended;
    kill(-worker->pid, SIGKILL);
    do ended = waitpid(worker->pid, status, 0);
    while (ended < 0 && errno == EINTR);
    worker->pid = 0;
    worker->is_busy = false;
    channel_close(&worker->channel);
    return ended > 0;
}

void worker_kill(Worker *worker) {
    int status;
    if (worker->pid) reap(worker, &status);
}

/* How did it end by itself? A moment later waitpid knows. */
static void describe_end(Worker *worker, char why[static 128]) {
    const struct timespec pause = {0, 1000000};
    const pid_t pid = worker->pid;
    siginfo_t info = {0};
    int status;
    for (int i = 0; i < 200 && !info.si_pid; i++)
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || !info.si_pid)
            nanosleep(&pause, NULL);
    if (!reap(worker, &status))
        snprintf(why, 128, "the worker ended");
    else if (WIFSIGNALED(status))
        snprintf(why, 128, "the worker was ended by signal %d, %s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(why, 128, "the worker ended with status %d", WEXITSTATUS(status));
}

/* ---- requests ----------------------------------------------------------------------------- */

bool worker_send(Worker *worker, json_t *request) {
    const bool sent = request && message_send(worker->channel.fd, request);
    json_decref(request);
    worker->is_busy = sent;
    return sent;
}

json_t *worker_answer(Worker *worker, double deadline, const volatile int *stop,
                      CacheOutcome *outcome, char why[static 128]) {
    json_t *response;
    const Received received = message_receive(&worker->channel, deadline, stop, &response);
    worker->is_busy = false;
    if (received == RECEIVED) return response;
    *outcome = received == RECEIVED_LATE ? OUTCOME_TIMEOUT : OUTCOME_RUNTIME;
    snprintf(why, 128, received == RECEIVED_LATE ? "no answer in time" : "interrupted");
    if (received == RECEIVED_END)
        describe_end(worker, why);
    else
        worker_kill(worker);
    return NULL;
}
