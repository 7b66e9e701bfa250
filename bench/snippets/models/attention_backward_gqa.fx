// inputs: lse 6..8
fn f[B, G, R, S, D](
    q: bf16[B, G*R, S, D],
    k: bf16[B, G, S, D],
    v: bf16[B, G, S, D],
    o: bf16[B, G*R, S, D],
    lse: f32[B, G*R, S],
    do: bf16[B, G*R, S, D]
) -> (dq: bf16[B, G*R, S, D], dk: bf16[B, G, S, D], dv: bf16[B, G, S, D]) {
    qs = reshape(q, B, G, R, S, D);
    dos = reshape(do, B, G, R, S, D);
    x = einsum("bgrqd,bgkd->bgrqk", qs, k) * rsqrt(D);
    p = exp(where(iota(S)[:, None] >= iota(S), x, -inf) - reshape(lse, B, G, R, S, 1));
    d = sum(dos * reshape(o, B, G, R, S, D), axis = -1, keep = true);
    ds = (p * (einsum("bgrqd,bgkd->bgrqk", dos, v) - d)) as bf16;
    dq = reshape(einsum("bgrqk,bgkd->bgrqd", ds, k) * rsqrt(D), B, G * R, S, D);
    dk = einsum("bgrqk,bgrqd->bgkd", ds, qs) * rsqrt(D);
    dv = einsum("bgrqk,bgrqd->bgkd", p as bf16, dos);
}
