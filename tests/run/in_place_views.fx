// A value that is an output in one order of its axes, and a temp in another: it is read in the other
// order, and not overwritten in place.
// run: fusec run %s --check -O 0 --fn=f
// run: fusec run %s --check -D N=5 -O 0 --fn=consumed
fn f(x: f32[6, 3], w: f32[2, 385, 3]) -> (y: f32[2, 6, 385], z: f32[2, 6, 385]) {
    a = x @ w.T;
    y = 3 * tanh(a / 3);
    z = a;
}

@consume(x)
fn consumed[N](x: f32[N, N], w: f32[N, N]) -> (y: f32[N, N], z: f32[N, N]) {
    z = x.T;
    y = exp(z / 2) @ w;
}
// ---- expect
// y: f32[2, 6, 385]  mean 0.00569  max 2.017  checksum 23b16a72a9497ce6
// z: f32[2, 6, 385]  mean 0.005928  max 2.444  checksum a641d5778606bc80
// y: ok, largest error 2.38e-07 of 1.45e-06 allowed, mean 3.28e-08 of 3.04e-07, at [0, 0, 342]: got 2.01654005, want 2.01653981
// z: ok, largest error 2.38e-07 of 1.67e-06 allowed, mean 2.54e-08 of 3.05e-07, at [0, 0, 303]: got 2.18669415, want 2.18669391
// fusec: remark: random inputs, seed 0: x, w
// y: f32[5, 5]  mean -0.09905  max 2.041  checksum afcac86c37422a55
// z: f32[5, 5]  mean -0.1159  max 0.8388  checksum 8bd06f794349dbef
// y: ok, largest error 2.38e-07 of 1.33e-06 allowed, at [0, 3]: got 2.04058433, want 2.04058409
// z: ok, largest error 0 of 4.57e-07 allowed, at [0, 0]: got -0.931465685, want -0.931465685
// fusec: remark: random inputs, seed 0: x, w
