// Weights of 4 bits in products with many rows: the scale of a group is loaded once for a vector of them,
// in several blocks of k, too.
// run: fusec run %s --check -D M=20 -D N=37 -D K=64 > checks
// run: fusec run %s --check -D M=20 -D N=9 -D K=80 --tile k=24 > checks
// run: fusec %s -D M=20 -D N=37 -D K=64 -o %t.c
// run: grep " s_[0-9]* =" %t.c
fn parts[M, N, K](x: f32[M, K], w: u8[N, K/2], s: f32[N, K/16]) -> (y: f32[M, N]) {
    q = concat(w % 16, w / 16, axis = 1) - 8;
    wide = reshape(q as f32, N, K / 16, 16) * s[:, :, None];
    y = x @ reshape(wide, N, K).T;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
//                                         const f32 s_7 = lds_f32(s + i2 * 4 + (i3 / 16));
