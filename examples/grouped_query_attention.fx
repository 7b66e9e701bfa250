// Attention in which R query heads share each of G key and value heads, as in Llama 3: the cache
// of keys and values is R times smaller. Tensors are [batch, position, head, dim], as a linear
// layer leaves them; einsum puts the axes where they belong.
//
//     o = softmax(mask(q kᵀ / sqrt(D))) v,  for each head of each group
//
// try: -D B=1 -D S=512 -D G=4 -D R=3 -D D=64
// small: -D B=2 -D S=5 -D G=2 -D R=3 -D D=7
// small: -D B=1 -D S=1 -D G=1 -D R=1 -D D=1
// small: -D B=1 -D S=67 -D G=2 -D R=2 -D D=16
// kernels: 1
fn grouped_query_attention[B, S, G, R, D](
    q: bf16[B, S, G, R, D],
    k: bf16[B, S, G, D],
    v: bf16[B, S, G, D]
) -> (o: bf16[B, S, G, R, D]) {
    s = einsum("bqgrd,bkgd->bgrqk", q, k) * rsqrt(D);
    p = softmax(where(iota(S)[:, None] >= iota(S), s, -inf)) as bf16;
    o = einsum("bgrqk,bkgd->bqgrd", p, v);
}
