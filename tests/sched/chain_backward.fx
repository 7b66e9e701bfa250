// The backward of causal attention, by hand: what has as many elements as the scores is computed
// again where it is needed, in one kernel for dq and one for dk and dv.
// run: fusec run %s --check -D B=2 -D H=2 -D S=133 -D D=24
// run: fusec run %s --check -D B=1 -D H=1 -D S=1 -D D=1
// run: fusec run %s --check -D B=1 -D H=1 -D S=65 -D D=64
fn backward[B, H, S, D](
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
    dv = (p as bf16).T @ do;
    dq = (ds @ k) * rsqrt(D);
    dk = (ds.T @ q) * rsqrt(D);
}
