/* peaks.c: the peak rates of the CPU, of a copy and of fused multiply-adds, measured with the same
 * compiler and threads as emitted code. */
#include <stdint.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#if defined(__AVX512F__)
enum { LANES = 16 };
#elif defined(__AVX__)
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif

/* Independent chains: enough to hide the latency, few enough for the registers. */
enum { CHAINS = 10, BLOCK = 1 << 20 };

int fusec_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

void fusec_copy(char *to, const char *from, int64_t bytes)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < bytes; i += BLOCK)
        memcpy(to + i, from + i, (size_t)(bytes - i < BLOCK ? bytes - i : BLOCK));
}

/* The sum only keeps the compiler from removing the work. */
#define MULTIPLY_ADD(NAME, T, COUNT)                                                               \
    typedef T NAME##_lanes __attribute__((vector_size(sizeof(T) * COUNT)));                        \
    static T NAME##_chains(int64_t steps)                                                          \
    {                                                                                              \
        NAME##_lanes x[CHAINS], scale = {0}, add = {0}, sum = {0};                                 \
        for (int i = 0; i < CHAINS; i++) x[i] = (NAME##_lanes){0} + (T)0.5 * (T)i;                 \
        scale += (T)0.999;                                                                         \
        add += (T)0.001;                                                                           \
        for (int64_t step = 0; step < steps; step++)                                               \
            for (int i = 0; i < CHAINS; i++) x[i] = x[i] * scale + add;                            \
        for (int i = 0; i < CHAINS; i++) sum += x[i];                                              \
        return sum[0];                                                                             \
    }                                                                                              \
    /* Returns the number of operations; a multiply-add counts as two. */                          \
    double NAME(int64_t steps)                                                                     \
    {                                                                                              \
        T sum = 0;                                                                                 \
        _Pragma("omp parallel reduction(+ : sum)") sum += NAME##_chains(steps);                    \
        return sum == (T)0.12345 ? 0 : 2.0 * COUNT * CHAINS * (double)steps * fusec_threads();     \
    }

MULTIPLY_ADD(fusec_multiply_add, float, LANES)
MULTIPLY_ADD(fusec_multiply_add_f64, double, (LANES / 2))
