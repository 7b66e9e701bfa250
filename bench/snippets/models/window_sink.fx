fn f[G, R, S, D, W](
    q: bf16[G*R, S, D],
    k: bf16[G, S, D],
    v: bf16[G, S, D],
    sink: f32[G*R]
) -> (o: bf16[G*R, S, D]) {
    s = (reshape(q, G, R, S, D) @ k[:, None].T) * rsqrt(D);
    back = iota(S)[:, None] - iota(S);
    x = where(back >= 0 && back < W, s, -inf);
    share = sigmoid(logsumexp(x) - reshape(sink, G, R, 1));
    o = reshape((softmax(x) as bf16 @ v[:, None]) * share[..., None], G * R, S, D);
}
