// Short parts of rows are loops of their own, of any type, and with what is computed of them.
// run: fusec run %s --check --device=cpu > checks
// run: fusec run %s --check --device=cpu --threads 2 > checks
fn parts(a: f32[200, 4], b: f32[200, 5], c: bf16[50, 9], d: bf16[50, 5], e: u8[77, 1], f: u8[77, 6], i: i32[30, 2])
    -> (u: f32[200, 9], v: f32[200, 13], w: bf16[50, 16], x: u8[77, 8], y: i32[30, 7], z: f32[50, 14]) {
    u = concat(a, b);
    v = concat(b * 2, a, a + 1);
    w = pad(concat(c, d), 1, 1, 1);
    x = concat(e, f, e);
    y = pad(i, 1, 2, 3, value = 5) + iota(7);
    z = exp(concat(c, d) as f32);
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c, d, e, f, i
// fusec: remark: random inputs, seed 0: a, b, c, d, e, f, i
