// run: fusec run %s --check -D N=19
// Only the side that can be left is tested.
fn f[N](x: f32[N]) -> (y: f32[N]) {
    y = x - pad(x[:-1], -1, 1, 0);
}
