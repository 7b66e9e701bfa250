fn f[B, G, R, Q, T, D](
    q: bf16[B, G, R, Q, D],
    k: bf16[B, G, T, D],
    v: bf16[B, G, T, D],
    length: i32[B]
) -> (o: bf16[B, G, R, Q, D]) {
    s = (q @ k[:, :, None].T) * rsqrt(D);
    live = iota(T) <= length[:, None, None, None, None] + iota(Q)[:, None];
    o = softmax(where(live, s, -inf)) as bf16 @ v[:, :, None];
}
