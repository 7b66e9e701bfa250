fn f[G, R, S, D, W](
    q: bf16[G*R, S, D],
    k: bf16[G, S, D],
    v: bf16[G, S, D]
) -> (o: bf16[G*R, S, D]) {
    s = 50 * tanh((reshape(q, G, R, S, D) @ k[:, None].T) * rsqrt(D) / 50);
    back = iota(S)[:, None] - iota(S);
    x = where(back >= 0 && back < W, s, -inf);
    o = reshape(softmax(x) as bf16 @ v[:, None], G * R, S, D);
}
