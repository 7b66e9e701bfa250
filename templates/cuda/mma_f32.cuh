/* mma_f32.cuh: products of f32 numbers on tensor cores, whose operands a block has rounded or split
 * in shared memory: where the accumulators of one product are the left operand of the next.
 * Sections as in types.cuh. */
#pragma once
#include "mma.cuh"
//@BEGIN
//@SECTION --
// ---- f32 numbers in shared memory, for tensor cores ----------------------------------------
/* A tile is ROWS rows of ROW_BYTES bytes, 64 * 2^n up to 512, whose chunks are swizzled. Thread t
 * of THREADS settles chunks t, t + THREADS, .. which it brought itself: no barrier comes before. */

//@SECTION round_rows
/* To tf32, in place. */
template <int ROW_BYTES, int ROWS, int THREADS>
DEVICE void round_rows(unsigned char *slot, unsigned thread) {
    constexpr int chunks = ROW_BYTES / 16, all = ROWS * chunks;
#pragma unroll 4
    for (int place = (int)thread; place < all; place += THREADS) {
        float *const at = (float *)(slot + swizzled<ROW_BYTES>(place / chunks, place % chunks));
        Pack<float, 4> x = load_pack<4>(at);
#pragma unroll
        for (int i = 0; i < 4; i++) x.at[i] = bits_float(to_tf32(x.at[i]));
        store_pack(at, x);
    }
}

//@SECTION split_rows
/* Into two numbers of bf16, whose sum is the number to 16 bits: a row becomes that of the larger
 * ones, then that of the smaller ones. A row's chunks are those of one warp. */
template <int ROW_BYTES, int ROWS, int THREADS>
DEVICE void split_rows(unsigned char *slot, unsigned thread) {
    constexpr int chunks = ROW_BYTES / 16, all = ROWS * chunks;
    constexpr int most = (all + THREADS - 1) / THREADS, each = most < 4 ? most : 4;
#pragma unroll 1
    for (int first = (int)thread; first < all; first += each * THREADS) {
        Pack<unsigned, 4> x[each];
#pragma unroll
        for (int i = 0; i < each; i++) {
            const int place = first + i * THREADS;
            if (place >= all) break;
            x[i] = load_pack<4>((const unsigned *)(slot + swizzled<ROW_BYTES>(place / chunks,
                                                                              place % chunks)));
        }
        __syncwarp(); /* the row is read */
#pragma unroll
        for (int i = 0; i < each; i++) {
            const int place = first + i * THREADS, row = place / chunks, chunk = place % chunks;
            if (place >= all) break;
            unsigned term[2][2];
            split_bf16<0>(term, x[i].at[0], x[i].at[1]);
            split_bf16<1>(term, x[i].at[2], x[i].at[3]);
#pragma unroll
            for (int part = 0; part < 2; part++)
                store_pack((unsigned *)(slot + swizzled<ROW_BYTES>(row, part * (chunks / 2) +
                                                                            chunk / 2) +
                                        chunk % 2 * 8),
                           Pack<unsigned, 2>{{term[part][0], term[part][1]}});
        }
    }
}

//@SECTION add_part
/* Adds products that were added up from 0, of N columns of 8 from column `first` on, to all C. */
template <int M, int N, int C>
DEVICE void add_part(float (&sum)[M][C][4], int first, const float (&part)[M][N][4]) {
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
#pragma unroll
            for (int l = 0; l < 4; l++) sum[i][first + j][l] += part[i][j][l];
}

//@SECTION multiply_terms_tf32
/* Three of the four products of terms: small ones come first, and the smallest not at all. */
template <int M, int N>
DEVICE void multiply_terms_tf32(float (&sum)[M][N][4], const unsigned (&left)[M][1][2][4],
                                const unsigned (&right)[N][1][2][2]) {
#pragma unroll
    for (int terms = 0; terms < 3; terms++)
#pragma unroll
        for (int i = 0; i < M; i++)
#pragma unroll
            for (int j = 0; j < N; j++)
                mma_tf32(sum[i][j], left[i][0][terms == 0], right[j][0][terms == 1]);
}

//@SECTION multiply_rows_tf32x3
/* sum[i][j] += a b.T of rows of f32 numbers, STEPS times 16 elements long: 16 rows of a from
 * a_row + 16 i on, 8 rows of b from b_row + 8 j on. Terms are made in registers. Products of a step
 * are added up from 0: a tensor core truncates sums. */
template <int STEPS, int ROW_BYTES, int M, int N>
DEVICE void multiply_rows_tf32x3(float (&sum)[M][N][4], const unsigned char *a, int a_row,
                                 const unsigned char *b, int b_row, unsigned lane) {
    constexpr int each = M == 1 && N % 4 == 0 ? 4 : 2; /* independent products hide latency */
#pragma unroll 1
    for (int step = 0; step < 2 * STEPS; step++) {
        unsigned left[M][1][2][4];
#pragma unroll
        for (int i = 0; i < M; i++) {
            unsigned x[4];
            ldmatrix_x4(x[0], x[1], x[2], x[3],
                        a + swizzled<ROW_BYTES>(a_row + 16 * i + lane % 16, 2 * step + lane / 16));
            split_tf32(left[i], x);
        }
#pragma unroll
        for (int first = 0; first < N; first += each) {
            unsigned right[each][1][2][2];
            float part[M][each][4] = {};
#pragma unroll
            for (int j = 0; j < each; j += 2) {
                unsigned x[2][2];
                ldmatrix_x4(x[0][0], x[0][1], x[1][0], x[1][1],
                            b + swizzled<ROW_BYTES>(b_row + 8 * (first + j) + lane / 16 * 8 +
                                                        lane % 8,
                                                    2 * step + lane / 8 % 2));
                split_tf32(right[j], x[0]);
                split_tf32(right[j + 1], x[1]);
            }
            multiply_terms_tf32(part, left, right);
            add_part(sum, first, part);
        }
    }
}

//@SECTION multiply_rows_bf16x3
/* sum[i][j] += a b.T of rows that are split, STEPS times 16 elements long: 16 rows of a from
 * a_row + 16 i on, 8 rows of b from b_row + 8 j on. Small products of terms come first, and the
 * smallest not at all. */
template <int STEPS, int ROW_BYTES, int M, int N>
DEVICE void multiply_rows_bf16x3(float (&sum)[M][N][4], const unsigned char *a, int a_row,
                                 const unsigned char *b, int b_row, unsigned lane) {
    constexpr int half = ROW_BYTES / 32;
#pragma unroll 2
    for (int step = 0; step < STEPS; step++) {
        unsigned left[2][M][4];
#pragma unroll
        for (int term = 0; term < 2; term++)
#pragma unroll
            for (int i = 0; i < M; i++) {
                auto &part = left[term][i];
                ldmatrix_x4(part[0], part[1], part[2], part[3],
                            a + swizzled<ROW_BYTES>(a_row + 16 * i + lane % 16,
                                                    term * half + 2 * step + lane / 16));
            }
#pragma unroll
        for (int j = 0; j < N; j += 2) {
            unsigned right[2][2][2];
#pragma unroll
            for (int term = 0; term < 2; term++) {
                auto &part = right[term];
                ldmatrix_x4(part[0][0], part[0][1], part[1][0], part[1][1],
                            b + swizzled<ROW_BYTES>(b_row + 8 * j + lane / 16 * 8 + lane % 8,
                                                    term * half + 2 * step + lane / 8 % 2));
            }
#pragma unroll
            for (int terms = 0; terms < 3; terms++)
#pragma unroll
                for (int i = 0; i < M; i++)
#pragma unroll
                    for (int l = 0; l < 2; l++)
                        mma_bf16(sum[i][j + l], left[terms == 0][i], right[terms == 1][l]);
        }
    }
}

//@SECTION multiply_columns_tf32
/* sum[i][c] += a b: a is in registers, as products leave their sums, 16 rows of 8 N elements; b has
 * 8 N rows from `row` on, rounded. Element 2 t of 8 is number t of the instruction's, 2 t + 1 is
 * number t + 4. Products of the tile are added up from 0: a tensor core truncates sums. */
template <int ROW_BYTES, int M, int N, int C>
DEVICE void multiply_columns_tf32(float (&sum)[M][C][4], const float (&a)[M][N][4],
                                  const unsigned char *b, int row, unsigned lane) {
    constexpr int each = M == 1 && C % 4 == 0 ? 4 : 2; /* independent products hide latency */
    unsigned left[M][N][4];
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
#pragma unroll
            for (int l = 0; l < 4; l++) left[i][j][l] = to_tf32(a[i][j][l % 2 * 2 + l / 2]);
#pragma unroll
    for (int first = 0; first < C; first += each) {
        float part[M][each][4] = {};
#pragma unroll
        for (int j = 0; j < N; j++)
#pragma unroll
            for (int c = 0; c < each; c++) {
                unsigned right[2];
#pragma unroll
                for (int l = 0; l < 2; l++)
                    right[l] = *(const volatile unsigned *)( /* keeps loads in the loop */
                        b + swizzled<ROW_BYTES>(row + 8 * j + (int)(lane % 4) * 2 + l,
                                                2 * (first + c) + (int)lane / 16) +
                        lane / 4 % 4 * 4);
#pragma unroll
                for (int i = 0; i < M; i++) mma_tf32(part[i][c], left[i][j], right);
            }
        add_part(sum, first, part);
    }
}

//@SECTION multiply_columns_tf32x3
/* The same by three products of terms, which are made in registers: b has f32 numbers. */
template <int ROW_BYTES, int M, int N, int C>
DEVICE void multiply_columns_tf32x3(float (&sum)[M][C][4], const float (&a)[M][N][4],
                                    const unsigned char *b, int row, unsigned lane) {
    constexpr int each = M == 1 && C % 4 == 0 ? 4 : 2; /* columns of 8 that share terms of a */
#pragma unroll
    for (int first = 0; first < C; first += each) {
        float part[M][each][4] = {};
#pragma unroll
        for (int j = 0; j < N; j++) {
            unsigned left[M][1][2][4], right[each][1][2][2];
#pragma unroll
            for (int i = 0; i < M; i++) {
                unsigned x[4];
#pragma unroll
                for (int l = 0; l < 4; l++) x[l] = float_bits(a[i][j][l % 2 * 2 + l / 2]);
                split_tf32(left[i], x);
            }
#pragma unroll
            for (int c = 0; c < each; c++) {
                unsigned x[2];
#pragma unroll
                for (int l = 0; l < 2; l++)
                    x[l] = *(const volatile unsigned *)( /* keeps loads in the loop */
                        b + swizzled<ROW_BYTES>(row + 8 * j + (int)(lane % 4) * 2 + l,
                                                2 * (first + c) + (int)lane / 16) +
                        lane / 4 % 4 * 4);
                split_tf32(right[c], x);
            }
            multiply_terms_tf32(part, left, right);
        }
        add_part(sum, first, part);
    }
}

//@SECTION multiply_columns_bf16x3
/* The same, where b is split in shared memory. */
template <int ROW_BYTES, int M, int N, int C>
DEVICE void multiply_columns_bf16x3(float (&sum)[M][C][4], const float (&a)[M][N][4],
                                    const unsigned char *b, int row, unsigned lane) {
    constexpr int half = ROW_BYTES / 32;
    unsigned left[M][N / 2][2][4];
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int step = 0; step < N / 2; step++) {
            const auto &low = a[i][2 * step], &high = a[i][2 * step + 1];
            split_bf16<0>(left[i][step], float_bits(low[0]), float_bits(low[1]));
            split_bf16<1>(left[i][step], float_bits(low[2]), float_bits(low[3]));
            split_bf16<2>(left[i][step], float_bits(high[0]), float_bits(high[1]));
            split_bf16<3>(left[i][step], float_bits(high[2]), float_bits(high[3]));
        }
#pragma unroll
    for (int first = 0; first < C; first += 2) {
        float part[M][2][4] = {};
#pragma unroll
        for (int step = 0; step < N / 2; step++) {
            unsigned right[2][2][2];
#pragma unroll
            for (int term = 0; term < 2; term++) {
                auto &both = right[term];
                ldmatrix_x4_trans(both[0][0], both[0][1], both[1][0], both[1][1],
                                  b + swizzled<ROW_BYTES>(row + 16 * step + lane % 16,
                                                          term * half + first + lane / 16));
            }
#pragma unroll
            for (int terms = 0; terms < 3; terms++)
#pragma unroll
                for (int i = 0; i < M; i++)
#pragma unroll
                    for (int l = 0; l < 2; l++)
                        mma_bf16(part[i][l], left[i][step][terms == 0], right[terms == 1][l]);
        }
        add_part(sum, first, part);
    }
}
