// A product whose known sizes are one block for one thread has no loops over blocks and no threads.
// run: fusec %s -D M=18 -D K=15 -D N=20 -o %t.c
// run: grep -A 23 "^static void small_0" %t.c
// run: grep "fx_block_bytes(MR\|fx_block_bytes(EVEN" %t.c
// run: fusec run %s --fn small --check -D M=18 -D K=15 -D N=20 > checks
// run: fusec run %s --fn small --check -D M=1 -D K=1 -D N=1 > checks
// run: fusec run %s --fn small --check -D M=60 -D K=33 -D N=17 > checks
// run: fusec run %s --fn beside --check -D B=3 -D M=7 -D K=9 -D N=33 > checks
// run: fusec run %s --fn rows --check -D M=7 -D K=9 -D N=33 > checks
fn small[M, K, N](x: f32[M, K], w: f32[N, K]) -> (y: f32[M, N]) { y = relu(x @ w.T); }
fn beside[B, M, K, N](x: f32[B, M, K], u: f32[B, K, N], v: f32[B, K, N]) -> (y: f32[B, M, N]) {
    y = exp(x @ u) * (x @ v);
}
fn rows[M, K, N](x: f64[K, M], w: f64[K, N], r: f64[M, N]) -> (y: f64[M, N]) {
    y = softmax(r + (x.T + 1.0) @ w);
}
// ---- expect
// static void small_0(const float *restrict x, const float *restrict w, float *restrict y,
//                     char *packed)
// {
//     enum { NR = NR_OF(float), PRODUCTS = 1, PANELS = (20 + NR - 1) / NR * PRODUCTS };
//     enum { m_start = 0, m_stop = 18, n_start = 0, n_stop = 20 };
//     enum { k_first = 0, k_end = 15 };
//     const fx_cut cut = fx_cut_block(EVEN_ROWS(18), NR, 18, 20, 15, PRODUCTS, sizeof(float));
//     float *const a_packed = (float *)packed, *const b_group = a_packed + cut.a_all;
//     float *const sum = b_group + cut.b_all; /* one contraction after the other */
//     {
//         pack_along_f32(b_group, cut.b, NR, w + n_start * 15 + k_first, 15, n_stop - n_start,
//                        k_end - k_first);
//         const idx sums_size = cut.sum_rows * NR;
//         fx_sums_rows18_2_f32(k_end, x + m_start * 15 + k_first, 15, b_group, cut.b, sum, sums_size,
//                              NR, false, m_stop, PANELS, FX_TEN(18 % EVEN_ROWS(18)));
//         for (idx i1 = 0; i1 < 18; i1++) {
//             for (idx i2 = 0; i2 < 20; i2 += VL) {
//                 const idx lanes = 20 - i2 < VL ? 20 - i2 : VL;
//                 const float *const of =
//                     sum + i1 * NR + i2 % NR + i2 / NR * (PRODUCTS * sums_size);
//                 const f32 matmul = ld_f32(of, VL);
//                 st_f32(y + i1 * 20 + i2, max_f32(matmul, splat_f32(0.0f)), lanes);
//             }
//         }
//     return fx_block_bytes(EVEN_ROWS(18), NR_OF(float), 18, 20, 15, 1, 4);
//     return fx_block_bytes(EVEN_ROWS(18), NR_OF(double), 18, 20, 15, 1, 8);
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, u, v
// fusec: remark: random inputs, seed 0: x, w, r
