// kernels: 1
fn f(x: f32[5, 33]) -> (y: f32[5, 33]) {
    y = softmax(x);
}
// ---- expect
