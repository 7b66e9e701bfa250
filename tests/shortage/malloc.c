/* malloc.c: linked around malloc and its relatives (-Wl,--wrap), so that fusec runs short of memory
 * once: allocation number FUSEC_FAIL_AT gives NULL. FUSEC_COUNT_IN is a file that the number of all
 * allocations is written to. Only calls from fusec itself count, not those from libraries. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *at, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *at, size_t size);
char *__wrap_strdup(const char *text);

static long allocations, failing;

__attribute__((constructor)) static void start(void) {
    const char *at = getenv("FUSEC_FAIL_AT");
    if (at) failing = atol(at);
}

__attribute__((destructor)) static void stop(void) {
    const char *path = getenv("FUSEC_COUNT_IN");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", allocations);
    fclose(file);
}

static int fails(void) {
    if (__atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) != failing) return 0;
    errno = ENOMEM;
    return 1;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *at, size_t size) { return fails() ? NULL : __real_realloc(at, size); }
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }
