// run: fusec run %s --check -D N=7
// run: fusec run %s --check -D N=1030
// A single row, short or long, has no threads but its own.
fn f[N](x: f32[N], z: f64[2]) -> (y: f32[N], top: f64) {
    y = softmax(x);
    top = max(z);
}
