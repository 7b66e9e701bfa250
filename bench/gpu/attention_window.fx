// Causal attention to the last 1024 keys, as in Mistral 7B.
fn attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    back = iota(S)[:, None] - iota(S);
    s = (q @ k.T) * rsqrt(D);
    o = softmax(where(back >= 0 && back < 1024, s, -inf)) as bf16 @ v;
}
