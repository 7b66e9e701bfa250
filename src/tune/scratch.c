/* scratch.c: the folder that a tuner shares with its workers.
 * In: the folder of temporary files. Out: one in it, which is locked as long as the tuner runs:
 * those that are not locked any more are of tuners that were killed, and are removed. */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* flock */
#include "tune/tune_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "fusec-", lock_name[] = "tuner";

/* The lock, taken; -1: somebody else has it, or the folder is none of a tuner of this user. */
static int lock_take(const char *folder, int flags) {
    struct stat st;
    const int at = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (at < 0) return -1;
    int lock = fstat(at, &st) || st.st_uid != geteuid()
                   ? -1
                   : openat(at, lock_name, flags | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
    close(at);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB)) {
        close(lock);
        lock = -1;
    }
    return lock;
}

static void remove_stale(Arena *arena) {
    DIR *all = opendir(folder_base());
    for (const struct dirent *one; all && (one = readdir(all));) {
        if (strncmp(one->d_name, prefix, sizeof prefix - 1) != 0) continue;
        const char *folder = arena_printf(arena, "%s/%s", folder_base(), one->d_name);
        const int lock = lock_take(folder, 0);
        if (lock < 0) continue;
        folder_remove(folder);
        close(lock);
    }
    if (all) closedir(all);
}

/* A tuner that starts at the same time may remove the folder before it is locked. */
const char *scratch_make(Arena *arena, int *lock, const char **why) {
    enum { TRIES = 3 };
    const char *folder = NULL;
    *why = "another process removes the folder of the tuner";
    *lock = -1;
    remove_stale(arena);
    for (int i = 0; *lock < 0 && i < TRIES; i++) {
        folder = folder_make(arena, why);
        if (!folder) return NULL;
        *lock = lock_take(folder, O_CREAT);
        if (*lock >= 0 && access(folder, F_OK)) {
            close(*lock);
            *lock = -1;
        }
    }
    return *lock < 0 ? NULL : folder;
}

void scratch_remove(const char *folder, int lock) {
    folder_remove(folder);
    if (lock >= 0) close(lock);
}
