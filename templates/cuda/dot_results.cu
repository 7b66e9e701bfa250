/* dot_results.cu: the results of dot.cu that a thread has in one row, by packs of EACH. */
#include "prelude.cuh"
#define IDX int
#define EACH 4
#define NEXT col += EACH
#define DOT_N 10
#define AT_N n_start + col / group_n * (threads_n * group_n) + tx + col % group_n
__device__ void alone(float (&row_sums)[1][8], int n_start, int tx) {
    constexpr int cols = 8, threads_n = 16, group_n = 4;
//@BEGIN
#pragma unroll
for (int col = 0; col < cols; NEXT) {
    const IDX at_n = AT_N;
    //@IF IF_RAGGED
    if (at_n >= DOT_N) continue;
    //@END
    //@IF IF_PACKS
    constexpr int VEC = EACH;
    //@END
    //@HOLE FINISH
}
//@FINISH
}
