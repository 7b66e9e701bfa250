/* cpu.c: memory of the functions of a .c file, for the self-test: host memory. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
//@BEGIN
/* ---- memory of the functions: host memory ---------------------------------------------------- */

static void *fx_space(int64_t bytes)
{
    void *at = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64 + 64);
    if (!at) fx_stop("out of memory");
    return at;
}

static void fx_release(void *at) { free(at); }
static void fx_put(void *at, const void *from, int64_t bytes) { memcpy(at, from, (size_t)bytes); }
static void fx_get(void *to, const void *at, int64_t bytes) { memcpy(to, at, (size_t)bytes); }

static double fx_now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double fx_seconds(const fx_function *f, void *const *at, const int64_t *dims, void *space,
                         int runs)
{
    double start = fx_now();
    for (int i = 0; i < runs; i++) f->call(dims, at, space);
    return fx_now() - start;
}
