// Rows of a product that are only reduced stay in the registers of four threads; where their elements
// are stored, they go through shared memory.
// run: fusec %s --fn reduced -D N=64 --arch=sm_90a --tile kind=wgmma -o %t.cu
// run: grep -A 40 "Epilogue:" %t.cu
// run: fusec %s --fn stored -D N=64 --arch=sm_90a --tile kind=wgmma -o %t.cu
// run: grep "Epilogue:" %t.cu
fn reduced[M, N, K](x: bf16[M, K], w: bf16[N, K], b: f32[N]) -> (most: f32[M]) {
    most = max(x @ w.T + b, axis = 1);
}

fn stored[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) {
    y = softmax(x @ w.T);
}
// ---- expect
//             /* Epilogue: with g = lane / 4 and t = lane % 4, a thread holds columns 2 t and 2 t + 1 of
//              * every 8, in rows g and g + 8; the four threads of g reduce both, one after the
//              * other. */
//             constexpr int VEC = WIDE ? 2 : 1;
//             const idx first_row = m_start + (warp - 4) * 16 + lane / 4;
// #pragma unroll
//             for (int own = 0; own < 2; own++) {
//                 const int lane = thread % 4, half = own;
//                 const float *const row_sums = sum[0] + 2 * half;
//                 const idx at_row = first_row + 8 * half;
//                 const bool valid = at_row < M; /* else: read the last row, store nothing */
//                 const idx at_m = at_row < M ? at_row : M - 1;
//                 constexpr int items = 8 * 2 / VEC;
//
//                 // stage 1 of 1: max
//                 float max_1 = -INFINITY;
// #pragma unroll
//                 for (int item = 0; item < items; item++) {
//                     const idx col = (item * VEC / 2 * 4 + lane) * 2 + item * VEC % 2;
//                     const Pack<float, VEC> matmul_pack = quad_sums<VEC>(row_sums, item);
//                     const Pack<float, VEC> b_pack = load_pack<VEC>(b + col);
// #pragma unroll
//                     for (int l = 0; l < VEC; l++) {
//                         max_1 = max_nan(max_1, matmul_pack.at[l] + b_pack.at[l]);
//                     }
//                 }
//                 max_1 = warp_reduce<Max, 4>(max_1);
//                 if (valid && lane == 0) most[at_m] = max_1;
//             }
//         }
//     }
// }
//
// extern "C" __global__ __launch_bounds__(384, 1)
// void reduced_0(const __grid_constant__ TensorMap x_map, const __grid_constant__ TensorMap w_map,
//                const bf16 *__restrict__ x, const bf16 *__restrict__ w,
//                const float *__restrict__ b, float *__restrict__ most, idx M, idx K) {
//     if (K % 8 == 0 && is_aligned(x, 16) && is_aligned(w, 16) && is_aligned(b, 8)) {
//         reduced_0_tiles<true>(x_map, w_map, x, w, b, most, M, K);
//         return;
//     }
//             /* Epilogue: rows go through shared memory, 8 of each warp at a time, and 4
