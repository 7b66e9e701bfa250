// run: fusec %s --emit=kernel --arch=sm_90a
// The factor of the scores is part of log2(e), and weights are rounded as they are packed.
fn attend[S](q: bf16[S, 64], k: bf16[S, 64], v: bf16[S, 64]) -> (o: bf16[S, 64]) {
    mask = iota(S)[:, None] >= iota(S)[None, :];
    p = softmax(where(mask, (q @ k.T) * 0.125, -inf)) as bf16;
    o = p @ v;
}
// ---- expect
// kernel attend_0: attention
//   in  q: bf16
//   in  k: bf16
//   in  v: bf16
//   out o: bf16
//   loops row i0 < 1 row i1 < S row i2 < S row i3 < 64 row i4 < 64
//   queries v4
//     v4 = load q[i1 * 64 + i3] : bf16
//   keys v5
//     v5 = load k[i2 * 64 + i3] : bf16
//   scores v10, given v6 = acc 0 v8
//     v1 = index[i2] : i32
//     v2 = index[i1] : i32
//     v3 = le v1 v2 : bool
//     v9 = const 0xfff0000000000000 : f32
//     v10 = where v3 v8 v9 : f32
//   scores where no mask changes one v8, given v6 = acc 0 v8
//   shift v18, given v13 = acc 1
//     v11 = const 0x3ff7154760000000 : f32
//     v17 = mul v13 v11 : f32
//     v18 = ceil v17 : f32
//   exponents v20, given v12 v19
//     v20 = sub v12 v19 : f32
//   weights v21, given v21
//   values v23
//     v23 = load v[i2 * 64 + i4] : bf16
//   results v30
//     v16 = const 0x0 : f32
//     v24 = acc 2 : f32
//     v25 = const 0x3ff0000000000000 : f32
//     v26 = acc 3 : f32
//     v27 = eq v16 v26 : bool
//     v28 = where v27 v25 v26 : f32
//     v29 = div v25 v28 : f32
//     v30 = mul v24 v29 : f32
//     acc 0 = matmul v4 v5
//     acc 1 = max v10
//     acc 2 = matmul v22 v23
//     acc 3 = sum v21
//     o[i1 * 64 + i4] = v30
