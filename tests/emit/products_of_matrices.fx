// Functions that products of a file share find the blocks of matrices of f32 and pack them.
// run: fusec %s --fn gated -D M=300 -D K=64 --target=c -o %t.c
// run: grep -A 24 "^static void gated_0" %t.c
// run: fusec %s --fn deep -D M=300 -D K=4096 --target=c -o %t.c
// run: grep -c "product_next_f32" %t.c
// exit: 1
// run: fusec %s --fn computed -D M=300 -D K=64 --target=c -o %t.c
// run: grep -c "product_next_f32" %t.c
// exit: 1
fn gated[M, K](a: f32[M, K], b: f32[K, 300], c: f32[300, K]) -> (y: f32[M, 300]) {
    y = relu(a @ b) * (a @ c.T);
}
fn deep[M, K](a: f32[M, K], b: f32[K, 300]) -> (y: f32[M, 300]) { y = relu(a @ b); }
fn computed[M, K](a: f32[M, K], b: f32[K, 300]) -> (y: f32[M, 300]) { y = relu(exp(a) @ b); }
// ---- expect
// static void gated_0(const float *restrict a, const float *restrict b, const float *restrict c,
//                     float *restrict y, char *packed)
// {
//     enum { NR = NR_OF(float), GROUP = 32 * NR, BLOCK = 224 / MR * MR, PRODUCTS = 2 };
//     const fx_matrix left = {a, 64, 64, pack_along_f32};
//     const fx_matrix right[PRODUCTS] = {
//         {b, 1, 300, pack_across_f32},
//         {c, 64, 64, pack_along_f32}
//     };
//     fx_cut cut;
//     fx_product product;
//     product_start_f32(&product, &cut, &gated_0_tile, 300, 300, 64, PRODUCTS, 1, BLOCK, GROUP,
//                       &left, right, packed);
// #pragma omp parallel num_threads((int)cut.threads)
//     {
//         for (fx_block at = {0}; product_next_f32(&product, &at);) {
//             const idx m_start = at.m_start, m_stop = at.m_stop;
//             const idx n_start = at.n_start, n_stop = at.n_stop;
//             const idx k_first = 0;
//             const idx k_end = 64;
//             float *const sum = at.sum; /* one contraction after the other */
//             const idx sums_size = MR * NR;
//             for (idx panel = n_start; panel < n_stop; panel += NR)
//                 for (idx row = m_start; row < m_stop; row += MR) { /* a tile, while it is in L1 */
//                     const idx row_stop = fx_least(row + MR, m_stop);
// 0
// 0
