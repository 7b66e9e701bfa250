// M learned queries, which all of a batch share, see S keys, as in a Perceiver.
fn attention[B, H, M, S, D](
    q: bf16[M, H*D],
    k: bf16[B, S, H*D],
    v: bf16[B, S, H*D]
) -> (o: bf16[B, M, H*D]) {
    qs = permute(reshape(q, M, H, D), 1, 0, 2);
    ks = permute(reshape(k, B, S, H, D), 0, 2, 1, 3);
    vs = permute(reshape(v, B, S, H, D), 0, 2, 1, 3);
    p = softmax((qs @ ks.T) * rsqrt(D)) as bf16;
    o = reshape(permute(p @ vs, 0, 2, 1, 3), B, M, H * D);
}
