// A product by warpgroups is one text for tensors of any alignment. Results that are not stored by TMA
// or in packs are stored one by one.
// run: fusec %s --fn boxed --arch=sm_90a -o %t.cu
// run: grep -A 1 "bool wide =" %t.cu
// run: grep -A 1 "if (wide) {\|VEC = " %t.cu
// run: grep "s_pack" %t.cu
// run: fusec %s --fn packed --arch=sm_90a -o %t.cu
// run: grep -A 1 "bool wide =" %t.cu
// run: grep -A 1 "if (wide) {\|VEC = " %t.cu
// run: grep "pack(c \|pack<VEC>(s" %t.cu
// run: fusec %s --fn rows --arch=sm_90a -o %t.cu
// run: grep -A 3 "if (wide) {\|VEC = " %t.cu
fn boxed[M, N](a: bf16[M, 512], b: bf16[N, 512], s: bf16[N]) -> (c: bf16[M, N]) {
    c = a @ b.T + s;
}
fn packed[M, N](a: bf16[M, 512], b: bf16[N, 512], s: f32[M, N]) -> (c: f32[M, N]) {
    c = a @ b.T + s;
}
fn rows[M](a: bf16[M, 512], b: bf16[128, 512]) -> (c: f32[M, 128]) { c = softmax(a @ b.T); }
// ---- expect
//     const bool wide = is_aligned(a, 16) & is_aligned(b, 16) & (N % 8 == 0) & is_aligned(c, 16) &
//                       is_aligned(s, 16);
//                 if (wide) {
//                     mbarrier_arrive_expect_tx(arrival, stage_bytes);
// --
//             if (wide) {
//                 /* Epilogue: each warp puts results into boxes of 16 rows of 128 bytes, swizzled,
// --
//                 constexpr int VEC = 2, chunk_n = 8;
//                 constexpr int slices = tile_n / slice_n, box_slices = box_n / slice_n;
// --
//                     constexpr int VEC = 1;
//                     const int row = item / strip_n, col = item % strip_n;
//                         const Pack<bf16, VEC> s_pack = load_pack<VEC>(s + at_n);
//                             const float s_1 = from_bf16(s_pack.at[l]);
//                     const Pack<bf16, VEC> s_pack = load_pack<VEC>(s + at_n);
//                         const float s_1 = from_bf16(s_pack.at[l]);
//     const bool wide = is_aligned(a, 16) & is_aligned(b, 16) & (N % 4 == 0) & is_aligned(s, 16) &
//                       is_aligned(c, 16);
//                 if (wide) {
//                     mbarrier_arrive_expect_tx(arrival, stage_bytes);
// --
//                 if (wide) {
//                     constexpr int VEC = 4;
// #pragma unroll 4
// --
//                     constexpr int VEC = 1;
//                     const int row = item / strip_n, col = item % strip_n;
//                         const Pack<float, VEC> s_pack = load_pack<VEC>(s + at_m * N + at_n);
//                         store_pack(c + at_m * N + at_n, c_pack);
//                     const Pack<float, VEC> s_pack = load_pack<VEC>(s + at_m * N + at_n);
//                     store_pack(c + at_m * N + at_n, c_pack);
//         if (wide) {
//             const bf16 *a_from_1 = a_first + k_start;
// #pragma unroll 8
//             for (int item = 0; item < 8; item++) {
// --
//             if (wide) {
//                 constexpr int VEC = 4;
//                 constexpr int items = 16 / VEC;
//                 Pack<float, VEC> exp_kept[items];
//
