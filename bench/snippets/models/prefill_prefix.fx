fn f[G, R, S, P, D](
    q: bf16[G*R, S, D],
    k: bf16[G, P+S, D],
    v: bf16[G, P+S, D]
) -> (o: bf16[G*R, S, D]) {
    s = (reshape(q, G, R, S, D) @ k[:, None].T) * rsqrt(D);
    live = iota(S)[:, None] + P >= iota(P + S);
    o = reshape(softmax(where(live, s, -inf)) as bf16 @ v[:, None], G * R, S, D);
}
