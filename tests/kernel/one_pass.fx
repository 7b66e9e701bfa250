// A kernel that adds up: its memory is set to zeros before it.
// run: fusec %s --target=cuda --arch=sm_90a --emit=kernel
@nondeterministic
fn backward[B, S](
    q: bf16[B, S, 64],
    k: bf16[B, S, 64],
    v: bf16[B, S, 64],
    delta: f32[B, S],
    lse: f32[B, S],
    do: bf16[B, S, 64]
) -> (dq: bf16[B, S, 64], dk: bf16[B, S, 64], dv: bf16[B, S, 64]) {
    p = exp((q @ k.T) * 0.125 - lse[:, :, None]);
    ds = (p * (do @ v.T - delta[:, :, None])) as bf16;
    dq = (ds @ k) * 0.125;
    dk = (ds.T @ q) * 0.125;
    dv = (p as bf16).T @ do;
}
// ---- expect
// kernel backward_0: chain
//   in  q: bf16
//   in  k: bf16
//   in  v: bf16
//   in  delta: f32
//   in  lse: f32
//   in  do: bf16
//   out dk: bf16
//   out dv: bf16
//   out matmul_temp: f32
//   loops row i0 < B row i1 < S row i2 < S row i3 < 64 row i4 < 64 row i5 < 64
//   left operand of acc 0 v2
//     v2 = load k[i0 * 64*S + i1 * 64 + i3] : bf16
//   right operand of acc 0 v3
//     v3 = load q[i0 * 64*S + i2 * 64 + i3] : bf16
//   left operand of acc 1 v9
//     v9 = load v[i0 * 64*S + i1 * 64 + i5] : bf16
//   right operand of acc 1 v10
//     v10 = load do[i0 * 64*S + i2 * 64 + i5] : bf16
//   right operand of acc 2 v16
//     v16 = load q[i0 * 64*S + i2 * 64 + i4] : bf16
//   right operand of acc 3 v21
//     v21 = load do[i0 * 64*S + i2 * 64 + i4] : bf16
//   weights v14 v8, given v4 = acc 0 v11 = acc 1
//     v1 = const 0x3fc0000000000000 : f32
//     v5 = mul v1 v4 : f32
//     v6 = load lse[i0 * S + i2] : f32
//     v7 = sub v5 v6 : f32
//     v8 = exp v7 : f32
//     v12 = load delta[i0 * S + i2] : f32
//     v13 = sub v11 v12 : f32
//     v14 = mul v8 v13 : f32
//   results v18 v22
//     v1 = const 0x3fc0000000000000 : f32
//     v17 = acc 2 : f32
//     v18 = mul v1 v17 : f32
//     v22 = acc 3 : f32
//     acc 0 = matmul v2 v3
//     acc 1 = matmul v9 v10
//     acc 2 = matmul v15 v16
//     acc 3 = matmul v20 v21
//     dk[i0 * 64*S + i1 * 64 + i4] = v18
//     dv[i0 * 64*S + i1 * 64 + i4] = v22
//     matmul_temp[i0 * 64*S + i2 * 64 + i4] += transposed v15 times v2, in any order
// kernel backward_1: pointwise
//   out dq: bf16
//   in  matmul_temp: f32
//   loops col i4 < 64*B*S (lanes); 1 stage
//     v1 = load matmul_temp[i4] : f32                       // element, stage 0
//     v2 = const 0x3fc0000000000000 : f32                   // uniform, stage 0
//     v3 = mul v1 v2 : f32                                  // element, stage 0
//     dq[i4] = v3  // stage 0
