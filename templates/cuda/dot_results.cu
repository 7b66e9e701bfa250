/* dot_results.cu: the results of dot.cu that a thread has in one row, by packs of EACH. */
#include "prelude.cuh"
#define IDX int
#define COLS 8
#define EACH 4
#define NEXT col += EACH
#define THREADS_N 16
#define DOT_N 10
#define AT_N n_start + col / group_n * (THREADS_N * group_n) + tx + col % group_n
__device__ void alone(float (&row_sums)[1][COLS], int n_start, int tx) {
    constexpr int group_n = 4;
//@BEGIN
#pragma unroll
for (int col = 0; col < COLS; NEXT) {
    const IDX at_n = AT_N;
    if (at_n >= DOT_N) continue;
    //@IF IF_PACKS
    constexpr int VEC = EACH;
    //@END
    //@HOLE FINISH
}
//@FINISH
}
