// run: fusec run %s --check
// run: fusec run %s --check -O0
// kernels: 1
fn f(x: f32[5, 33]) -> (y: f32[5, 33]) {
    y = softmax(x);
}
