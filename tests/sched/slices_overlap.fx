// Slices that overlap would compute the middle twice: the whole is computed once.
// run: fusec run %s --check
// kernels: 2
fn f(x: f32[8, 8], w: f32[8, 9]) -> (y: f32[8, 6]) {
    h = x @ w;
    y = h[:, :6] * h[:, 3:];
}
