// The cotangent of a product whose columns, or rows, are split: its readers read the parts, which are
// written over what is consumed. Halves, thirds of f32, and rows; a bias that is summed, or not.
// run: fusec run %s --check --fn=geglu_bwd -D N=4001 -D D=6
// run: fusec run %s --check --fn=thirds_bwd -D N=999 -D D=5
// run: fusec run %s --check --fn=rows_bwd -D N=1031 -D D=4
fn geglu[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
    v, g = split((x @ w.T + b) as bf16, 2);
    y = v * gelu(g);
}
@consume
fn geglu_fwd, geglu_bwd = train(geglu);

fn thirds[N, D](x: f32[N, D], w: f32[D, 3*D], b: f32[3*D]) -> (y: f32[N, D]) {
    u, v, g = split(x @ w + b, 3);
    y = u * v * sigmoid(g);
}
@consume
fn thirds_fwd, thirds_bwd = train(thirds);

fn rows[N, D](x: f32[D, N], w: f32[2*D, D]) -> (y: f32[D, N]) {
    v, g = split(w @ x, 2, axis = 0);
    y = v * tanh(g) + v;
}
fn rows_fwd, rows_bwd = train(rows);
// ---- expect
// dx: bf16[4001, 6]  mean -0.002565  max 3.25  checksum 3c54d03b49086ae3
// dw: bf16[48, 6]  mean 0.5067  max 16.88  checksum 0123f64a85ee8d91
// db: bf16[48]  mean 0.5039  max 23.88  checksum eabefacadb452fa8
// dx: ok, largest error 0.000977 of 0.000978 allowed, mean 6.3e-06 of 0.000416, at [3892, 5]: got 0.236328125, want 0.237304688
// dw: ok, largest error 0 of 0.000499 allowed, mean 0 of 0.00712, at [0, 0]: got 0.068359375, want 0.068359375
// db: ok, largest error 0 of 0.00393 allowed, at [0]: got 0.8515625, want 0.8515625
// fusec: remark: random inputs, seed 0: x, w, b, keep_v, keep_g, dy
// dx: f32[999, 5]  mean -0.004075  max 1.766  checksum 3773dda0a2b01bd3
// dw: f32[5, 15]  mean 0.1335  max 8.883  checksum 1f63c1bae2868fdb
// db: f32[15]  mean -0.7555  max 10.61  checksum fb3d7c3e48a8b773
// dx: ok, largest error 2.38e-07 of 1.53e-06 allowed, mean 2.75e-08 of 2.39e-07, at [910, 3]: got 0.737653852, want 0.737653613
// dw: ok, largest error 6.68e-06 of 1.66e-05 allowed, mean 1.86e-06 of 5.1e-06, at [4, 0]: got 3.74833989, want 3.74834657
// db: ok, largest error 9.54e-07 of 1.58e-05 allowed, at [2]: got 10.4919405, want 10.4919415
// fusec: remark: random inputs, seed 0: x, w, b, keep_u, keep_v, keep_3, dy
// dx: f32[4, 1031]  mean 0.001013  max 2.683  checksum f7fd32a225093906
// dw: f32[8, 4]  mean 0.1587  max 17.98  checksum e9825559d368a68b
// dx: ok, largest error 4.77e-07 of 1.76e-06 allowed, mean 4.59e-08 of 3.93e-07, at [1, 1021]: got -2.61561012, want -2.6156106
// dw: ok, largest error 4.05e-06 of 4.86e-05 allowed, at [1, 2]: got 1.4858799, want 1.48587584
// fusec: remark: random inputs, seed 0: x, w, keep_v, keep_2, dy
