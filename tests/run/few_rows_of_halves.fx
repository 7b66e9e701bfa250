// Weights of 4 bits, two to a byte: parts of a row, or neighbours; their scales are those of groups.
// run: fusec run %s --check --fn parts -D N=37 -D K=64 > checks
// run: fusec run %s --check --fn parts -D N=20 -D K=48 > checks
// run: fusec run %s --check --fn narrow -D N=37 -D K=64 > checks
// run: fusec run %s --check --fn neighbours -D N=9 -D K=70 > checks
// run: fusec run %s --check --fn neighbours -D N=9 -D K=192 > checks
// run: fusec run %s --check --fn grouped -D N=21 -D K=256 > checks
// run: fusec run %s --check --fn blocks -D N=13 -D K=192 > checks
// run: fusec run %s --check --fn few_blocks -D N=13 -D K=128 > checks
// run: fusec run %s --check --fn quarters -D N=13 -D K=128 > checks
// run: fusec run %s --check --fn doubles -D N=9 -D K=64 > checks
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

// Scales and zero points of groups; a row of x is a vector of each phase of k.
fn doubles[N, K](x: f64[2, K], w: u8[N, K/2], s: f64[N]) -> (y: f64[2, N]) {
    both = concat((w % 16)[:, :, None], (w / 16)[:, :, None]);
    y = x @ ((reshape(both, N, K) - 8) as f64 * s[:, None]).T;
}

fn grouped[N, K](
    x: bf16[1, K],
    w: u8[N, K/2],
    s: f32[N, K/64],
    z: u8[N, K/64]
) -> (y: bf16[1, N]) {
    both = concat((w % 16)[:, :, None], (w / 16)[:, :, None]);
    q = reshape(both, N, K / 64, 64) as f32 - (z % 16)[:, :, None] as f32;
    y = x @ (reshape(q * s[:, :, None], N, K) as bf16).T;
}

// Blocks of 32: the low halves are the first 16.
fn blocks[N, K](x: f32[1, K], w: u8[N, K/2], s: f32[N, K/32]) -> (y: f32[1, N]) {
    b = reshape(w, N, K / 32, 1, 16);
    q = reshape(concat(b % 16, b / 16, axis = 2), N, K / 32, 32) as f32 - 8;
    y = x @ reshape(q * s[:, :, None], N, K).T;
}

fn few_blocks[N, K](x: bf16[6, K], w: u8[N, K/2], s: f32[N, K/32]) -> (y: f32[6, N]) {
    b = reshape(w, N, K / 32, 1, 16);
    q = reshape(concat(b % 16, b / 16, axis = 2), N, K / 32, 32) as f32 - 8;
    y = x @ (reshape(q * s[:, :, None], N, K) as bf16).T;
}

// Numbers of 2 bits.
fn quarters[N, K](x: f32[3, K], w: u8[N, K/4], s: f32[N]) -> (y: f32[3, N]) {
    b = w[:, :, None];
    q = concat(b % 4, b / 4 % 4, b / 16 % 4, b / 64);
    y = x @ ((reshape(q, N, K) as f32 - 1.5) * s[:, None]).T;
}

fn padded[N, K](x: f32[3, K], w: i8[N, K - 32]) -> (y: f32[3, N]) {
    y = x @ (pad(w as f32, axis = 1, before = 16, after = 16)).T;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s, z
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w
//     fx_strips s = {.threads = work < (double)parallel ? 1 : fx_threads()};
//     const fx_strips s = fx_strips_of(most, parallel, batch, few, many, k, products, size);
//             EACH_VECTOR(i3, lanes, 32) {
//             EACH_VECTOR(i3, lanes, 32) {
//                     for (idx i3 = 0; i3 < 32; i3 += VL) {
//                             const f32 s_1 = lds_f32(s + i2 * 4 + i3 / 16);
//                             const i32 nibble_2 = each_nibble(w_2, 4);
//                             const f32 s_2 = lds_f32(s + i2 * 4 + i3 / 16 + 2);
//                             const f32 s_1 = lds_f32(s + i2 * 2);
//                             const i32 nibble_2 = each_nibble_of_parts(w_2, 4);
//                             const f32 s_2 = lds_f32(s + i2 * 2 + 1);
//                                 const f32 s_1 = lds_f32(s + i2);
//                                 const f32 s_2 = lds_f32(s + i2);
//             EACH_VECTOR(i3, lanes, 32) {
//             EACH_VECTOR(i3, lanes, 32) {
//                     for (idx i3 = 0; i3 < 32; i3 += VL) {
//                             const f64 s_1 = lds_f64(s + i2);
//                                 f64_i32(sub_i32(low_bits_i32(w_1, 4), splat_i32(8))) * s_1;
//                             const f64 s_2 = lds_f64(s + i2);
//                                 f64_i32(sub_i32(high_bits_i32(w_2, 4), splat_i32(8))) * s_2;
//                             const f32 s_1 = lds_f32(s + i2);
//                             const i32 nibble_2 = each_nibble_of_parts(w_2, 4);
//                             const f32 s_2 = lds_f32(s + i2);
//             EACH_VECTOR(i3, lanes, 32) {
//             EACH_VECTOR(i3, lanes, 32) {
//                     for (idx i3 = 0; i3 < 32; i3 += VL) {
//                             const f32 s_1 = lds_f32(s + i2 * 2 + i3 / 16);
//                             const i32 nibble_2 = each_nibble(w_2, 4);
//                             const f32 s_2 = lds_f32(s + i2 * 2 + i3 / 16);
//                                 const f32 s_1 = lds_f32(s + i2 * 2 + i3 / 16);
//                                 const i32 nibble_2 = each_nibble(w_2, 4);
//                                 const f32 s_2 = lds_f32(s + i2 * 2 + i3 / 16);
//             EACH_VECTOR(i3, lanes, 64) {
//                     for (idx i3 = 0; i3 < 64; i3 += VL) {
//                                                         mod_power_i32(high_bits_i32(w_3, 4), 2),
//                             const f32 s_1 = lds_f32(s + i2);
//             EACH_VECTOR(i3, lanes, 64) {
//                     for (idx i3 = 0; i3 < 16; i3 += VL) {
//                     for (idx i3 = 16; i3 < 48; i3 += VL) {
//                     for (idx i3 = 48; i3 < 64; i3 += VL) {
