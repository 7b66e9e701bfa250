/* place.c: the folder of the cache, and whether it may be trusted.
 * In: what the user says, the environment. Out: a folder of the user's own, made if need be, that
 * nobody else can write to. */
#include "cache/cache_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

const char *cache_folder(Arena *arena, const char *given) {
    if (!given || !*given) given = variable("FUSEC_CACHE_DIR");
    if (given) return strcmp(given, "off") ? arena_strdup(arena, given) : NULL;
    const char *base = variable("XDG_CACHE_HOME"), *home = variable("HOME");
    if (base && *base == '/') return arena_printf(arena, "%s/fusec", base);
    return home ? arena_printf(arena, "%s/.cache/fusec", home) : NULL;
}

bool cache_is_there(Arena *arena, const char *folder) {
    return !access(arena_printf(arena, "%s/%s", folder, DATABASE), F_OK);
}

/* All folders of the path that are missing; 0, or an error number. */
static int make_folders(char *path) {
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        const int error = mkdir(path, 0700) && errno != EEXIST && access(path, F_OK) ? errno : 0;
        *slash = '/';
        if (error) return error;
    }
    return mkdir(path, 0700) && errno != EEXIST ? errno : 0;
}

/* Why a folder or file must not be used; NULL: it may. */
static const char *flaw(const struct stat *st, mode_t kind) {
    if ((st->st_mode & S_IFMT) != kind) return kind == S_IFDIR ? "is no folder" : "is no file";
    if (st->st_uid != geteuid()) return "belongs to another user";
    return st->st_mode & (S_IWGRP | S_IWOTH) ? "can be written by others: chmod go-w it" : NULL;
}

/* The database, which may be missing. It is not opened: when a process closes a descriptor of a
 * file, it loses its locks on it, also those of SQLite in another thread. */
static const char *check_database(int folder) {
    struct stat st;
    if (fstatat(folder, DATABASE, &st, AT_SYMLINK_NOFOLLOW))
        return errno == ENOENT ? NULL : strerror(errno);
    return flaw(&st, S_IFREG);
}

static const char *check_folder(int folder) {
    struct stat st;
    if (fstat(folder, &st)) return strerror(errno);
    const char *why = flaw(&st, S_IFDIR);
    return why ? why : check_database(folder);
}

const char *place_open(char *folder, int *lock) {
    *lock = -1;
    int error = make_folders(folder);
    if (error) return strerror(error);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return strerror(errno);
    const char *why = check_folder(fd);
    if (!why) {
        *lock = openat(fd, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (*lock < 0) *lock = openat(fd, "lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    }
    close(fd);
    return why;
}
