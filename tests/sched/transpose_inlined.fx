// run: fusec run %s --check
// kernels: 1
// A pointwise producer is computed where a view of it is read.
fn f(x: f32[6, 9], z: f32[9, 6]) -> (y: f32[9, 6]) {
    y = exp(x).T * z;
}
