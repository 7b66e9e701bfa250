// run: fusec run %s --check
// kernels: 2
// y needs h and the product of h, and h takes a row reduction: it is stored for the product, which
// takes the sum as its epilogue.
fn f(x: f32[8, 8], w: f32[8, 8]) -> (y: f32[8, 8]) {
    h = softmax(x);
    y = h + h @ w;
}
