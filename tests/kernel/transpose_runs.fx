// run: fusec run %s --check -D B=2 -D M=48 -D N=80
// run: fusec run %s --check -D B=3 -D M=70 -D N=33
// Loads that cross the order of the stores: along one axis in tiles, along another element by element.
fn f[B, M, N](x: bf16[B, M, N], w: f32[M, B, N], u: f16[N, M, B], bias: f32[N])
    -> (y: f32[B, N, M], z: bf16[N, B, M]) {
    y = exp(permute(x, 0, 2, 1)) + permute(w, 1, 2, 0) * bias[:, None] + permute(u, 2, 0, 1);
    z = permute(x, 2, 0, 1);
}
