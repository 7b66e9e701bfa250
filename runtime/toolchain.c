/* toolchain.c: which compiler would compile, without running it.
 * In: the command of the C compiler, or NVRTC; a store that remembers versions. Out: a text that is
 * another one when the compiler is. A version is asked for once for each state of the files. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "runtime/cuda.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "/usr/bin/x86_64-linux-gnu-gcc-12 1234 1690000000.123456789"; NULL: there is no such file. */
static const char *file_stamp(Arena *arena, const char *path) {
    char real[PATH_MAX];
    struct stat st;
    if (!realpath(path, real) || stat(real, &st) || !S_ISREG(st.st_mode)) return NULL;
    return arena_printf(arena, "%s %lld %lld.%09ld", real, (long long)st.st_size,
                        (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/* Of the file that a command starts, as the shell finds it. */
static const char *command_stamp(Arena *arena, const char *name) {
    const char *path = getenv("PATH");
    if (strchr(name, '/')) return file_stamp(arena, name);
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        const size_t size = strcspn(path, ":");
        const char *file = arena_printf(arena, "%.*s%s%s", (int)size, path, size ? "/" : "./", name);
        const char *stamp = access(file, X_OK) ? NULL : file_stamp(arena, file);
        if (stamp) return stamp;
    }
    return NULL;
}

/* The command, and every file that it names: in "ccache gcc" the second is the compiler. */
static const char *compiler_stamp(Arena *arena, const char *command) {
    Text out = text_new(arena);
    text_str(&out, command);
    for (const char *word = command; *word; word += strcspn(word, " "), word += strspn(word, " ")) {
        const size_t size = strcspn(word, " ");
        const char *name = arena_strndup(arena, word, size);
        const char *stamp = *name == '-' || !size ? NULL : command_stamp(arena, name);
        if (stamp) text_printf(&out, "; %s", stamp);
    }
    return text_get(&out);
}

void toolchain_c(Diag *diag, CodeStore *store, const CpuOptions *options, const char **compiler,
                 const char **version) {
    Arena *arena = diag->arena;
    const char *command = cpu_compiler(options);
    *compiler = compiler_stamp(arena, command);
    const char *known = store->recall(store, diag, *compiler);
    *version = known;
    if (known || !cpu_compiler_version(arena, command, version)) return;
    store->remember(store, diag, *compiler, *version);
}

/* ---- NVRTC ---------------------------------------------------------------------------------- */

/* "13.0, sm_75 to sm_121 (libnvrtc.so.13)\n" and the stamp of the file, as long as that is the same. */
static const char *version_known(Diag *diag, CodeStore *store, const char *name) {
    const char *text = store->recall(store, diag, name);
    const char *stamp = text ? strchr(text, '\n') : NULL;
    if (!stamp) return NULL;
    const char *path = arena_strndup(diag->arena, stamp + 1, strcspn(stamp + 1, " "));
    const char *now = file_stamp(diag->arena, path);
    return now && !strcmp(now, stamp + 1)
               ? arena_strndup(diag->arena, text, (size_t)(stamp - text))
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
