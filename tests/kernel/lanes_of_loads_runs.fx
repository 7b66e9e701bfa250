// run: fusec run %s --check -D M=37 -D N=16
// Most loads are contiguous across the results; what moves along that axis alone is an element's.
fn f[M, N](x: f32[M, N], y: f32[M, N], w: f32[M, N], b: f32[N]) -> (z: f32[N, M]) {
    z = x.T + y.T + w.T + b[:, None];
}
