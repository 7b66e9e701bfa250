/* chain_across.cu: adds the transposed weights of a tile of chain.cu times the left operand of a
 * score, of all m of the tile, to the rows n of a result in memory. m is the last axis of both in
 * shared memory: a thread reads four m at a time, of COLS rows and of PART neighbouring columns. */
#include "prelude.cuh"
#define IDX int
#define PART 4
#define COLS 8
#define THREADS_M 16
#define THREADS_N 16
#define WEIGHTS weight_tile
#define LEFT left_tile
#define COUNT_N 90
#define COLUMNS 20
#define TO result
#define ADD add_each
constexpr int pitch_m = 68;
__device__ void alone(float (*weight_tile)[68], float (*left_tile)[68], int tx, int ty,
                      int n_start, int c_start, float *result) {
    constexpr int tile_m = 64, width = 64;
//@BEGIN
#pragma unroll 1
for (int column = PART * ty; column < width; column += PART * THREADS_M) {
    const float (*const left)[pitch_m] = LEFT + c_start + column;
    float sum[COLS][PART] = {};
#pragma unroll 2
    for (int l = 0; l < tile_m; l += 4) {
        Pack<float, 4> columns[PART];
#pragma unroll
        for (int j = 0; j < PART; j++) columns[j] = load_pack<4>(left[j] + l);
#pragma unroll
        for (int i = 0; i < COLS; i++) {
            const auto row = load_pack<4>((WEIGHTS)[i * THREADS_N + tx] + l);
#pragma unroll
            for (int n = 0; n < 4; n++)
#pragma unroll
                for (int j = 0; j < PART; j++) sum[i][j] += row.at[n] * columns[j].at[n];
        }
    }
#pragma unroll
    for (int i = 0; i < COLS; i++) {
        const IDX at_n = n_start + i * THREADS_N + tx, at_c = c_start + column;
        if (at_n >= COUNT_N || at_c >= COLUMNS) continue;
        float *const to = TO;
        //@IF WHOLE
        ADD(to, sum[i]);
        //@END
        //@IF PARTIAL
#pragma unroll
        for (int j = 0; j < PART; j++)
            if (at_c + j < COLUMNS) atomicAdd(to + j, sum[i][j]);
        //@END
    }
}
//@FINISH
}
