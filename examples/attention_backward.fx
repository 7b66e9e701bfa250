// The backward of causal attention, as FlashAttention-2 computes it: the weights p are computed again
// from the log of their sum, which the forward stores, and nothing of S x S elements is stored.
//
//     o = softmax(mask(q kᵀ / sqrt(D))) v,   lse = logsumexp(mask(q kᵀ / sqrt(D)))
//
// Nothing below names an algorithm: products whose left operand is a function of other products are
// found by structure. One kernel makes d, one has tiles of queries for dq, and one has tiles of keys
// for dk and dv: no atomics, so results are the same in every run.
//
// try: -D B=1 -D H=12 -D S=512 -D D=64
// small: -D B=2 -D H=3 -D S=7 -D D=5
// small: -D B=1 -D H=1 -D S=1 -D D=1
// small: -D B=1 -D H=2 -D S=70 -D D=16
// kernels: 3
fn attention_backward[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D],
    o: bf16[B, H, S, D],
    lse: f32[B, H, S],
    do: bf16[B, H, S, D]
) -> (dq: bf16[B, H, S, D], dk: bf16[B, H, S, D], dv: bf16[B, H, S, D]) {
    s = where(iota(S)[:, None] >= iota(S), (q @ k.T) * rsqrt(D), -inf);
    p = exp(s - lse[:, :, :, None]);
    d = sum(do * o, axis = -1, keep = true);
    ds = (p * (do @ v.T - d)) as bf16;
    dq = (ds @ k) * rsqrt(D);
    dk = (ds.T @ q) * rsqrt(D);
    dv = (p as bf16).T @ do;
}
