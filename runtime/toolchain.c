/* toolchain.c: identifies the compiler without compiling.
 * In: the command of the C compiler, or NVRTC; a store that remembers versions. Out: a text that
 * differs if the compiler differs. The version is queried once for each state of the files. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "runtime/cuda.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where a path leads to; NULL: to no file. */
static const char *real_path(Arena *arena, const char *path, struct stat *st) {
    char real[PATH_MAX];
    if (!realpath(path, real) || stat(real, st) || !S_ISREG(st->st_mode)) return NULL;
    return arena_strdup(arena, real);
}

/* "/usr/bin/x86_64-linux-gnu-gcc-12 1234 1690000000.123456789"; NULL: there is no such file. */
static const char *file_stamp(Arena *arena, const char *path) {
    struct stat st;
    const char *real = real_path(arena, path, &st);
    if (!real) return NULL;
    return arena_printf(arena, "%s %lld %lld.%09ld", real, (long long)st.st_size,
                        (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* The file that a command starts, as the shell finds it; NULL: none. */
static const char *command_file(Arena *arena, const char *name) {
    const char *path = getenv("PATH");
    struct stat st;
    if (strchr(name, '/')) return real_path(arena, name, &st);
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        const size_t size = strcspn(path, ":");
        const char *file =
            arena_printf(arena, "%.*s/%s", size ? (int)size : 1, size ? path : ".", name);
        const char *real = access(file, X_OK) ? NULL : real_path(arena, file, &st);
        if (real) return real;
    }
    return NULL;
}

/* A command, and every file that it names: in "ccache gcc" the second is the compiler. stamped:
 * with their sizes and dates. */
static const char *describe(Arena *arena, const char *command, bool stamped) {
    Text out = text_new(arena);
    text_str(&out, command);
    for (const char *word = command; *word; word += strcspn(word, " "), word += strspn(word, " ")) {
        const char *name = arena_strndup(arena, word, strcspn(word, " "));
        const char *file = *name && *name != '-' ? command_file(arena, name) : NULL;
        const char *text = file && stamped ? file_stamp(arena, file) : file;
        if (text) text_printf(&out, "; %s", text);
    }
    return text_get(&out);
}

void toolchain_c(Diag *diag, CodeStore *store, const CpuOptions *options, const char **compiler,
                 const char **version) {
    Arena *arena = diag->arena;
    const char *command = cpu_compiler(options), *stamped = describe(arena, command, true);
    *compiler = describe(arena, command, false);
    const char *known = *version = store->recall(store, diag, stamped);
    if (!known && cpu_compiler_version(arena, command, version))
        store->remember(store, diag, stamped, *version);
}

bool toolchain_is_clang(Arena *arena, const char *command) {
    return strstr(describe(arena, command, false), "clang");
}

bool toolchain_is_current(Diag *diag, CodeStore *store, const char *compiler, const char *version) {
    Arena *arena = diag->arena;
    const char *end = strstr(compiler, "; ");
    const char *command = end ? arena_strndup(arena, compiler, (size_t)(end - compiler)) : compiler;
    if (strcmp(describe(arena, command, false), compiler)) return false;
    const char *known = store->recall(store, diag, describe(arena, command, true));
    return !known || !strcmp(known, version);
}

/* ---- NVRTC ---------------------------------------------------------------------------------- */

/* "13.0, sm_75 to sm_121 (libnvrtc.so.13)\n" and the stamp of the file, as long as that is the
 * same. */
static const char *version_known(Diag *diag, CodeStore *store, const char *name) {
    const char *text = store->recall(store, diag, name);
    const char *stamp = text ? strchr(text, '\n') : NULL;
    if (!stamp) return NULL;
    const char *path = arena_strndup(diag->arena, stamp + 1, strcspn(stamp + 1, " "));
    const char *now = file_stamp(diag->arena, path);
    return now && !strcmp(now, stamp + 1) ? arena_strndup(diag->arena, text, (size_t)(stamp - text))
                                          : NULL;
}

const char *toolchain_nvrtc(Diag *diag, CodeStore *store) {
    const char *folder = getenv("FUSEC_CUDA_PATH"), *version, *path;
    const char *name = arena_printf(diag->arena, "nvrtc of %s", folder ? folder : "the system");
    if ((version = version_known(diag, store, name))) return version;
    if (!nvrtc_found(diag->arena, &version, &path)) return NULL;
    const char *stamp = path ? file_stamp(diag->arena, path) : NULL;
    if (stamp)
        store->remember(store, diag, name, arena_printf(diag->arena, "%s\n%s", version, stamp));
    return version;
}
