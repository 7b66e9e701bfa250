/* chain_results.cu: adds chain.cu's products of weights with values. Weights have replaced the
 * scores, in registers or where these waited. */
#include "prelude.cuh"
#define IDX int
#define TO_INT (int)
#define NUMBER 0
#define WEIGHTS weight_tile
#define STORES 0
#define PRODUCTS products
#define TYPE Products<STEP, THREADS_M, THREADS_N, 4, 4>
#define STEP 16
#define THREADS_M 16
#define THREADS_N 16
#define FETCH fetch
#define NEXT (void)0
constexpr int pitch_n = 68;
__device__ void fetch(int) {}
__device__ void alone(float (*weight_tile)[68], float (*right_tiles)[68], float (&score)[1][4][4],
                      float (&out)[1][4][4], int tx, int ty, int n_start, int n_last, int slot) {
//@BEGIN
//@IF AGAIN
__syncthreads(); /* no thread still reads the weights of the previous result */
//@END
//@IF STORES
store_transposed<THREADS_M, THREADS_N>(weight_tile, score[STORES], ty, tx);
//@END
TYPE PRODUCTS;
#pragma unroll 1
for (IDX k_start = n_start; k_start <= n_last; k_start += STEP) {
    float (*const right_tile)[pitch_n] = right_tiles + slot;
    slot ^= STEP;
    //@HOLE keep_v
    if (k_start + STEP <= n_last) FETCH(k_start + STEP);
    else NEXT;
    __syncthreads();
    PRODUCTS.step(out[NUMBER], WEIGHTS + TO_INT(k_start - n_start), right_tile, ty, tx);
}
PRODUCTS.finish(out[NUMBER]);
//@FINISH
}
