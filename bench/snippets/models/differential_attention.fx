// inputs: lam 0.2..0.8
fn f[H, S, D](
    q: bf16[H, 2, S, D],
    k: bf16[H, 2, S, D],
    v: bf16[H, S, 2*D],
    lam: f32,
    g: bf16[2*D]
) -> (o: bf16[H, S, 2*D]) {
    s = where(iota(S)[:, None] >= iota(S), (q @ k.T) * rsqrt(D), -inf);
    both = (softmax(s) as bf16 @ v[:, None]) as bf16;
    o = 0.2 * rms_norm((both[:, 0] - lam * both[:, 1]) as bf16, g, eps = 1e-5);
}
