// Causal attention within documents that are packed into one sequence.
// inputs: document 0..8
fn attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D],
    document: i32[S]
) -> (o: bf16[B, H, S, D]) {
    s = (q @ k.T) * rsqrt(D);
    is_seen = iota(S)[:, None] >= iota(S) && document[:, None] == document;
    o = softmax(where(is_seen, s, -inf)) as bf16 @ v;
}
