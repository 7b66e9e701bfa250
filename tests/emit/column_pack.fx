// Narrow columns that are many: a thread adds up neighbours, so that a warp reads a cache line of each row.
// run: fusec %s --target=cuda --arch=sm_90a -o %t.cu
// run: sed -n "/^DEVICE void sums_0_body/,/^}/p" %t.cu
// run: grep -A2 "is_aligned(x" %t.cu
fn sums(x: bf16[512, 32768]) -> (y: bf16[32768]) {
    y = sum(x as f32, axis = 0) / 3;
}
// ---- expect
// DEVICE void sums_0_body(const bf16 *__restrict__ x, bf16 *__restrict__ y, int block) {
//     const int part = threadIdx.x / 32;
//     const int row = (block * 32 + threadIdx.x % 32) * VEC;
//
//     // sum
//     Pack<float, VEC> sum_1;
//     for (int l = 0; l < VEC; l++) sum_1.at[l] = 0;
// #pragma unroll 4
//     for (int col = part; col < 512; col += 8) {
//         const Pack<bf16, VEC> x_pack = load_pack<VEC>(x + col * 32768 + row);
// #pragma unroll
//         for (int l = 0; l < VEC; l++) {
//             const float x_1 = from_bf16(x_pack.at[l]);
//             sum_1.at[l] += x_1;
//         }
//     }
//     sum_1 = column_reduce<Each<Sum>, 32, 8>(sum_1);
//     if (part == 0) {
// #pragma unroll
//         for (int l = 0; l < VEC; l++) {
//             const float y_1 = divide(sum_1.at[l], 3.0f);
//             y[row + l] = to_bf16(y_1);
//         }
//     }
// }
//     if (is_aligned(x, 4)) {
//         sums_0_body<2>(x, y, blockIdx.x);
//         return;
