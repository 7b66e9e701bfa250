// Causal attention with capped scores, as in Gemma 2.
fn attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    s = 30 * tanh((q @ k.T) * rsqrt(D) / 30);
    o = softmax(where(iota(S)[:, None] >= iota(S), s, -inf)) as bf16 @ v;
}
