fn f[N, D](
    x: bf16[N, D],
    g: bf16[D],
    mu: f32[N],
    rstd: f32[N],
    dy: bf16[N, D]
) -> (dx: bf16[N, D], dg: f32[D], db: f32[D]) {
    z = (x - mu[:, None]) * rstd[:, None];
    h = dy * g;
    dx = rstd[:, None] * (h - mean(h, keep = true) - z * mean(h * z, keep = true));
    dg = sum(dy * z, axis = 0);
    db = sum(dy, axis = 0);
}
