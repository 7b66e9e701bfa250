fn f[B, G, R, T, D](
    q: bf16[B, G*R, D],
    k: bf16[B, G, T, D],
    v: bf16[B, G, T, D],
    length: i32[B]
) -> (o: bf16[B, G*R, D]) {
    s = (reshape(q, B, G, R, D) @ k.T) * rsqrt(D);
    live = iota(T) < length[:, None, None, None];
    o = reshape(softmax(where(live, s, -inf)) as bf16 @ v, B, G * R, D);
}
