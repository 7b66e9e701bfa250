// In f32, with more keys than queries. The gradient of what is added to all scores
// is an output: dq and it come from stored scores, dk and dv from a chain.
// run: fusec run %s --check -D H=2 -D M=70 -D N=90 -D D=9
// run: fusec run %s --check -D H=1 -D M=3 -D N=130 -D D=16
fn bias[H, M, N, D](
    q: f32[H, M, D],
    k: f32[H, N, D],
    v: f32[H, N, D],
    b: f32[N],
    d: f32[H, M, 1],
    lse: f32[H, M, 1],
    do: f32[H, M, D]
) -> (dq: f32[H, M, D], dk: f32[H, N, D], dv: f32[H, N, D], db: f32[N]) {
    p = where(iota(N) == 5, 0.0, exp(q @ k.T + b - lse));
    ds = p * (do @ v.T - d);
    dv = p.T @ do;
    dq = ds @ k;
    dk = ds.T @ q;
    db = sum(ds, axis = [0, 1]);
}
