// A few rows of f32 are multiplied in place by a few columns; deeper or wider products pack them.
// run: fusec %s --fn rows -D M=23 -D N=40 -D K=30 --target=c -o %t.c
// run: grep -A 6 "A micro-kernel" %t.c
// run: grep -A 1 "fx_sums_rows23_2_f32(k_end" %t.c
// run: grep "FETCH_LINES(w" %t.c
// run: grep -c "pack_along_f32" %t.c
// exit: 1
// run: fusec %s --fn rows -D M=20 -D N=40 -D K=65 --target=c -o %t.c
// run: grep -c "fx_sums_even20_2_f32(k_end" %t.c
// run: fusec %s --fn rows -D M=20 -D N=65 -D K=30 --target=c -o %t.c
// run: grep -c "fx_sums_even20_2_f32(k_end" %t.c
// run: fusec run %s --fn rows --check --threads=2 -D M=23 -D N=40 -D K=30 > checks
// run: fusec run %s --fn rows --check -D M=47 -D N=17 -D K=64 > checks
// run: fusec run %s --fn rows --check -D M=2 -D N=64 -D K=3 > checks
// run: fusec run %s --fn heads --check -D M=29 -D N=33 -D K=20 > checks
// run: fusec run %s --fn two --check -D M=15 -D N=20 -D K=24 > checks
fn rows[M, K, N](x: f32[60, M, K], w: f32[60, K, N]) -> (y: f32[60, M, N]) { y = x @ w; }
fn heads[M, K, N](x: f32[M, 70, K], w: f32[70, N, K]) -> (y: f32[70, M, N]) {
    y = relu(permute(x, 1, 0, 2) @ w.T);
}
fn two[M, K, N](x: f32[M, K], u: f32[K, N], v: f32[K, N]) -> (y: f32[M, N]) {
    y = softmax((x @ u) * sigmoid(x @ v));
}
// ---- expect
// /* A micro-kernel: EVEN_PANEL(23) rows of 2 vectors of sums. */
// TILE_FUNCTION fx_sums_rows23_2_f32(idx steps, const float *restrict left, idx left_size,
//                                    const float *restrict right, idx right_size,
//                                    float *restrict sums, idx sums_size, idx stride, bool add,
//                                    idx rows, idx panels, idx rest)
// {
//     add &= FX_ADDS;
//             fx_sums_rows23_2_f32(k_end - k_first, x + i0 * 690 + m_start * 30 + k_first, 30,
//                                  b_group, cut.b, sum, sums_size, NR, false, m_stop - m_start,
//                 FETCH_LINES(w + i0 * 1200 + k_first * 40 + n_start + 2400, 4800);
// 0
// 1
// 1
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x, u, v
