// Linear, gelu, linear and a residual; int8 weights are scaled while they are read.
// run: fusec run %s --check -D N=17 -D D=20
// kernels: 2
fn f[N, D](x: f32[N, D], up: i8[4*D, D], scale: f32[4*D], down: f32[D, 4*D], b: f32[D]) -> (y: f32[N, D]) {
    h = gelu(x @ ((up as f32) * scale[:, None]).T);
    y = x + h @ down.T + b;
}
