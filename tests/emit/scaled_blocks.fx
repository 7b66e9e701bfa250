// Factors of a block of k: loaded once for each row of a tile whose columns share them, and for each
// column, by way of shared memory, if its rows do. @one_kernel holds.
// run: fusec %s --fn square --arch=sm_90a -o %t.cu
// run: grep -A 28 "const auto put_factors" %t.cu
// run: grep -A 11 "const auto add = " %t.cu
// run: fusec %s --fn rows --arch=sm_90a -o %t.cu
// run: grep -A 18 "const auto add = " %t.cu
// run: fusec %s --fn rows --arch=sm_90a --tile n=160
// exit: 1
// run: fusec %s --fn square --arch=sm_90a --emit=kernel
// Products that are reshaped, or have their blocks elsewhere, before they are scaled.
// run: fusec %s --fn regrouped --arch=sm_90a -o %t.cu
// run: fusec %s --fn middle --arch=sm_90a -o %t.cu
// run: fusec %s --fn last --arch=sm_90a -o %t.cu
@precision(f8)
@one_kernel
fn square[M, N, K](
    x: f8e4m3[M, K],
    w: f8e4m3[N, K],
    s: f32[M, K/128],
    t: f32[N/128, K/128]
) -> (y: bf16[M, N]) {
    a = permute(reshape(x, M, K / 128, 128), 1, 0, 2);
    b = permute(reshape(w, N, K / 128, 128), 1, 0, 2);
    of_n = reshape(broadcast(t.T[:, :, None], K / 128, N / 128, 128), K / 128, 1, N);
    y = sum(a @ b.T * (s.T[:, :, None] * of_n), axis = 0);
}

@precision(f8)
@one_kernel
fn rows[M, N, K](
    x: f8e5m2[M, K],
    w: f8e5m2[N, K],
    s: f32[K/128, M],
    t: f32[K/128, N]
) -> (y: f32[M, N]) {
    p = einsum("mbk,nbk->bmn", reshape(x, M, K / 128, 128), reshape(w, N, K / 128, 128));
    y = sum(p * s[:, :, None] * t[:, None], axis = 0);
}

@precision(f8)
@one_kernel
fn regrouped[M, N, K](
    x: f8e4m3[M, K],
    w: f8e4m3[N, K],
    s: f32[M, K/128],
    t: f32[N/128, K/128]
) -> (y: bf16[M, N]) {
    a = permute(reshape(x, M, K / 128, 128), 1, 0, 2);
    b = permute(reshape(w, N, K / 128, 128), 1, 0, 2);
    p = reshape(a @ b.T, K / 128, M, N / 128, 128);
    y = reshape(sum(p * s.T[:, :, None, None] * t.T[:, None, :, None], axis = 0), M, N);
}

@precision(f8)
@one_kernel
fn middle[M, N, K](
    x: f8e4m3[M, K],
    w: f8e4m3[N, K],
    s: f32[M, K/128],
    t: f32[N, K/128]
) -> (y: f32[M, N]) {
    p = einsum("mbk,nbk->mbn", reshape(x, M, K / 128, 128), reshape(w, N, K / 128, 128));
    y = sum(p * s[:, :, None] * t.T, axis = 1);
}

@precision(f8)
@one_kernel
fn last[M, N, K](
    x: f8e4m3[M, K],
    w: f8e4m3[N, K],
    s: f32[M, K/128],
    t: f32[N, K/128]
) -> (y: f32[M, N]) {
    p = einsum("mbk,nbk->mnb", reshape(x, M, K / 128, 128), reshape(w, N, K / 128, 128));
    y = relu(sum(p * (s[:, None] * t)));
}
// ---- expect
//             const auto put_factors = [&]([[maybe_unused]] int block, float *factors, int item) {
//                 idx at_m = m_start + item;
//                 if (at_m >= M) at_m = M - 1;
//                 const idx at_n = n_start;
//                 const float s_1 = s[at_m * (K/128) + block];
//                 const float t_1 = t[(at_n / 128) * (K/128) + block];
//                 factors[item] = s_1 * t_1;
//             };
// #pragma unroll 1
//             for (int tile = 0; tile < tiles_k; tile++) {
//                 unsigned char *const slot = slots + ring.slot * stage_bytes;
//                 Mbarrier *const arrival = full + ring.slot;
//                 float *const factors = stage_factors + ring.slot * factor_count;
//                 if (wide && warp > 0) { /* each of three warps loads those of every third block */
//                     if (tile % 3 == (int)warp - 1) {
//                         mbarrier_wait(empty + ring.slot, ring.parity ^ 1);
// #pragma unroll
//                         for (int item = lane; item < 128; item += 32)
//                             put_factors(tile, factors, item);
//                         __syncwarp();
//                         if (lane == 0) mbarrier_arrive(arrival);
//                     }
//                     ring.step();
//                     continue;
//                 }
//                 mbarrier_wait(empty + ring.slot, ring.parity ^ 1);
//                 if (wide) {
//                     mbarrier_arrive_expect_tx(arrival, stage_bytes);
//                     const idx k_start = (idx)tile * tile_k;
//             const auto add = [&](float (&from)[tile_n / 2]) {
//                 wgmma_done(from);
//                 const float *const factors = stage_factors + first * factor_count;
//                 const int own_row = first_block * 64 + warp % 4 * 16 + lane / 4;
//                 const float of_row_0[2] = {factors[own_row], factors[own_row + 8]};
// #pragma unroll
//                 for (int i = 0; i < tile_n / 2; i += 4) {
// #pragma unroll
//                     for (int l = 0; l < 4; l++)
//                         sum[0][i + l] += from[i + l] * of_row_0[l / 2];
//                 }
//                 __syncwarp(); /* all lanes have read the factors */
//             const auto add = [&](float (&from)[tile_n / 2]) {
//                 wgmma_done(from);
//                 const float *const factors = stage_factors + first * factor_count;
//                 const int own_row = first_block * 64 + warp % 4 * 16 + lane / 4;
//                 const float of_row_0[2] = {factors[own_row], factors[own_row + 8]};
// #pragma unroll
//                 for (int i = 0; i < tile_n / 2; i += 4) {
//                     const Pack<float, 2> of_column_0 =
//                         load_pack<2>(factors + tile_m + 2 * i + lane % 4 * 2);
// #pragma unroll
//                     for (int l = 0; l < 4; l++)
//                         sum[0][i + l] += from[i + l] * of_row_0[l / 2] * of_column_0.at[l % 2];
//                 }
//                 __syncwarp(); /* all lanes have read the factors */
//                 release(first);
//                 first = first + 1 < stages ? first + 1 : 0;
//             };
//             start(part[0]);
//             int tile = 1; /* K is at least 1 */
// fusec: error: kernel 'rows_0' cannot have the tile n=160: each of 128 threads loads the factors of one column
// fusec: note: without --tile it has kind=wgmma,m=128,n=128,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=4,unroll=4
// kernel square_0: contraction
//   in  x: f8e4m3
//   in  w: f8e4m3
//   in  s: f32
//   in  t: f32
//   out y: bf16
//   loops row i0 < 1 row i1 < M row i2 < N col i3 < K col i6 < K/128
//   left operand v1
//     v1 = load x[i1 * K + i3] : f8e4m3
//   right operand of acc 0 v2
//     v2 = load w[i2 * K + i3] : f8e4m3
//   results v8
//     v8 = acc 0 : f32
//   factors of a row v6
//     v4 = load s[i1 * (K/128) + i6] : f32
//     v5 = load t[(i2 / 128) * (K/128) + i6] : f32
//     v6 = mul v4 v5 : f32
//   block v7, given v3 v6
//     v7 = mul v3 v6 : f32
//     acc 0 = matmul v1 v2, blocks of 128: sum v7 along i6
//     y[i1 * N + i2] = v8
