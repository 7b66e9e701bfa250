// A running maximum, and what it is compared with, are one kernel that reads each element once.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: sed -n "/^DEVICE void drawdown_0_body/,/^}/p" %t.cu
// run: fusec %s --target=c -o %t.c
// run: grep -E "carry2|cummax|drop_" %t.c
@one_kernel
fn drawdown(x: f32[4096, 1024]) -> (top: f32[4096, 1024], drop: f32[4096, 1024]) {
    top = cummax(x);
    drop = top - x;
}
// ---- expect
// DEVICE void drawdown_0_body(const float *__restrict__ x, float *__restrict__ top,
//                             float *__restrict__ drop) {
//     const int thread = threadIdx.x;
//     const int row = blockIdx.x;
//     constexpr int items = 16 / VEC;
//
//     // top, drop
//     float carry = -INFINITY;
//     Pack<float, VEC> x_items[items];
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const int col = (item * 64 + thread) * VEC;
//         x_items[item] = load_pack<VEC>(x + row * 1024 + col);
//     }
//     Pack<float, VEC> cummax_items[items];
// #pragma unroll
//     for (int item = 0; item < items; item++) {
// #pragma unroll
//         for (int l = 0; l < VEC; l++)
//             cummax_items[item].at[l] = x_items[item].at[l];
//     }
//     block_scan<Max, 2>(cummax_items, carry);
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const int col = (item * 64 + thread) * VEC;
//         Pack<float, VEC> drop_pack;
// #pragma unroll
//         for (int l = 0; l < VEC; l++)
//             drop_pack.at[l] = cummax_items[item].at[l] - x_items[item].at[l];
//         store_pack(top + row * 1024 + col, cummax_items[item]);
//         store_pack(drop + row * 1024 + col, drop_pack);
//     }
// }
// /* drawdown_0: cummax, sub; 4096 rows of 1024 */
//         f32 carry2 = splat_f32(-INFINITY);
//             const f32 cummax = scan_max_f32(x_1, &carry2);
//             stream_f32(top + i0 * 1024 + i1, cummax, VL);
//             stream_f32(drop + i0 * 1024 + i1, cummax - x_1, VL);
//     /* cummax: f32[4096, 1024] */
