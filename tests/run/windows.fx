// Windows of loads beside each other: stencils, every second element, halves of rows, neighbours that
// share an element; rows that packs divide, and others.
// run: fusec run %s --fn blur --check > checks
// run: fusec run %s --fn odd --check > checks
// run: fusec run %s --fn pool --check > checks
// run: fusec run %s --fn valid --check > checks
// run: fusec run %s --fn strided --check > checks
// run: fusec run %s --fn causal --check > checks
// run: fusec run %s --fn parts --check > checks
// run: fusec run %s --fn pairs --check > checks
// run: fusec run %s --fn halves --check > checks
// run: fusec run %s --fn edges --check > checks
// run: fusec run %s --fn wide --check > checks
fn blur(x: f32[3, 7, 12]) -> (y: f32[3, 7, 12]) {
    p = pad(pad(x, 1, 2, 2), 2, 2, 2);
    v = p[:, :7] + p[:, 4:] + 4 * (p[:, 1:8] + p[:, 3:10]) + 6 * p[:, 2:9];
    y = v[:, :, :12] + v[:, :, 4:] + 4 * (v[:, :, 1:13] + v[:, :, 3:15]) + 6 * v[:, :, 2:14];
}
fn odd(x: f32[5, 7]) -> (y: f32[5, 7]) {
    p = pad(x, 1, 1, 1);
    y = p[:, :7] - 2 * p[:, 1:8] + p[:, 2:];
}
fn pool(x: bf16[2, 6, 16]) -> (y: bf16[2, 3, 8]) {
    p = pad(pad(x, 1, 1, 1, value = -inf), 2, 1, 1, value = -inf);
    a = reshape(p[:, :6], 2, 3, 2, 18);
    b = reshape(p[:, 2:], 2, 3, 2, 18);
    r = max(max(a[:, :, 0], a[:, :, 1]), b[:, :, 0]);
    c = reshape(r[:, :, :16], 2, 3, 8, 2);
    d = reshape(r[:, :, 2:], 2, 3, 8, 2);
    y = max(max(c[..., 0], c[..., 1]), d[..., 0]);
}
fn valid(x: f16[3, 24], w: f32[4]) -> (y: f16[3, 16]) {
    y = w[0] * x[:, :16] + w[1] * x[:, 1:17] + w[2] * x[:, 3:19] + w[3] * x[:, 8:];
}
fn strided(x: f32[6, 32]) -> (y: f32[6, 8], z: f32[6, 16]) {
    p = reshape(x, 6, 8, 4);
    q = reshape(x, 6, 16, 2);
    y = p[..., 0] * p[..., 3];
    z = q[..., 1] - q[..., 0];
}
fn causal(x: i32[4, 20]) -> (y: i32[4, 20]) {
    y = x + 2 * pad(x[:, :19], 1, 1, 0) + 3 * pad(x[:, :18], 1, 2, 0) + 5 * pad(x[:, 5:], 1, 0, 5);
}
fn parts(x: f32[3, 12]) -> (y: f32[3, 12], z: f32[3, 16]) {
    y = concat(x[:, 5:], -x[:, :5]) + x;
    z = concat(x[:, :1], x, x[:, 9:]) * 2;
}
fn pairs(x: f32[4, 8]) -> (y: f32[4, 16]) {
    p = pad(x, 1, 1, 1);
    y = reshape(concat((p[:, :8] + 3 * x)[..., None], (p[:, 2:] + 3 * x)[..., None]), 4, 16);
}
fn halves(x: bf16[3, 4, 32]) -> (y: bf16[3, 4, 32]) {
    p = reshape(x, 3, 4, 16, 2);
    r = concat(-p[..., 1:], p[..., :1]);
    y = reshape(r, 3, 4, 32) * 2 + x;
}
fn edges(x: f32[2, 5, 8]) -> (y: f32[2, 10, 16]) {
    up = concat(x[:, :1], x, x[:, -1:], axis = 1);
    r0 = 0.25 * up[:, :5] + 0.75 * x;
    r1 = 0.75 * x + 0.25 * up[:, 2:];
    r = reshape(concat(r0[:, :, None], r1[:, :, None], axis = 2), 2, 10, 8);
    side = concat(r[:, :, :1], r, r[:, :, -1:]);
    c0 = 0.25 * side[:, :, :8] + 0.75 * r;
    c1 = 0.75 * r + 0.25 * side[:, :, 2:];
    y = reshape(concat(c0[..., None], c1[..., None]), 2, 10, 16);
}
fn wide(x: f32[2, 16], u: bf16[2, 16]) -> (y: bf16[2, 16], z: f64[2, 16]) {
    p = pad(x, 1, 1, 1);
    q = pad(u, 1, 3, 0);
    y = p[:, :16] + p[:, 2:] + q[:, :16];
    z = pad(x as f64, 1, 1, 0)[:, :16] + (x as f64);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x, w
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x, u
