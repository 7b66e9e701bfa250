// Results of a short sum whose rows start anywhere in 16 bytes go through boxes in shared memory, where rows start at the
// same place of 16 bytes, and leave in packs. Not where sums are long, or columns few.
// run: fusec %s --fn odd --arch=sm_90a --no-test -o %t.cu
// run: sed -n '/each warp puts results/,/^                continue/p' %t.cu
// run: grep -A 12 "^DEVICE T .box_row\|^DEVICE void store_box" %t.cu
// run: fusec %s --fn pairs --arch=sm_90a --no-test --tile m=128,n=64,ping_pong=1 -o %t.cu
// run: grep "box_row<\|store_box<\|constexpr int VEC = 2" %t.cu
// run: fusec %s --fn fours --arch=sm_90a --no-test -o %t.cu
// run: grep -c "store_box<" %t.cu
// run: fusec %s --fn lengthy --arch=sm_90a --no-test -o %t.cu
// run: grep -c "store_box<" %t.cu
// exit: 1
// run: fusec %s --fn narrow --arch=sm_90a --no-test -o %t.cu
// run: grep -c "store_box<" %t.cu
// exit: 1
fn odd(a: bf16[31, 842, 72], b: bf16[31, 397, 72], c: f32[397]) -> (y: bf16[31, 842, 397]) {
    y = (a @ permute(b, 0, 2, 1) + c) as bf16;
}
fn pairs(a: bf16[4096, 256], b: bf16[4094, 256], c: bf16[4094, 256]) -> (y: bf16[4096, 4094], z: f16[4096, 4094]) {
    y = (a @ b.T) as bf16;
    z = (a @ c.T) as f16;
}
fn fours(a: bf16[4096, 256], b: bf16[4092, 256]) -> (y: bf16[4096, 4092]) { y = (a @ b.T) as bf16; }
fn lengthy(a: bf16[4096, 520], b: bf16[4095, 520]) -> (y: bf16[4096, 4095]) { y = (a @ b.T) as bf16; }
fn narrow(a: bf16[16384, 256], b: bf16[43, 256]) -> (y: bf16[16384, 43]) { y = (a @ b.T) as bf16; }
// ---- expect
//                 /* Epilogue: each warp puts results into a box of 16 rows and stores it. A row
//                  * starts in the box at the same place of 16 bytes as in the tensor, so that it is
//                  * stored in packs. With g = lane / 4 and t = lane % 4, a thread holds columns 2 t
//                  * and 2 t + 1 of every 8, in rows g and g + 8. */
//                 constexpr int VEC = 1;
//                 constexpr int slices = tile_n / slice_n, box_slices = box_n / slice_n;
//                 unsigned char *const box =
//                     slots + stages * stage_bytes + (warp - 4) * strip_bytes;
// #pragma unroll 8
//                 for (int slice = 0; slice < blocks * slices; slice++) {
//                     const int m_slice =
//                         m_start + (first_block + slice / slices) * 64 + warp % 4 * 16;
//                     const int n_slice = n_start + slice % slices * slice_n;
//                     const int col_slice = slice % box_slices * slice_n;
//                     const int n_box = n_slice - col_slice;
//                     const auto y_row = [&](int row) {
//                         const int at_m = m_slice + row, at_n = n_box;
//                         return y + at_batch * 334274 + at_m * 397 + at_n;
//                     };
//                     bf16 *const y_to[] = {
//                         box_row<box_n>((bf16 *)box, lane / 4, y_row(lane / 4)) + lane % 4 * 2,
//                         box_row<box_n>((bf16 *)box, lane / 4 + 8, y_row(lane / 4 + 8)) +
//                             lane % 4 * 2};
//                     if (col_slice == 0) __syncwarp();
//                     alignas(16) float slice_sums[products * slice_n / 2];
// #pragma unroll
//                     for (int i = 0; i < blocks * slices; i++)
//                         if (i == slice)
// #pragma unroll
//                             for (int j = 0; j < products * slice_n / 2; j++)
//                                 slice_sums[j] =
//                                     sum[i / slices][j / (slice_n / 2) * (tile_n / 2) +
//                                                     i % slices * (slice_n / 2) + j % (slice_n / 2)];
// #pragma unroll
//                     for (int j = 0; j < slice_n / 2; j += VEC) {
//                         const int col = j / 4 * 8 + lane % 4 * 2 + j % 2;
//                         /* Beyond the end the first row or column is read, and nothing is stored. */
//                         const int at_col = n_slice + col;
//                         const int at_n = at_col < 397 ? at_col : 0;
//                         const float *const sums = slice_sums + j;
//                         const Pack<float, VEC> matmul_pack = load_sums<VEC>(sums);
//                         const Pack<float, VEC> c_pack = load_pack<VEC>(c + at_n);
//                         Pack<bf16, VEC> y_pack;
// #pragma unroll
//                         for (int l = 0; l < VEC; l++)
//                             y_pack.at[l] = to_bf16(matmul_pack.at[l] + c_pack.at[l]);
//                         store_pack(y_to[j / 2 % 2] + col_slice + j / 4 * 8 + j % 2, y_pack);
//                     }
//                     if (col_slice + slice_n < box_n) continue;
//                     __syncwarp();
//                     store_box<box_n>((const bf16 *)box, 842 - m_slice, 397 - n_box, lane, y_row);
//                 }
//                 continue;
// DEVICE void store_box(const T *box, Index rows, Index cols, unsigned lane, const To &to) {
//     constexpr int VEC = 16 / sizeof(T), packs = N / VEC, pitch = N + VEC;
//     const int end = cols < N ? cols : N;
// #pragma unroll
//     for (int i = 0; i < packs / 2; i++) {
//         const int row = i * (32 / packs) + lane / packs, at = lane % packs * VEC;
//         T *const y = to(row);
//         const int col = at - place_in_pack(y);
//         if (row < rows && col >= 0 && col + VEC <= end)
//             store_pack(y + col, load_pack<VEC>(box + row * pitch + at));
//     }
// #pragma unroll
//     for (int i = 0; i < VEC; i++) {
//                 constexpr int VEC = 2;
//                         box_row<box_n>((bf16 *)box, lane / 4, y_row(lane / 4)) + lane % 4 * 2,
//                         box_row<box_n>((bf16 *)box, lane / 4 + 8, y_row(lane / 4 + 8)) +
//                         box_row<box_n>((f16 *)(box + 2304), lane / 4, z_row(lane / 4)) +
//                         box_row<box_n>((f16 *)(box + 2304), lane / 4 + 8, z_row(lane / 4 + 8)) +
//                     store_box<box_n>((const bf16 *)box, 4096 - m_slice, 4094 - n_box, lane, y_row);
//                     store_box<box_n>((const f16 *)(box + 2304), 4096 - m_slice, 4094 - n_box, lane,
// 1
// 0
// 0
