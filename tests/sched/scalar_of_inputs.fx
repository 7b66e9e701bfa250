// run: fusec run %s --check
// kernels: 1
// Scalars of inputs are computed in every kernel that wants them.
fn f(x: f32[9], step: i32, rate: f32) -> (y: f32[9]) {
    y = x * (rate / (1 - 0.9 ** (step as f32)));
}
