fn f[N, M, D](x: f32[N, D], z: f32[M, D], v: f32[M]) -> (y: f32[N]) {
    d = sum(x * x, keep = true) + sum(z * z) - 2 * (x @ z.T);
    y = exp(-0.5 * max(d, 0)) @ v;
}
