// The cache as it is appended to: [batch, position, head, dim].
fn f[B, G, R, T, D](
    q: bf16[B, G*R, D],
    k: bf16[B, T, G, D],
    v: bf16[B, T, G, D]
) -> (o: bf16[B, G*R, D]) {
    s = einsum("bgrd,btgd->bgrt", reshape(q, B, G, R, D), k) * rsqrt(D);
    o = reshape(einsum("bgrt,btgd->bgrd", softmax(s) as bf16, v), B, G * R, D);
}
