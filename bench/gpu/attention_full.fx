// Attention to every key.
fn attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    o = softmax((q @ k.T) * rsqrt(D)) as bf16 @ v;
}
