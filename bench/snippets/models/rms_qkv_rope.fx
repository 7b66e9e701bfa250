fn rope[N, H, D](x: bf16[N, H, D], c: f32[N, D/2], s: f32[N, D/2]) -> (y: bf16[N, H, D]) {
    a, b = split(x, 2);
    y = concat(a * c[:, None] - b * s[:, None], b * c[:, None] + a * s[:, None]);
}

fn f[N, H, G, D, K](
    x: bf16[N, K],
    g: bf16[K],
    w: bf16[(H + 2 * G)*D, K],
    c: f32[N, D/2],
    s: f32[N, D/2]
) -> (q: bf16[H, N, D], k: bf16[G, N, D], v: bf16[G, N, D]) {
    y = ((rms_norm(x, g) as bf16) @ w.T) as bf16;
    q = permute(rope(reshape(y[:, :H*D], N, H, D), c, s), 1, 0, 2);
    k = permute(rope(reshape(y[:, H*D:(H + G)*D], N, G, D), c, s), 1, 0, 2);
    v = permute(reshape(y[:, (H + G)*D:], N, G, D), 1, 0, 2);
}
