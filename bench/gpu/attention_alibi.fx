// Causal attention with ALiBi: scores fall with the distance, in each head by another slope.
fn attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D],
    slope: f32[H]
) -> (o: bf16[B, H, S, D]) {
    back = iota(S)[:, None] - iota(S);
    s = (q @ k.T) * rsqrt(D) - slope[:, None, None] * (back as f32);
    o = softmax(where(back >= 0, s, -inf)) as bf16 @ v;
}
