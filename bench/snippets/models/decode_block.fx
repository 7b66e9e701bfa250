fn rope[N, H, E](x: bf16[N, H, E], c: f32[N, E/2], s: f32[N, E/2]) -> (y: bf16[N, H, E]) {
    a, b = split(x, 2);
    y = concat(a * c[:, None] - b * s[:, None], b * c[:, None] + a * s[:, None]);
}

fn f[N, H, G, E, D, F, T](
    x: bf16[N, D],
    g1: bf16[D],
    wqkv: bf16[(H + 2 * G)*E, D],
    c: f32[N, E/2],
    s: f32[N, E/2],
    kc: bf16[N, G, T, E],
    vc: bf16[N, G, T, E],
    length: i32[N],
    wo: bf16[D, H*E],
    g2: bf16[D],
    wgu: bf16[2*F, D],
    wd: bf16[D, F]
) -> (y: bf16[N, D], kn: bf16[N, G, E], vn: bf16[N, G, E]) {
    p = ((rms_norm(x, g1) as bf16) @ wqkv.T) as bf16;
    q = rope(reshape(p[:, :H*E], N, H, E), c, s);
    kn = rope(reshape(p[:, H*E:(H + G)*E], N, G, E), c, s);
    vn = reshape(p[:, (H + G)*E:], N, G, E);
    here = iota(T)[:, None] == length[:, None, None, None];
    k = where(here, kn[:, :, None], kc);
    v = where(here, vn[:, :, None], vc);
    scores = (reshape(q, N, G, H / G, E) @ k.T) * rsqrt(E);
    live = iota(T) <= length[:, None, None, None];
    o = reshape((softmax(where(live, scores, -inf)) as bf16 @ v) as bf16, N, H * E);
    r = (x + o @ wo.T) as bf16;
    a, b = split(((rms_norm(r, g2) as bf16) @ wgu.T) as bf16, 2);
    y = r + ((silu(a) * b) as bf16) @ wd.T;
}
