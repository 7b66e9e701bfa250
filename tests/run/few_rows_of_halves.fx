// Weights of 4 bits, two to a byte: parts of a row, or neighbours; their scales are those of groups.
// run: fusec run %s --check --fn parts -D N=37 -D K=64 > checks
// run: fusec run %s --check --fn parts -D N=20 -D K=48 > checks
// run: fusec run %s --check --fn narrow -D N=37 -D K=64 > checks
// run: fusec run %s --check --fn neighbours -D N=9 -D K=70 > checks
// run: fusec run %s --check --fn padded -D N=9 -D K=64 > checks
// run: fusec %s -D N=37 -D K=64 -o %t.c
// run: grep "for (idx i3 = \|EACH_VECTOR(i3, \|(w[0-9_]*, 4)\| s[0-9_]* =" %t.c
fn parts[N, K](x: f32[5, K], w: u8[N, K/2], s: f32[N, K/16]) -> (y: f32[5, N]) {
    q = concat(w % 16, w / 16, axis = 1) - 8;
    wide = reshape(q as f32, N, K / 16, 16) * s[:, :, None];
    y = x @ reshape(wide, N, K).T;
}

fn narrow[N, K](x: bf16[8, K], w: u8[N, K/2], s: f32[N, K/32]) -> (y: bf16[8, N]) {
    q = concat(w % 16, w / 16, axis = 1) - 8;
    wide = reshape(q as f32, N, K / 32, 32) * s[:, :, None];
    y = x @ (reshape(wide, N, K) as bf16).T;
}

fn neighbours[N, K](x: f32[2, K], w: u8[N, K/2], s: f32[N]) -> (y: f32[2, N]) {
    both = concat((w % 16)[:, :, None], (w / 16)[:, :, None]);
    y = x @ ((reshape(both, N, K) - 8) as f32 * s[:, None]).T;
}

fn padded[N, K](x: f32[3, K], w: i8[N, K - 32]) -> (y: f32[3, N]) {
    y = x @ (pad(w as f32, axis = 1, before = 16, after = 16)).T;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w
//     fx_strips s = {.threads = work < (double)parallel ? 1 : fx_threads()};
//     const fx_strips s = fx_strips_of(most, parallel, batch, few, many, k, products, size);
//             EACH_VECTOR(i3, lanes, 64) {
//             for (idx i3 = 0; i3 < 32; i3 += VL) {
//                     const f32 s_1 = lds_f32(s + i2 * 4 + i3 / 16);
//                     wide[row] = f32_i32(sub_i32(low_bits_i32(w_1, 4), splat_i32(8))) * s_1;
//             for (idx i3 = 32; i3 < 64; i3 += VL) {
//                     const f32 s_2 = lds_f32(s + i2 * 4 + i3 / 16);
//                     wide[row] = f32_i32(sub_i32(high_bits_i32(w_2, 4), splat_i32(8))) * s_2;
//                         const f32 s_1 = lds_f32(s + i2 * 2 + i3 / 32);
//                         part[half] = f32_i32(sub_i32(low_bits_i32(w_1, 4), splat_i32(8))) * s_1;
//                         const f32 s_2 = lds_f32(s + i2 * 2 + i3 / 32);
//                         part[half] = f32_i32(sub_i32(high_bits_i32(w_2, 4), splat_i32(8))) * s_2;
//             EACH_VECTOR(i3, lanes, 64) {
//             for (idx i3 = 0; i3 < 64; i3 += VL) {
//                     const i32 sub = sub_i32(where_i32(inside, low_bits_i32(w_1, 4),
//                                                       high_bits_i32(w_2, 4)), splat_i32(8));
//                     const f32 s_1 = lds_f32(s + i2);
//             EACH_VECTOR(i3, lanes, 64) {
//             for (idx i3 = 0; i3 < 16; i3 += VL) {
//             for (idx i3 = 16; i3 < 48; i3 += VL) {
//             for (idx i3 = 48; i3 < 64; i3 += VL) {
