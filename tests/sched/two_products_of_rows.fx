// A product of a product's rows is rounded in its own kernel; its heads are normalised behind it.
// run: fusec run %s --check -D B=2 > checks
fn heads[B](t: f64[2, B], x: f64[B, 48], w: f64[48, 48]) -> (y: bf16[2, 3, 16], z: bf16[3, 2, 16]) {
    a = t @ x;
    b, c = split(reshape(a, 2, 3, 16), 2);
    y = concat(b * 0.5 - c, c * 0.5 + b);
    h = permute(reshape((a @ w) as bf16, 2, 3, 16), 1, 0, 2);
    z = h * rsqrt(mean(h * h, keep = true) + 1);
}
// ---- expect
// fusec: remark: random inputs, seed 0: t, x, w
