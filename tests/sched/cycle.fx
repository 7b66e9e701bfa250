// run: fusec run %s --check
// kernels: 3
// y needs h and, through the product, the matmul of h: fusing y with h alone would close a cycle.
fn f(x: f32[8, 8], w: f32[8, 8]) -> (y: f32[8, 8]) {
    h = exp(x);
    y = h + h @ w;
}
