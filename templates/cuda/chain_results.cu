/* chain_results.cu: adds chain.cu's products of weights with values. Weights have replaced the
 * scores. */
#define IDX int
#define NUMBER 0
#define STEP 16
#define ROWS 4
#define COLS 4
#define CHUNKS 1
__device__ void alone(float (*weight_tile)[68], float (*v_tile)[68], float (*score)[4][4],
                      float (*out)[1][4][4], int tx, int ty, int n_start, int n_last) {
    constexpr int tile_n = 64;
//@BEGIN
#pragma unroll
for (int i = 0; i < ROWS; i++)
#pragma unroll
    for (int j = 0; j < COLS; j++) weight_tile[tx + j][ty + i] = score[NUMBER][i][j];
for (IDX k_start = n_start; k_start <= n_last; k_start += STEP) {
    //@HOLE load_v
    __syncthreads();
#pragma unroll
    for (int l = 0; l < STEP; l++)
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const float weight = weight_tile[(int)(k_start - n_start) + l][ty + i];
#pragma unroll
            for (int chunk = 0; chunk < CHUNKS; chunk++)
#pragma unroll
                for (int j = 0; j < COLS; j++)
                    out[NUMBER][chunk][i][j] += weight * v_tile[l][chunk * tile_n + tx + j];
        }
    __syncthreads();
}
//@FINISH
}
