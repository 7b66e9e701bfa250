// Causal attention in which R heads of queries share keys and values, side by side in a row of memory.
fn attention[B, S, G, R, D](
    q: bf16[B, S, G * R, D],
    k: bf16[B, S, G, D],
    v: bf16[B, S, G, D]
) -> (o: bf16[B, S, G * R, D]) {
    queries = reshape(permute(q, 0, 2, 1, 3), B, G, R, S, D);
    keys = permute(k, 0, 2, 1, 3)[:, :, None];
    values = permute(v, 0, 2, 1, 3)[:, :, None];
    s = (queries @ keys.T) * rsqrt(D);
    masked = where(iota(S)[:, None] >= iota(S), s, -inf);
    heads = reshape(softmax(masked) as bf16 @ values, B, G * R, S, D);
    o = permute(heads, 0, 2, 1, 3);
}
