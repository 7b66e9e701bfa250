/* nvtx.c: NVTX for tests, loaded by fusec in place of libnvtx3interop.so.1: with FAKE_NVTX set, it
 * tells on standard error what a profiler would show. */
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int nvtxRangePushA(const char *name);
EXPORT int nvtxRangePushA(const char *name) {
    if (getenv("FAKE_NVTX")) fprintf(stderr, "push %s\n", name);
    return 0;
}

EXPORT int nvtxRangePop(void);
EXPORT int nvtxRangePop(void) {
    if (getenv("FAKE_NVTX")) fprintf(stderr, "pop\n");
    return 0;
}
