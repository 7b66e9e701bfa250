// Elements of short axes are values of their own, where tiny systems are computed from them: one
// kernel over the other axes computes what they share once, and stores the parts of each result.
// run: fusec %s --fn line --emit=plan > line
// run: grep "^kernel\|reads\|writes\|over" line
// run: fusec %s --fn planes --emit=plan > planes
// run: grep "^kernel\|reads\|writes\|over" planes
// run: fusec %s --fn product --emit=plan > product
// run: grep "^kernel\|reads\|writes\|over" product
// run: fusec %s --fn same --emit=plan > same
// run: grep "^kernel\|reads\|writes\|over" same
// run: fusec %s --fn loss --emit=plan > loss
// run: grep "^kernel\|reads\|writes\|over" loss
// run: fusec %s --fn slope --emit=plan > slope
// run: grep "^kernel\|reads\|writes\|over" slope
// run: fusec %s --fn bytes --emit=plan > bytes
// run: grep "^kernel\|reads\|writes\|over" bytes
// run: fusec %s --fn pairs --emit=plan > pairs
// run: grep "^kernel\|reads\|writes\|over" pairs
// run: fusec %s --fn plain --emit=plan > plain
// run: grep "^kernel\|reads\|writes\|over" plain
// run: fusec run %s --fn line -D N=4099 --check > checks
// run: fusec run %s --fn planes -D H=33 -D W=17 --check > checks
// run: fusec run %s --fn product -D N=1001 --check > checks
// run: fusec run %s --fn same -D N=70 --check > checks
// run: fusec run %s --fn loss -D N=70 --check > checks
// run: fusec run %s --fn slope -D N=70 --check > checks
fn line[N](m: f32[N, 3, 3], p: f32[N, 3]) -> (x: f32[N, 3], det: f32[N]) {
    c0 = m[:, 1, 1] * m[:, 2, 2] - m[:, 1, 2] * m[:, 2, 1];
    c1 = m[:, 1, 2] * m[:, 2, 0] - m[:, 1, 0] * m[:, 2, 2];
    c2 = m[:, 1, 0] * m[:, 2, 1] - m[:, 1, 1] * m[:, 2, 0];
    det = m[:, 0, 0] * c0 + m[:, 0, 1] * c1 + m[:, 0, 2] * c2 + 10;
    s = p[:, 0] * c0 + p[:, 1] * c1 + p[:, 2] * c2;
    x = concat((c0 * s / det)[:, None], (c1 * s / det)[:, None], (c2 * s / det)[:, None]);
}
fn planes[H, W](p: f32[3, H, W]) -> (y: f32[2, H, W]) {
    a = exp(p[0] * p[1]) + p[2];
    b = sqrt(a * a + p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    u = (a * a - b * a + p[0] * b) / (b + 1);
    v = (a * b + p[1] * b - p[2] * a * a) / (b + 1);
    y = concat((u * u - v)[None], (u - v * v)[None], axis = 0);
}
// A matrix of all rows, batches of both operands, and a running sum.
fn product[N](a: bf16[4, 4], p: bf16[N, 4, 4]) -> (y: f32[N, 4, 4]) { y = cumsum(a @ p) @ (p as f32); }
fn same[N](p: f32[N, 4, 4]) -> (y: f32[N, 4, 4], z: f32[N, 4, 4]) {
    y = p @ (p.T + where(iota(4)[:, None] < iota(4), 1.0, 0));
    z = flip(y, axis = 2) / max(y, keep = true);
}
fn turned[N](q: f32[N, 2], t: f32[N, 2, 2]) -> (d: f32[N, 2, 2]) {
    c = (1 - q[:, 0] * q[:, 0]) / (1 + q[:, 1] * q[:, 1]);
    s = (2 * q[:, 0] + q[:, 1] * c) / (1 + c * c);
    u = concat((c * c - s)[:, None], (c + s * s - c * s)[:, None]);
    v = concat((s * c - 2 * c)[:, None], (s - c * s * s)[:, None]);
    d = concat(u[:, None], v[:, None], axis = 1) * 2 - t;
}
// Short axes are summed first.
fn loss[N](q: f32[N, 2], t: f32[N, 2, 2]) -> (l: f32) {
    d = turned(q, t);
    l = sum(d * d, axis = [0, 1, 2]);
}
fn slope = grad(loss, wrt = [q]);
// The prologue of a product unpacks its operand.
fn bytes[M, N](x: bf16[M, 128], w: u8[N, 64]) -> (y: f32[M, N]) {
    low = w as i32 % 16;
    high = w as i32 / 16;
    a = where(low > 7, low as f32 - 16, low as f32 * 0.5 + 0.25 * (low as f32) * (low as f32) - 1);
    b = where(high > 7, high as f32 - 16, high as f32 * 0.5 + 0.25 * (high as f32) * (high as f32) - 1);
    y = x @ (reshape(concat(a[:, :, None], b[:, :, None]), N, 128) as bf16).T;
}
// Few operations: every element computes both.
fn pairs[N](x: f32[N, 8, 2], c: f32[N, 8], s: f32[N, 8]) -> (y: f32[N, 8, 2]) {
    y = concat((x[:, :, 0] * c - x[:, :, 1] * s)[:, :, None], (x[:, :, 0] * s + x[:, :, 1] * c)[:, :, None]);
}
fn plain[N](x: f32[N, 8], w: f32[8, 4]) -> (y: f32[N, 4]) { y = x @ w; }
// ---- expect
// kernel line_0 pointwise
//   reads m p
//   writes det x
//   over [N]
// kernel planes_0 pointwise
//   reads p
//   writes y
//   over [H, W]
// kernel product_0 pointwise
//   reads p a
//   writes y
//   over [N]
// kernel same_0 pointwise
//   reads p
//   writes y z
//   over [N]
// kernel loss_0 row
//   reads q t
//   writes l
//   over [N] along N
// kernel slope_0 pointwise
//   reads q t
//   writes dq
//   over [N]
// kernel bytes_0 dot
//   reads w x
//   writes y
//   over [M, N]
// kernel pairs_0 pointwise
//   reads c x s
//   writes y
//   over [N, 8, 2]
// kernel plain_0 dot
//   reads x w
//   writes y
//   over [N, 4]
// fusec: remark: random inputs, seed 0: m, p
// fusec: remark: random inputs, seed 0: p
// fusec: remark: random inputs, seed 0: a, p
// fusec: remark: random inputs, seed 0: p
// fusec: remark: random inputs, seed 0: q, t
// fusec: remark: random inputs, seed 0: q, t
