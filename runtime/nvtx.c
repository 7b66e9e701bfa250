/* nvtx.c: names of kernels for profilers, through NVIDIA's NVTX library.
 * In: nothing. Out: two functions, if the library is found. */
#include "runtime/cuda.h"

Nvtx nvtx_open(Arena *arena) {
    static const char *const names[] = {"libnvtx3interop.so.1", "libnvToolsExt.so.1", NULL};
    Library library;
    const char *ignored;
    Nvtx nvtx = {0};
    if (library_open(arena, &library, names, &ignored) &&
        (!library_symbol(&library, "nvtxRangePushA", &nvtx.push) ||
         !library_symbol(&library, "nvtxRangePop", &nvtx.pop)))
        nvtx = (Nvtx){0};
    return nvtx;
}
