// Pixels that a convolution moves, zeros outside of their image, are brought by TMA, in two dimensions and in one, at
// the end of wider rows, too, and where they are summed. Where tensors are not aligned they are copied under the same
// conditions. A window that is moved by more pixels than TMA has is copied.
// run: fusec %s --fn plane --arch=sm_90a -D W=28 --no-test -o %t.cu
// run: grep -A 2 "tma_load_pixels(slot\|pixel_map(&\|at_k.*,$" %t.cu
// run: fusec %s --fn line --arch=sm_90a --no-test -o %t.cu
// run: grep -A 2 "tma_load_pixels(slot\|pixel_map(&" %t.cu
// run: fusec %s --fn weights --arch=sm_90a --no-test -o %t.cu
// run: grep -B 2 -A 2 "tma_load_pixels(slot" %t.cu
// run: fusec %s --fn far --arch=sm_90a --no-test -o %t.cu
// run: grep -c tma_load_pixels %t.cu
// exit: 1
fn plane[N, W, C](x: bf16[N, 14, W, C], w: bf16[2, C, 64]) -> (y: bf16[N, 14, W, 64]) {
    p = pad(pad(x, 1, 1, 1), 2, 1, 1);
    y = p[:, 2:, :W] @ w[0] + p[:, :14, 1 : W + 1] @ w[1];
}
fn line[B, S](x: bf16[B, S, 192], w: bf16[2, 128, 64]) -> (y: bf16[B, S, 64]) {
    p = pad(x[..., 64:], 1, 3, 0);
    y = p[:, :S] @ w[0] + p[:, 3:] @ w[1];
}
fn weights(x: bf16[8, 4096, 128], dy: bf16[8, 4096, 64]) -> (dw: f32[128, 64]) {
    dw = einsum("bsc,bsd->cd", pad(x, 1, 0, 1)[:, 1:], dy);
}
fn far(x: bf16[8, 4096, 128], w: bf16[128, 128]) -> (y: bf16[8, 4096, 128]) { y = pad(x, 1, 200, 0)[:, :4096] @ w; }
// ---- expect
//                         tma_load_pixels(slot, &x_map, arrival, (int)k_start,
//                                         (int)(m_start % 28 - 1), (int)(m_start / 28 % 14 + 1),
//                                         (int)(m_start / 392));
// --
//                         tma_load_pixels(slot, &x_map_2, arrival, (int)k_start, (int)(m_start % 28),
//                                         (int)(m_start / 28 % 14 - 1), (int)(m_start / 392));
// #pragma unroll
// --
//                             copy_chunk(to, x + at_m * C + at_k + 27*C,
//                                        at_m % 28 >= 1 && ((at_m / 28) % 14) < 13 ? count : 0);
//                         };
// --
//                             copy_chunk(to, x + at_m * C + at_k - 28*C,
//                                        ((at_m / 28) % 14) >= 1 ? count : 0);
//                         };
// --
//     status = pixel_map(&x_map, MAP_BF16, x, {C, 28, 14, N}, {2*C, 56*C, 784*C}, {-1, 1}, 64, 192);
//     if (status) return status;
//     TensorMap w_map = {};
// --
//     status = pixel_map(&x_map_2, MAP_BF16, x, {C, 28, 14, N}, {2*C, 56*C, 784*C}, {0, -1}, 64, 192);
//     if (status) return status;
//     TensorMap w_map_2 = {};
//                         tma_load_pixels(slot, &x_map, arrival, (int)k_start, (int)(m_start % S - 3),
//                                         0, (int)(m_start / S));
// #pragma unroll
// --
//     status = pixel_map(&x_map, MAP_BF16, (const bf16 *)x + 64, {128, S, 1, B}, {384, 384*S, 384*S},
//                        {-3, 0}, 64, 64);
//     if (status) return status;
// #pragma unroll
//                     for (int box = 0; box < 128; box += 64)
//                         tma_load_pixels(slot + 128 * box, &x_map, arrival, m_start + box,
//                                         k_start % 4096 + 1, 0, k_start / 4096);
// #pragma unroll
// 0
