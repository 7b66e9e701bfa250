fn f[B, H, S, D, C](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    qs = reshape(q, B, H, S / C, C, D);
    ks = reshape(k, B, H, S / C, C, D);
    vs = reshape(v, B, H, S / C, C, D);
    kv = ks.T @ vs;
    state = (cumsum(kv, axis = 2) - kv) as bf16;
    inside = where(iota(C)[:, None] >= iota(C), qs @ ks.T, 0) as bf16;
    o = reshape(inside @ vs + qs @ state, B, H, S, D);
}
