/* chain_scores.cu: one product of chain.cu's scores. */
#include "prelude.cuh"
#define IDX int
#define NUMBER 0
#define ROWS 4
#define COLS 4
#define PRODUCTS products
#define TYPE Products<STEP, THREADS_M, THREADS_N, ROWS, COLS>
#define WAITS weight_tile
#define DEPTH 10
#define STEP 16
#define THREADS_M 16
#define THREADS_N 16
#define FETCH fetch
#define NEXT (void)0
#define LEFT left_tile
constexpr int pitch_m = 68, pitch_n = 68;
__device__ void fetch(int, int) {}
__device__ void alone(float (*left_tile)[68], float (*right_tiles)[68], float (&score)[1][4][4],
                      float (*weight_tile)[68], int tx, int ty, int n_start, int slot) {
//@BEGIN
//@IF AGAIN
#pragma unroll
for (int i = 0; i < ROWS; i++)
#pragma unroll
    for (int j = 0; j < COLS; j++) score[NUMBER][i][j] = 0;
//@END
TYPE PRODUCTS;
#pragma unroll 1
for (IDX k_start = 0; k_start < DEPTH; k_start += STEP) {
    float (*const left_step)[pitch_m] = LEFT, (*const right_tile)[pitch_n] = right_tiles + slot;
    slot ^= STEP;
    //@HOLE keep_left
    //@HOLE keep_right
    if (k_start + STEP < DEPTH) FETCH(n_start, k_start + STEP);
    else NEXT;
    __syncthreads();
    PRODUCTS.step(score[NUMBER], left_step, right_tile, ty, tx);
}
PRODUCTS.finish(score[NUMBER]);
//@IF WAITS
store_transposed<THREADS_M, THREADS_N>(WAITS, score[NUMBER], ty, tx);
//@END
//@FINISH
}
