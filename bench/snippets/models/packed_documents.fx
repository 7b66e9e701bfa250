// Sequences of P tokens packed in one, without padding: each sees itself.
fn f[S, H, D, P](q: bf16[S, H, D], k: bf16[S, H, D], v: bf16[S, H, D]) -> (o: bf16[S, H, D]) {
    doc = iota(S) / P;
    s = einsum("qhd,khd->hqk", q, k) * rsqrt(D);
    p = softmax(where(doc[:, None] == doc, s, -inf)) as bf16;
    o = einsum("hqk,khd->qhd", p, v);
}
