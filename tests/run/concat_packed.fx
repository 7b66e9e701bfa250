// Operands that are concats along k, whose pieces start and end with whole vectors: each piece is
// packed by a loop of its own, or as rows. Of several blocks of k, and of pieces that are not whole.
// run: fusec run %s --check --fn both -D M=37 -D N=29 -D A=512 -D B=320 > checks
// run: fusec run %s --check --fn both -D M=37 -D N=29 -D A=40 -D B=23 > checks
// run: fusec run %s --check --fn sums -D M=70 -D N=45 -D A=48 -D B=16 > checks
// run: fusec run %s --check --fn attend -D H=19 -D T=70 -D R=32 -D P=16 > checks
// run: fusec %s -D M=37 -D N=29 -D A=512 -D B=320 -D H=19 -D T=70 -D R=32 -D P=16 -o %t.c
// run: grep -E "for .idx i3 = .*VL| = ld_\w+.[abcqk]r? |rows\[.\]\[|pack_lines|list_rows" %t.c
fn both[M, N, A, B](a: f32[M, A], b: f32[M, B], w: f32[N, A], v: f32[N, B]) -> (y: f32[M, N]) {
    y = concat(a, b) @ concat(w, v).T;
}

fn sums[M, N, A, B](a: bf16[M, A], b: bf16[M, B], w: bf16[N, A+B]) -> (y: bf16[M, N]) {
    y = concat(relu(a), b * 2) @ w.T;
}

fn attend[H, T, R, P](q: bf16[H, R], qr: bf16[H, P], c: bf16[T, R], kr: bf16[T, P]) -> (o: bf16[H, R]) {
    o = softmax(concat(q, qr) @ concat(c, kr).T) as bf16 @ c;
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, w, v
// fusec: remark: random inputs, seed 0: a, b, w, v
// fusec: remark: random inputs, seed 0: a, b, w
// fusec: remark: random inputs, seed 0: q, qr, c, kr
// SHARED_FUNCTION void pack_lines_f32(float *panel, idx first, const float *const *rows, idx steps)
// SHARED_FUNCTION void list_rows_f32(float *panel, idx number, idx first, const float *const *rows,
// #define list_rows_f32(panel, number, first, rows, steps) pack_lines_f32(panel, first, rows, steps)
//                     const float *rows[2][FX_ROUND(MR, VL)] = {0};
//                         rows[0][i1 - start] = a + i1 * 512 + fx_most(k_first, 0);
//                         rows[1][i1 - start] = b + i1 * 320 + fx_most(k_first, 512) - 512;
//                         fetch_row(rows[0][i1 - start],
//                         fetch_row(rows[1][i1 - start],
//                     list_rows_f32(to, 0, fx_most(k_first, 0) - k_first, rows[0],
//                     list_rows_f32(to, 1, fx_most(k_first, 512) - k_first, rows[1],
//                         for (idx i3 = fx_most(k_first, 0); i3 < fx_least(k_end, 512); i3 += VL) {
//                         for (idx i3 = fx_most(k_first, 512); i3 < fx_least(k_end, 832); i3 += VL) {
//                         for (idx i3 = fx_most(k_first, 0); i3 < fx_least(k_end, 512); i3 += VL) {
//                                 const f32 a_1 = ld_bf16(a + i1 * 512 + i3, lanes);
//                         for (idx i3 = fx_most(k_first, 512); i3 < fx_least(k_end, 832); i3 += VL) {
//                                 const f32 b_1 = ld_bf16(b + i1 * 320 + i3 - 512, lanes);
//                             for (idx i3 = 0; i3 < 32; i3 += VL) {
//                                     square[i2 - from] = ld_bf16(c + i2 * 32 + i3, lanes);
//                             for (idx i3 = 32; i3 < 48; i3 += VL) {
//                                     square[i2 - from] = ld_bf16(kr + i2 * 16 + i3 - 32, lanes);
//                         for (idx i3 = 0; i3 < 32; i3 += VL) {
//                                 square[i1 - from] = ld_bf16(q + i1 * 32 + i3, lanes);
//                         for (idx i3 = 32; i3 < 48; i3 += VL) {
//                                 square[i1 - from] = ld_bf16(qr + i1 * 16 + i3 - 32, lanes);
