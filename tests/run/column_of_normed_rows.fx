// run: fusec run %s --check -D N=3 -D D=3
// run: fusec run %s --check -D N=40 -D D=96
// One column of rows that are reduced after a product is stored once.
fn f[N, D](x: f32[N, D], w: f32[D, D], g: f32[D]) -> (a: f32[N, D], b: f32[N]) {
    a = rms_norm(x @ w, g, eps = 0.01);
    b = a[:, 1];
}
