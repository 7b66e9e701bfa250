// Rows of an odd number of elements: packs are aligned in memory, and each of the elements beside them is of
// a thread. With inputs of columns, which start elsewhere, elements go one by one.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: sed -n "/^DEVICE void scaled_0_body/,/^}/p" %t.cu
// run: grep -A2 "is_aligned(x" %t.cu
// run: grep "gain\[" %t.cu
fn scaled(x: bf16[512, 1001]) -> (y: bf16[512, 1001], at: i32[512]) {
    y = x / sum(x as f32, keep = true);
    at = argmax(x);
}
fn gained(x: bf16[512, 1001], gain: f32[1001]) -> (y: f32[512, 1001]) {
    y = (x as f32 - mean(x as f32, keep = true)) * gain;
}
// ---- expect
// DEVICE void scaled_0_body(const bf16 *__restrict__ x, bf16 *__restrict__ y, int *__restrict__ at_) {
//     const int lane = threadIdx.x % 32;
//     const int row = (int)blockIdx.x * 4 + threadIdx.x / 32;
//     /* Aligned packs are from `head` to `whole`; each element beside them is the `edge` of a
//      * thread. */
//     const int head = -(row * 1001) & (VEC - 1);
//     const int whole = head + (1001 - head) / VEC * VEC;
//     const int edge = lane < head ? lane : whole + lane - head;
//     constexpr int items = 32 / VEC;
//     constexpr int full = (1001 - VEC + 1) / (32 * VEC); /* items that every thread has */
//     Pack<bf16, VEC> x_items[items];
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const int col = head + (item * 32 + lane) * VEC;
//         if (item >= full && col >= whole) continue;
//         x_items[item] = load_pack<VEC>(x + row * 1001 + col);
//     }
//     bf16 x_items_edge;
//     if (edge < 1001) {
//         const int col = edge;
//         x_items_edge = x[row * 1001 + col];
//     }
//
//     // stage 1 of 2: sum, argmax
//     float sum_1 = 0;
//     Best<float> best_argmax = {-INFINITY, 0x7fffffff};
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const int col = head + (item * 32 + lane) * VEC;
//         if (item >= full && col >= whole) continue;
// #pragma unroll
//         for (int l = 0; l < VEC; l++) {
//             const float x_1 = from_bf16(x_items[item].at[l]);
//             const int index = col + l;
//             sum_1 += x_1;
//             ArgMax::step(best_argmax, x_1, index);
//         }
//     }
//     if (edge < 1001) {
//         const int col = edge;
//         const float x_1 = from_bf16(x_items_edge);
//         sum_1 += x_1;
//         ArgMax::add(best_argmax, x_1, col);
//     }
//     sum_1 = warp_reduce<Sum>(sum_1);
//     best_argmax = warp_best<>(best_argmax);
//     const int argmax = ArgMax::position(best_argmax);
//     if (lane == 0) at_[row] = argmax;
//
//     // stage 2 of 2: y
// #pragma unroll
//     for (int item = 0; item < items; item++) {
//         const int col = head + (item * 32 + lane) * VEC;
//         if (item >= full && col >= whole) continue;
//         Pack<bf16, VEC> y_pack;
// #pragma unroll
//         for (int l = 0; l < VEC; l++) {
//             const float x_1 = from_bf16(x_items[item].at[l]);
//             y_pack.at[l] = to_bf16(divide_by(x_1, sum_1));
//         }
//         store_pack(y + row * 1001 + col, y_pack);
//     }
//     if (edge < 1001) {
//         const int col = edge;
//         const float x_1 = from_bf16(x_items_edge);
//         y[row * 1001 + col] = to_bf16(divide_by(x_1, sum_1));
//     }
// }
//     if (is_aligned(x, 16) && is_aligned(y, 16)) {
//         scaled_0_body<8>(x, y, at_);
//         return;
//         const float gain_1 = gain[col];
