// The three projections of an attention: products of one left operand.
fn projections[M, N, K](
    x: bf16[M, K],
    wq: bf16[N, K],
    wk: bf16[N, K],
    wv: bf16[N, K]
) -> (q: bf16[M, N], k: bf16[M, N], v: bf16[M, N]) {
    q = x @ wq.T;
    k = x @ wk.T;
    v = x @ wv.T;
}
