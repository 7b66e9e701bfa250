// Heads of a group share keys and values, as a projection leaves them: dk and dv are sums over the
// group. The scores are capped, in a window of keys, and f16.
// run: fusec run %s --check -D B=2 -D S=70 -D G=2 -D R=2 -D D=16
// run: fusec run %s --check -D B=1 -D S=130 -D G=1 -D R=3 -D D=8
fn groups[B, S, G, R, D](
    q: f16[B, S, G, R, D],
    k: f16[B, S, G, D],
    v: f16[B, S, G, D],
    d: f32[B, G, R, S],
    lse: f32[B, G, R, S],
    do: f16[B, S, G, R, D]
) -> (dq: f16[B, S, G, R, D], dk: f16[B, S, G, D], dv: f16[B, S, G, D]) {
    t = tanh(einsum("bqgrd,bkgd->bgrqk", q, k) * rsqrt(D) / 30.0);
    far = iota(S)[:, None] - iota(S);
    p = exp(where(far >= 0 && far < 40, 30.0 * t, -inf) - lse[:, :, :, :, None]);
    dp = einsum("bqgrd,bkgd->bgrqk", do, v);
    ds = (p * (dp - d[:, :, :, :, None]) * (1 - t * t)) as f16;
    dv = einsum("bgrqk,bqgrd->bkgd", p as f16, do);
    dq = einsum("bgrqk,bkgd->bqgrd", ds, k) * rsqrt(D);
    dk = einsum("bgrqk,bqgrd->bkgd", ds, q) * rsqrt(D);
}
