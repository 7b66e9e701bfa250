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

//@SECTION multiply_step
/* sum[i][j] += a[l][row i] * b[l][column j], l = 0, 1 .. STEP - 1; thread (ty, tx) has the rows and
 * columns of element_of. The operands of l + 1 are loaded before the products of l. Unrolled by less
 * than STEP, fewer are loaded ahead. */
template <int STEP, int THREADS_M, int THREADS_N, int UNROLL = STEP, int ROWS, int COLS,
          int PITCH_A, int PITCH_B>
DEVICE void multiply_step(float (&sum)[ROWS][COLS], const float (*a)[PITCH_A],
                          const float (*b)[PITCH_B], int ty, int tx) {
    constexpr int group_m = group_of(ROWS), group_n = group_of(COLS);
    Pack<float, group_m> rows[2][ROWS / group_m];
    Pack<float, group_n> columns[2][COLS / group_n];
    const auto load = [&](int set, int l) {
#pragma unroll
        for (int i = 0; i < ROWS; i += group_m)
            rows[set][i / group_m] = load_pack<group_m>(&a[l][element_of<ROWS, THREADS_M>(ty, i)]);
#pragma unroll
        for (int j = 0; j < COLS; j += group_n)
            columns[set][j / group_n] =
                load_pack<group_n>(&b[l][element_of<COLS, THREADS_N>(tx, j)]);
    };
    load(0, 0);
#pragma unroll UNROLL
    for (int l = 0; l < STEP; l++) {
        if (l + 1 < STEP) load((l + 1) % 2, l + 1);
#pragma unroll
        for (int j = 0; j < COLS; j++)
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                sum[i][j] += rows[l % 2][i / group_m].at[i % group_m] *
                             columns[l % 2][j / group_n].at[j % group_n];
    }
}

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
