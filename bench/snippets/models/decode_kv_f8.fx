// inputs: ks 0.01..0.02, vs 0.01..0.02
fn f[B, G, R, T, D](
    q: bf16[B, G, R, D],
    k: f8e4m3[B, G, T, D],
    ks: f32[B, G, T],
    v: f8e4m3[B, G, T, D],
    vs: f32[B, G, T]
) -> (o: bf16[B, G, R, D]) {
    s = (q @ (k as bf16).T) * ks[:, :, None] * rsqrt(D);
    o = softmax(s) as bf16 @ ((v as f32 * vs[..., None]) as bf16);
}
