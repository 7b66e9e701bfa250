// Causal attention, heads side by side in a row of memory, as projections leave them.
fn attention[B, S, H, D](
    q: bf16[B, S, H, D],
    k: bf16[B, S, H, D],
    v: bf16[B, S, H, D]
) -> (o: bf16[B, S, H, D]) {
    s = (permute(q, 0, 2, 1, 3) @ permute(k, 0, 2, 3, 1)) * rsqrt(D);
    masked = where(iota(S)[:, None] >= iota(S), s, -inf);
    o = permute(softmax(masked) as bf16 @ permute(v, 0, 2, 1, 3), 0, 2, 1, 3);
}
