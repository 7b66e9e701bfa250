/* below.c: files that a model names. In: a folder that the user trusts, and a relative path that
 * is not checked. Out: the bytes of a regular file below that folder, reached by no symbolic
 * link and no "..", or why there are none. */
#include "runtime/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Why a path may not be followed; NULL: it may. */
static const char *path_flaw(const char *path) {
    if (*path == '/') return "is an absolute path: write one below the folder of the model";
    for (const char *at = path; *at; at += at[0] == '/') {
        const size_t size = strcspn(at, "/");
        if (!size) return "has an empty part";
        if (size == 2 && !strncmp(at, "..", 2)) return "leads out of its folder by '..'";
        if (size == 1 && *at == '.' && !at[1]) return "is a directory";
        at += size;
        if (at[0] == '/' && !at[1]) return "is a directory";
    }
    return *path ? NULL : "is empty";
}

/* What the system said, of a part that was opened without following links. */
static const char *open_error(bool is_last, int error) {
    switch (error) {
    case ELOOP: return "is, or goes through, a symbolic link, which is not followed";
    case ENOTDIR: return is_last ? "cannot be opened" : "goes through a symbolic link or a file";
    case ENOENT: return "is not there";
    case EACCES: return "may not be read";
    default: return "cannot be opened";
    }
}

/* The file, opened part by part; -1, with the reason. */
static int open_below(Arena *arena, const char *folder, const char *path, const char **why) {
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at < 0) *why = "is not there: the folder cannot be opened";
    while (at >= 0) {
        const size_t size = strcspn(path, "/");
        const bool is_last = !path[size];
        const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
        const char *part = arena_strndup(arena, path, size);
        const int next = openat(at, part, is_last ? flags : flags | O_DIRECTORY);
        if (next < 0) *why = open_error(is_last, errno);
        close(at);
        at = next;
        if (is_last) break;
        path += size + 1;
    }
    return at;
}

static const char *read_all(int fd, char *text, size_t most, size_t *size) {
    for (ssize_t got = 1; got && *size <= most;) {
        got = read(fd, text + *size, most + 1 - *size);
        if (got > 0) *size += (size_t)got;
        if (got < 0 && errno != EINTR) return "cannot be read";
    }
    return NULL;
}

char *file_read_below(Arena *arena, const char *folder, const char *path, size_t most, size_t *size,
                      const char **why) {
    struct stat st;
    *size = 0;
    *why = path_flaw(path);
    const int fd = *why ? -1 : open_below(arena, *folder ? folder : ".", path, why);
    if (fd < 0) return NULL;
    char *text = NULL;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
        *why = "is not a regular file";
    } else if ((uint64_t)st.st_size > most) {
        *why = arena_printf(arena, "has more than %zu bytes", most);
    } else {
        const size_t room = (size_t)st.st_size < most ? (size_t)st.st_size : most;
        text = arena_alloc(arena, room + 2);
        *why = read_all(fd, text, room, size);
        if (!*why && *size > room) *why = "grows while it is read";
    }
    close(fd);
    return *why ? NULL : text;
}
