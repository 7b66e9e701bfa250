/* chain_scores.cu: one product of chain.cu's scores. */
#define IDX int
#define NUMBER 0
#define DEPTH 10
#define STEP 16
#define ROWS 4
#define COLS 4
__device__ void alone(float (*left_tile)[68], float (*right_tile)[68], float (*score)[4][4], int tx,
                      int ty) {
//@BEGIN
for (IDX k_start = 0; k_start < DEPTH; k_start += STEP) {
    //@HOLE load_left
    //@HOLE load_right
    __syncthreads();
#pragma unroll
    for (int l = 0; l < STEP; l++)
#pragma unroll
        for (int i = 0; i < ROWS; i++)
#pragma unroll
            for (int j = 0; j < COLS; j++)
                score[NUMBER][i][j] += left_tile[l][ty + i] * right_tile[l][tx + j];
    __syncthreads();
}
//@FINISH
}
