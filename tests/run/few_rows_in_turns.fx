// Weights of 4 bits, of which 64 or more neighbours have a scale: two vectors have their bytes and
// what is looked up in common. Rows of groups that are whole, and others.
// run: fusec run %s --check --fn halves -D N=48 -D K=384 > checks
// run: fusec run %s --check --fn halves -D N=6 -D K=128 > checks
// run: fusec run %s --check --fn neighbours -D N=24 -D K=384 > checks
// run: fusec run %s --check --fn many -D N=13 -D K=256 > checks
// run: fusec %s -D N=48 -D K=384 -o %t.c
// run: grep "ld_turns" %t.c
fn halves[N, K](x: f32[1, K], w: u8[N, K/2], s: f32[N, K/32]) -> (y: f32[1, N]) {
    q = concat(w % 16, w / 16, axis = 1) - 8;
    wide = reshape(q as f32, N, K / 32, 32) * s[:, :, None];
    y = x @ reshape(wide, N, K).T;
}

fn neighbours[N, K](x: bf16[1, K], w: u8[N, K/2], s: f32[N, K/128]) -> (y: bf16[1, N]) {
    both = concat((w % 16)[:, :, None], (w / 16)[:, :, None]);
    q = reshape(both, N, K / 128, 128) as f32 - 8;
    y = x @ (reshape(q * s[:, :, None], N, K) as bf16).T;
}

fn many[N, K](x: bf16[8, K], w: u8[N, K/2], s: f32[N, K/128]) -> (y: bf16[8, N]) {
    both = concat((w % 16)[:, :, None], (w / 16)[:, :, None]);
    q = reshape(both, N, K / 128, 128) as f32 - 8;
    y = x @ (reshape(q * s[:, :, None], N, K) as bf16).T;
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// fusec: remark: random inputs, seed 0: x, w, s
// LANES i32 ld_turns(const uint8_t *p) {
// LANES u32 ld_turns_of_parts(const uint8_t *p) {
//     return (u32)ld_turns(p);
//                                 const i32 w_1 = ld_turns(w + i2 * 192 + k_at);
//                                 const i32 w_2 = ld_turns(w + i2 * 192 + k_at);
//                                 const u32 w_1 = ld_turns_of_parts(w + i2 * 192 + k_at);
//                                 const u32 w_2 = ld_turns_of_parts(w + i2 * 192 + k_at);
//                                 const u32 w_1 = ld_turns_of_parts(w + i2 * 192 + k_at);
//                                 const u32 w_2 = ld_turns_of_parts(w + i2 * 192 + k_at);
