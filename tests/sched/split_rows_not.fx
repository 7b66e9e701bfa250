// run: fusec run %s --check
// kernels: 1
// A softmax stays one kernel, however long its rows are.
fn f(x: f32[2, 70000]) -> (y: f32[2, 70000]) {
    y = softmax(x);
}
