// In f32, without a batch, with more keys than queries. The gradient of what is added to all scores
// is an output: dq and it come from stored scores, dk and dv from a chain.
// run: fusec run %s --check -D M=70 -D N=90 -D D=9
// run: fusec run %s --check -D M=3 -D N=130 -D D=16
fn bias[M, N, D](
    q: f32[M, D],
    k: f32[N, D],
    v: f32[N, D],
    b: f32[N],
    d: f32[M, 1],
    lse: f32[M, 1],
    do: f32[M, D]
) -> (dq: f32[M, D], dk: f32[N, D], dv: f32[N, D], db: f32[N]) {
    p = where(iota(N) == 5, 0.0, exp(q @ k.T + b - lse));
    ds = p * (do @ v.T - d);
    dv = p.T @ do;
    dq = ds @ k;
    dk = ds.T @ q;
    db = sum(ds, axis = 0);
}
