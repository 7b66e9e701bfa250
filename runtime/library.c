/* library.c: finds and loads NVIDIA's libraries at run time; fusec itself needs none of them.
 * In: the names a library may have. Out: a handle that stays open, since memory and threads of
 * these libraries outlive any one user. */
#define _GNU_SOURCE /* dladdr */
#include "runtime/cuda.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "" is where the system looks for libraries. */
static const char *const folders[] = {"", "/usr/local/cuda/lib64/", "/opt/cuda/lib64/"};
enum { FOLDERS = sizeof folders / sizeof folders[0] };

/* The folder that the user names comes first, and what is in it is not looked for elsewhere. */
static bool in_named_folder(Arena *arena, const char *name, Library *library) {
    const char *folder = getenv("FUSEC_CUDA_PATH");
    if (!folder || !*folder) return false;
    library->path = arena_printf(arena, "%s/%s", folder, name);
    return access(library->path, F_OK) == 0;
}

bool library_open(Arena *arena, Library *library, const char *const *names, const char **why) {
    *library = (Library){0};
    for (const char *const *name = names; *name; name++) {
        if (!in_named_folder(arena, *name, library)) continue;
        library->handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL);
        const char *words = library->handle ? NULL : dlerror();
        if (words) *why = arena_printf(arena, "dlopen: %s", words);
        return library->handle;
    }
    for (int i = 0; i < FOLDERS && !library->handle; i++)
        for (const char *const *name = names; *name && !library->handle; name++) {
            library->path = arena_printf(arena, "%s%s", folders[i], *name);
            library->handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL);
        }
    if (!library->handle) *why = NULL;
    return library->handle;
}

bool library_symbol(const Library *library, const char *name, void *function) {
    void *address = dlsym(library->handle, name);
    memcpy(function, &address, sizeof address);
    return address;
}

const char *library_file(Arena *arena, const char *(*function)(int)) {
    Dl_info info = {0};
    void *address;
    memcpy(&address, &function, sizeof address);
    return dladdr(address, &info) && info.dli_fname ? arena_strdup(arena, info.dli_fname) : NULL;
}
