/* folder.c: private temporary folders.
 * In: the environment. Out: a folder that no other process uses; its removal, with all that it
 * holds. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */
#include "runtime/runtime.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *folder_base(void) {
    const char *base = getenv("TMPDIR");
    return base && *base ? base : "/tmp";
}

const char *folder_make(Arena *arena, const char **why) {
    char *path = arena_printf(arena, "%s/fusec-XXXXXX", folder_base());
    if (mkdtemp(path)) return path;
    const int error = errno;
    *why = arena_printf(arena, "mkdtemp %s: %s", path, strerror(error));
    errno = error;
    return NULL;
}

static int remove_one(const char *path, const struct stat *of, int kind, struct FTW *walk) {
    (void)of, (void)kind, (void)walk;
    remove(path);
    return 0;
}

void folder_remove(const char *folder) {
    enum { FOLDERS_OPEN = 8 };
    if (folder) nftw(folder, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}
