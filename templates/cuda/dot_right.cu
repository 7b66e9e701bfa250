/* dot_right.cu: one right operand of dot.cu: a tile of 64 in n and 16 in k goes to shared memory. */
#include "prelude.cuh"
__device__ void alone(float (*b_tile)[16][68], int thread, int k_start) {
    const int DOT_K = 1, NUMBER = 0, B = 0;
//@BEGIN
#pragma unroll
for (int i = 0; i < 4; i++) {
    const int l = i * 256 + thread;
    //@IF along_k
    const int nn = l / 16, kk = l % 16;
    //@END
    //@IF along_n
    const int nn = l % 64, kk = l / 64;
    //@END
    //@HOLE at
    //@HOLE lines
    b_tile[NUMBER][kk][nn] = k_start + kk < DOT_K ? B : 0;
}
//@FINISH
}
