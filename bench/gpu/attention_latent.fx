// Decoding with latent keys: H heads of one query, whose keys have a part that is rotated, and whose values
// are the other part.
fn attention[B, H, T, R, P](
    q: bf16[B, H, R],
    q_rope: bf16[B, H, P],
    c: bf16[B, T, R],
    k_rope: bf16[B, T, P]
) -> (o: bf16[B, H, R]) {
    s = (concat(q, q_rope) @ concat(c, k_rope).T) * rsqrt(R + P);
    o = softmax(s) as bf16 @ c;
}
