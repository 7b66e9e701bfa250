// A score function without loads is written once for all tiles, and a mask then changes its results.
// run: fusec %s --arch=sm_90a -D M=32768 -D N=32768 -o %t.cu
// run: grep -A 22 "const int n_last" %t.cu
// run: fusec %s --arch=sm_80 -D M=32768 -D N=32768 -o %t.cu
// run: grep "tanh_of(divide\|of_key" %t.cu
fn capped[M, N](q: bf16[M, 64], k: bf16[N, 64], v: bf16[N, 64]) -> (o: bf16[M, 64]) {
    s = 20 * tanh((q @ k.T) * 0.125 / 20);
    p = softmax(where(iota(M)[:, None] >= iota(N), s, -inf)) as bf16;
    o = p @ v;
}
// ---- expect
//                     const int n_last = n_start + tile_n < 32768 ? n_start + tile_n - 1 : 32767;
// #pragma unroll
//                     for (int j = 0; j < tile_n / 8; j++)
// #pragma unroll
//                         for (int part = 0; part < 4; part++)
//                             score[4 * j + part] =
//                                 tanh_of(divide(score[4 * j + part] * 0.125f, 20.0f)) * 20.0f;
//                     const bool is_clear = n_last <= m_start;
//                     if (!is_clear) {
// #pragma unroll
//                         for (int j = 0; j < tile_n / 8; j++)
// #pragma unroll
//                             for (int part = 0; part < 4; part++) {
//                                 const int at_m = m_start + m_warp + 8 * (part / 2) + own_row;
//                                 const int at_n = n_start + 8 * j + pair + part % 2;
//                                 score[4 * j + part] =
//                                     at_n <= at_m ? score[4 * j + part] : -INFINITY;
//                             }
//                     }
//
//                     float by[2], shifts[2]; /* by: the factors that rescale the sums so far */
// #pragma unroll
//                     for (int half = 0; half < 2; half++) {
//                     score[i][j][part] = tanh_of(divide(score[i][j][part] * 0.125f, 20.0f)) * 20.0f;
