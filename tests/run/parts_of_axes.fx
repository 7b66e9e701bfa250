// Conditions on an outer axis, which becomes one with those behind it: pads and concats of rows, of
// rows of rows, in both at once, of one row, and with other conditions on the inner axis.
// run: fusec run %s --check --device=cpu > checks
// run: fusec run %s --check --device=cpu --threads 3 -O0 > checks
fn parts(a: f32[5, 4, 3, 7], b: f32[5, 2, 3, 7], c: bf16[90, 61], d: bf16[41, 61], i: i32[40, 5, 9])
    -> (v: f32[5, 6, 3, 7], w: f32[5, 4, 6, 7], x: f32[5, 9, 3, 9], y: bf16[221, 61], z: f32[140, 61],
        p: i32[40, 12, 9], q: i32[43, 5, 9], r: f32[1, 6, 3, 7], s: f32[5, 4, 3, 7], t: i32[400, 5, 9]) {
    v = concat(a, b, axis = 1);
    w = concat(a * 2, exp(a), axis = 2);
    x = pad(pad(a, 1, 4, 1, value = 3), 3, 1, 1);
    y = concat(c, d, c, axis = 0);
    z = exp(pad(c, 0, 49, 1)) + pad(d, 0, 98, 1) * pad(c, 0, 7, 43, value = 2);
    p = concat(i, i + iota(5)[:, None], i[:, :2], axis = 1);
    q = pad(i, 0, 1, 2, value = -1) * iota(43)[:, None, None];
    r = concat(a[:1], b[:1], axis = 1);
    s = where(iota(4)[:, None, None] < 2, a, pad(b, 1, 2, 0)) + flip(a, axis = 1);
    t = concat(i, i, i, i, i, i, i, i, i, i * 7, axis = 0);
}
// ---- expect
// fusec: remark: random inputs, seed 0: a, b, c, d, i
// fusec: remark: random inputs, seed 0: a, b, c, d, i
