/* fma.cuh: products of tiles in shared memory by fused multiply-adds. Sections as in types.cuh. */
#pragma once
#include "memory.cuh"
//@BEGIN
//@SECTION --
// ---- products of tiles, one multiply-add at a time ----------------------------------------

//@SECTION group_of
/* Of a thread's elements along a side of a tile, so many are neighbours: 16 bytes, if possible. */
DEVICE constexpr int group_of(int count) { return count % 4 == 0 ? 4 : count % 2 == 0 ? 2 : 1; }

//@SECTION element_of
/* The place of element i of a thread's COUNT along a side that THREADS share. Their groups are
 * interleaved. */
template <int COUNT, int THREADS> DEVICE int element_of(int thread, int i) {
    constexpr int group = group_of(COUNT);
    return i / group * (THREADS * group) + thread * group + i % group;
}

//@SECTION Products
/* sum[i][j] += a[l][row i] * b[l][column j], l = 0, 1 .. STEP - 1, of one step after the other;
 * thread (ty, tx) has the rows and columns of element_of. Operands are loaded one l ahead, ACROSS
 * steps too: then the products of a step's last l come after the barrier and the first loads of the
 * next step, those of all steps in finish(). Unrolled by less than STEP, fewer are loaded ahead. */
template <int STEP, int THREADS_M, int THREADS_N, int ROWS, int COLS, int UNROLL = STEP,
          bool ACROSS = true>
struct Products {
    static constexpr int group_m = group_of(ROWS), group_n = group_of(COLS);
    Pack<float, group_m> rows[2][ROWS / group_m] = {};
    Pack<float, group_n> columns[2][COLS / group_n] = {};

    template <int PITCH_A, int PITCH_B>
    __device__ __forceinline__ void load(int set, const float (*a)[PITCH_A],
                                         const float (*b)[PITCH_B], int ty, int tx) {
#pragma unroll
        for (int i = 0; i < ROWS; i += group_m)
            rows[set][i / group_m] = load_pack<group_m>(*a + element_of<ROWS, THREADS_M>(ty, i));
#pragma unroll
        for (int j = 0; j < COLS; j += group_n)
            columns[set][j / group_n] =
                load_pack<group_n>(*b + element_of<COLS, THREADS_N>(tx, j));
    }

    __device__ __forceinline__ void multiply(float (&sum)[ROWS][COLS], int set) {
#pragma unroll
        for (int j = 0; j < COLS; j++)
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                sum[i][j] += rows[set][i / group_m].at[i % group_m] *
                             columns[set][j / group_n].at[j % group_n];
    }

    template <int PITCH_A, int PITCH_B>
    __device__ __forceinline__ void step(float (&sum)[ROWS][COLS], const float (*a)[PITCH_A],
                                         const float (*b)[PITCH_B], int ty, int tx) {
#pragma unroll UNROLL / 2
        for (int l = 0; l < STEP; l += 2) {
            load(0, a + l, b + l, ty, tx);
            if (ACROSS || l > 0) multiply(sum, 1); /* of l - 1 */
            load(1, a + l + 1, b + l + 1, ty, tx);
            multiply(sum, 0);
        }
        if (!ACROSS) multiply(sum, 1);
    }

    __device__ __forceinline__ void finish(float (&sum)[ROWS][COLS]) {
        if (ACROSS) multiply(sum, 1);
    }
};

//@SECTION store_transposed
/* to[column j][row i] = x[i][j] */
template <int THREADS_M, int THREADS_N, int ROWS, int COLS, int PITCH>
DEVICE void store_transposed(float (*to)[PITCH], const float (&x)[ROWS][COLS], int ty, int tx) {
    constexpr int group = group_of(ROWS);
#pragma unroll
    for (int j = 0; j < COLS; j++)
#pragma unroll
        for (int i = 0; i < ROWS; i += group) {
            Pack<float, group> rows;
#pragma unroll
            for (int n = 0; n < group; n++) rows.at[n] = x[i + n][j];
            store_pack(&to[element_of<COLS, THREADS_N>(tx, j)][element_of<ROWS, THREADS_M>(ty, i)],
                       rows);
        }
}

//@SECTION add_each
/* Adds to neighbours in memory, by atomics. */
template <int N> DEVICE void add_each(float *to, const float (&x)[N]) {
#pragma unroll
    for (int l = 0; l < N; l++) atomicAdd(to + l, x[l]);
}
