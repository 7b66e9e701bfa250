fn f[B, S, H, D](x: bf16[B, S, H, D], c: f32[S, D/2], s: f32[S, D/2]) -> (y: bf16[B, S, H, D]) {
    p = reshape(x, B, S, H, D / 2, 2);
    a = p[..., 0];
    b = p[..., 1];
    u = a * c[:, None] - b * s[:, None];
    v = b * c[:, None] + a * s[:, None];
    y = reshape(concat(u[..., None], v[..., None]), B, S, H, D);
}
