// run: fusec run %s --check
// kernels: 1
// A softmax stays one kernel, however long its rows are, where these are enough blocks.
fn f(x: f32[64, 70000]) -> (y: f32[64, 70000]) {
    y = softmax(x);
}
