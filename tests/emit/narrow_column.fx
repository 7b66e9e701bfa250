// All columns that there are side by side are a block's, so that its threads read what is contiguous.
// run: fusec %s --target=cuda --arch=sm_90a --machine=H200 -o %t.cu
// run: sed -n "/^void pixels_1/,/^}/p" %t.cu
// run: grep -E "neighbouring rows|column_reduce|<<<" %t.cu
fn pixels(x: u8[4000000, 3]) -> (y: u8[3]) {
    y = max(x, axis = 0);
}
fn pairs(x: bf16[4000000, 2]) -> (y: f32[2]) {
    y = sum(x as f32, axis = 0);
}
// ---- expect
// void pixels_1(unsigned char *__restrict__ y, const unsigned char *__restrict__ max_parts) {
//     const int part = threadIdx.x / 3;
//     const int row = (int)blockIdx.x * 3 + threadIdx.x % 3;
//
//     // max
//     int max_1 = -0x7fffffff - 1;
// #pragma unroll 8
//     for (int col = part; col < 500; col += 125) {
//         const int max_parts_1 = max_parts[col * 3 + row];
//         max_1 = max_nan(max_1, max_parts_1);
//     }
//     max_1 = column_reduce<Max, 3, 125>(max_1);
//     if (part == 0) y[row] = (unsigned char)(max_1);
// }
// template <class Op, int LANES, int SPLIT, class T> DEVICE T column_reduce(T x) {
//  * neighbouring rows to a block, 170 threads each. */
//     max_parts_1 = column_reduce<Max, 3, 170>(max_parts_1);
//     max_1 = column_reduce<Max, 3, 125>(max_1);
//     pixels_0<<<500, 510, 0, stream>>>((const unsigned char *)x, max_parts);
//     pixels_1<<<1, 375, 0, stream>>>((unsigned char *)y, max_parts);
//  * neighbouring rows to a block, 500 threads for each 2. */
//     sum_parts_1 = column_reduce<Each<Sum>, 1, 500>(sum_parts_1);
//     sum_1 = column_reduce<Each<Sum>, 1, 125>(sum_1);
//     pairs_0<<<500, 500, 0, stream>>>((const bf16 *)x, sum_parts);
//     pairs_1<<<1, 125, 0, stream>>>((float *)y, sum_parts);
