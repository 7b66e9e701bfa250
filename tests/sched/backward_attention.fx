// The backward of attention: what is of the scores' shape is computed again, from contractions of its
// own, so that the forward part is one kernel, too.
// run: fusec run %s --check -D B=2 -D H=1 -D S=70 -D D=16 --fn backward --device=cpu
fn attention[B, H, S, D](
    q: bf16[B, H, S, D],
    k: bf16[B, H, S, D],
    v: bf16[B, H, S, D]
) -> (o: bf16[B, H, S, D]) {
    s = where(iota(S)[:, None] >= iota(S), (q @ k.T) * rsqrt(D), -inf);
    o = (softmax(s) as bf16) @ v;
}

@max_kernels(4)
fn backward = vjp(attention);
// ---- expect
// dq: bf16[2, 1, 70, 16]  mean 7.696e-06  max 0.4668  checksum a3cc90bcdb0430da
// dk: bf16[2, 1, 70, 16]  mean 2.569e-06  max 0.2754  checksum bd2a9a769f6a26d7
// dv: bf16[2, 1, 70, 16]  mean -0.01639  max 1.844  checksum ef7d9c06a19a98a6
// dq: ok, largest error 0 of 1.18e-06 allowed, mean 0 of 2.24e-05, at [0, 0, 0, 0]: got 0.000176429749, want 0.000176429749
// dk: ok, largest error 0 of 0.000977 allowed, mean 0 of 2.11e-05, at [0, 0, 0, 0]: got -0.239257812, want -0.239257812
// dv: ok, largest error 0 of 0.00391 allowed, mean 0 of 8.87e-05, at [0, 0, 0, 0]: got 0.5234375, want 0.5234375
// fusec: remark: random inputs, seed 0: q, k, v, do
