// run: fusec run %s --check
// kernels: 2
// y needs h and the product of h: h is stored for the product, which takes the sum as its epilogue.
fn f(x: f32[8, 8], w: f32[8, 8]) -> (y: f32[8, 8]) {
    h = exp(x);
    y = h + h @ w;
}
