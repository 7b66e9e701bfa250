fn f[N, C, H, W](x: f32[N, C, H, W], g: f32[C], b: f32[C]) -> (y: f32[N, C, H, W]) {
    z = (x - mean(x, axis = [2, 3], keep = true))
        * rsqrt(var(x, axis = [2, 3], keep = true) + 1e-5);
    u = z * g[:, None, None] + b[:, None, None];
    y = max(u, 0.01 * u);
}
