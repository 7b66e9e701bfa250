// inputs: r 0.1..1, c 0.1..1
fn f[N, M](
    p: f32[N, M],
    g: f32[N, M],
    r: f32[N],
    c: f32[M]
) -> (p2: f32[N, M], r2: f32[N], c2: f32[M]) {
    u = g * g + 1e-30;
    r2 = 0.99 * r + 0.01 * mean(u);
    c2 = 0.99 * c + 0.01 * mean(u, axis = 0);
    y = g * rsqrt(r2 / mean(r2))[:, None] * rsqrt(c2);
    p2 = p - 1e-2 * y / max(sqrt(mean(y * y, axis = [0, 1])), 1);
}
