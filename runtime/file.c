/* file.c: reads and writes whole files.
 * In: a path, bytes. Out: bytes, or a file that is complete or absent. Functions that return `const
 * char *` return the name of the call that failed, with errno set, or NULL. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "runtime/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(Diag *diag, const char *call, const char *path) {
    const int why = errno;
    if (why == ENOMEM)
        diag_refuse_memory(diag, "%s %s: %s", call, path, strerror(why));
    else
        diag_refuse(diag, "%s %s: %s", call, path, strerror(why));
    return false;
}

static bool is_stdio(const char *path) { return !strcmp(path, "-"); }

static int open_again(const char *path, int flags, mode_t mode) {
    int fd;
    do fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

/* Like read, but only an error or the end of the file makes it return less than `size`. */
static ssize_t read_fully(int fd, char *at, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(fd, at + done, size - done);
        if (got == 0) break;
        if (got > 0)
            done += (size_t)got;
        else if (errno != EINTR)
            return -1;
    }
    return (ssize_t)done;
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Reads to the end, or to one byte beyond `most`. `guess` is the size to expect. */
static const char *slurp(int fd, size_t most, size_t guess, char **bytes, size_t *size) {
    size_t cap = guess < most ? guess + 1 : most + 1;
    *bytes = NULL;
    for (*size = 0;;) {
        char *grown = realloc(*bytes, cap + 1);
        if (!grown) return "realloc";
        *bytes = grown;
        ssize_t got = read_fully(fd, *bytes + *size, cap - *size);
        if (got < 0) return "read";
        *size += (size_t)got;
        (*bytes)[*size] = '\0';
        if (*size < cap || *size > most) return NULL;
        cap = cap <= most / 2 ? 2 * cap : most + 1;
    }
}

static const char *read_whole(const char *path, size_t most, char **bytes, size_t *size) {
    struct stat st;
    int fd = is_stdio(path) ? STDIN_FILENO : open_again(path, O_RDONLY, 0);
    if (fd < 0) return "open";
    const char *failed = fstat(fd, &st) ? "stat" : NULL;
    size_t guess = failed || !S_ISREG(st.st_mode) ? 1 << 16 : (size_t)st.st_size;
    if (!failed) failed = slurp(fd, most, guess, bytes, size);
    int why = errno;
    if (fd != STDIN_FILENO) close(fd);
    errno = why;
    return failed;
}

char *file_read(Diag *diag, const char *path, size_t most, size_t *size) {
    const char *name = is_stdio(path) ? "<stdin>" : path;
    char *bytes = NULL;
    if (most > PTRDIFF_MAX - 2) most = PTRDIFF_MAX - 2;
    const char *failed = read_whole(path, most, &bytes, size);
    if (!failed && *size <= most) return bytes;
    int why = errno;
    free(bytes);
    errno = why;
    if (!failed)
        diag_error(diag, NOWHERE, "%s: larger than %zu bytes", name, most);
    else if (errno == EISDIR)
        diag_refuse(diag, "%s: is a directory", name);
    else
        refuse(diag, failed, name);
    return NULL;
}

bool file_open(FileReader *file, Diag *diag, const char *path) {
    struct stat st;
    /* Not to wait for the writer of a pipe, which is refused below anyway. */
    *file = (FileReader){diag, path, open_again(path, O_RDONLY | O_NONBLOCK, 0), 0};
    if (file->fd < 0) return refuse(diag, "open", path);
    bool known = !fstat(file->fd, &st);
    if (known && S_ISREG(st.st_mode)) {
        file->size = (uint64_t)st.st_size;
        return true;
    }
    file_close(file);
    if (!known) return refuse(diag, "stat", path);
    diag_refuse(diag, "%s: %s", path,
                S_ISDIR(st.st_mode) ? "is a directory" : "is not a regular file");
    return false;
}

bool file_fetch(FileReader *file, uint64_t offset, void *at, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(file->fd, (char *)at + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return refuse(file->diag, "read", file->path);
        if (got == 0) {
            diag_refuse(file->diag, "read %s: it became shorter meanwhile", file->path);
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

void file_close(FileReader *file) {
    close(file->fd);
    file->fd = -1;
}

/* ---- writing ---------------------------------------------------------------------------- */

static const char *write_parts(int fd, const FilePart *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t done = 0; done < parts[i].size;) {
            ssize_t put = write(fd, (const char *)parts[i].data + done, parts[i].size - done);
            if (put > 0)
                done += (size_t)put;
            else if (put == 0 || errno != EINTR)
                return "write";
        }
    return NULL;
}

/* Writes and closes; the first failure counts. */
static const char *write_and_close(int fd, const FilePart *parts, size_t count, bool durable) {
    const char *failed = write_parts(fd, parts, count);
    if (!failed && durable && fsync(fd)) failed = "fsync";
    int why = errno;
    if (close(fd) && !failed) return "close";
    errno = why;
    return failed;
}

static const char *write_stream(const char *path, const FilePart *parts, size_t count) {
    int fd = open_again(path, O_WRONLY, 0);
    return fd < 0 ? "open" : write_and_close(fd, parts, count, false);
}

/* Makes a new file in the folder of `target` and its name in *name, to be freed. The kernel
 * applies the umask. */
static int temporary_beside(const char *target, char **name) {
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash - target + 1) : 0, fd = -1;
    size_t room = (size_t)folder + 64;
    *name = malloc(room);
    if (!*name) return -1;
    for (int turn = 0; turn < 1000; turn++) {
        snprintf(*name, room, "%.*s.fusec-%ld-%d.tmp", folder, target, (long)getpid(), turn);
        fd = open_again(*name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST) break;
    }
    return fd;
}

/* `old` is what the target is now, NULL when there is nothing. */
static const char *replace_target(const char *target, const struct stat *old, const FilePart *parts,
                                  size_t count, bool durable) {
    char *name = NULL;
    const char *failed = NULL;
    if (old && access(target, W_OK)) return "open";
    int fd = temporary_beside(target, &name);
    if (fd < 0) {
        free(name);
        return "open";
    }
    if (old) fchmod(fd, old->st_mode & 0777); /* refused by some file systems: no harm */
    failed = write_and_close(fd, parts, count, durable);
    if (!failed && rename(name, target)) failed = "rename";
    int why = errno;
    if (failed) unlink(name);
    free(name);
    errno = why;
    return failed;
}

static const char *replace_file(const char *path, const struct stat *old, const FilePart *parts,
                                size_t count, bool durable) {
    if (!old) return replace_target(path, NULL, parts, count, durable);
    char *target = realpath(path, NULL);
    if (!target) return "realpath";
    const char *failed = replace_target(target, old, parts, count, durable);
    int why = errno;
    free(target);
    errno = why;
    return failed;
}

static bool write_file(Diag *diag, const char *path, const FilePart *parts, size_t count,
                       bool durable) {
    struct stat st;
    const char *failed;
    if (is_stdio(path) || !strcmp(path, "/dev/stdout")) {
        failed = write_parts(STDOUT_FILENO, parts, count);
        return failed ? refuse(diag, failed, "<stdout>") : true;
    }
    bool exists = !stat(path, &st);
    if (exists && S_ISDIR(st.st_mode)) {
        diag_error(diag, NOWHERE, "%s: is a directory", path);
        return false;
    }
    if (exists && !S_ISREG(st.st_mode))
        failed = write_stream(path, parts, count);
    else
        failed = replace_file(path, exists ? &st : NULL, parts, count, durable);
    return failed ? refuse(diag, failed, path) : true;
}

bool file_write_parts(Diag *diag, const char *path, const FilePart *parts, size_t count) {
    return write_file(diag, path, parts, count, false);
}

bool file_write_durable(Diag *diag, const char *path, const FilePart *parts, size_t count) {
    return write_file(diag, path, parts, count, true);
}

bool file_write_atomic(Diag *diag, const char *path, const void *data, size_t size) {
    return file_write_parts(diag, path, &(FilePart){data, size}, 1);
}
