// The sum of a row that is padded, as a part of a concatenation is, along an axis of size 1 that it
// keeps: its terms do not lie along that axis.
// run: fusec run %s --check -D A=40 > checks
// run: fusec run %s --check -D A=40 -O0 > checks
fn f[A](x: f32[A, 4, 4], t: f32[A, 1]) -> (y: f32[A, 4]) {
    s = sum(x[:, 2:3] * x[:, 1:2], axis = 2);
    y = concat(s, t, t, t);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x, t
// fusec: remark: random inputs, seed 0: x, t
