// The backward of attention whose operands are packed once: it is no chain, so none adds dq up.
// run: fusec run %s --check -D B=2 -D S=70 --device=cpu > %t.log
@constant(q, v)
fn backward[B, S](
    q: f32[B, S, 16],
    k: f32[B, S, 16],
    v: f32[B, S, 16],
    lse: f32[B, S],
    d: f32[B, S],
    do: f32[B, S, 16]
) -> (dq: f32[B, S, 16], dk: f32[B, S, 16], dv: f32[B, S, 16]) {
    p = exp(q @ k.T - lse[:, :, None]);
    ds = p * (do @ v.T - d[:, :, None]);
    dv = p.T @ do;
    dq = ds @ k;
    dk = ds.T @ q;
}
// ---- expect
// fusec: remark: random inputs, seed 0: q, k, v, lse, d, do
