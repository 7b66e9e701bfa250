// run: fusec run %s --check
// kernels: 3
// y needs h and, through the product, the matmul of h: fusing y with h alone would close a cycle.
fn f(x: f32[8, 8], w: f32[8, 8]) -> (y: f32[8, 8]) {
    h = exp(x);
    y = h + h @ w;
}
// ---- expect
// y: f32[8, 8]  mean 0.2022  max 5.116  checksum 79b6fcbae76535e4
// y: ok, largest error 4.77e-07 of 3.39e-06 allowed, mean 1.16e-07 of 1.07e-06, at [6, 6]: got -1.36832988, want -1.36833036
// fusec: remark: random inputs, seed 0: x, w
