fn rope[N, H, D](x: bf16[N, H, D], c: f32[N, D/2], s: f32[N, D/2]) -> (y: bf16[N, H, D]) {
    a, b = split(x, 2);
    y = concat(a * c[:, None] - b * s[:, None], b * c[:, None] + a * s[:, None]);
}

fn f[N, H, G, D](
    q: bf16[N, H, D],
    k: bf16[N, G, D],
    gq: bf16[D],
    gk: bf16[D],
    c: f32[N, D/2],
    s: f32[N, D/2]
) -> (yq: bf16[N, H, D], yk: bf16[N, G, D]) {
    yq = rope(rms_norm(q, gq) as bf16, c, s);
    yk = rope(rms_norm(k, gk) as bf16, c, s);
}
