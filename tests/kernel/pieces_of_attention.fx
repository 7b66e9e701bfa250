// run: fusec %s --emit=kernel
// run: fusec %s --emit=kernel --target=c
fn attend[S](q: bf16[S, 64], k: bf16[S, 64], v: bf16[S, 64]) -> (o: bf16[S, 64]) {
    mask = iota(S)[:, None] >= iota(S)[None, :];
    o = softmax(where(mask, q @ k.T, -inf)) @ v;
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
//   scores v8, given v6 = acc 0
//     v1 = index[i2] : i32
//     v2 = index[i1] : i32
//     v3 = le v1 v2 : bool
//     v7 = const 0xfff0000000000000 : f32
//     v8 = where v3 v6 v7 : f32
//   shift v17, given v11 = acc 1
//     v9 = const 0x3ff7154760000000 : f32
//     v12 = const 0xc1d62e4300000000 : f32
//     v13 = lt v11 v12 : bool
//     v14 = const 0x0 : f32
//     v15 = mul v11 v9 : f32
//     v16 = ceil v15 : f32
//     v17 = where v13 v14 v16 : f32
//   exponents v18, given v8 v17
//     v9 = const 0x3ff7154760000000 : f32
//     v10 = mul v8 v9 : f32
//     v18 = sub v10 v17 : f32
//   weights v19, given v19
//   values v20
//     v20 = load v[i2 * 64 + i4] : bf16
//   results v27
//     v14 = const 0x0 : f32
//     v21 = acc 2 : f32
//     v22 = const 0x3ff0000000000000 : f32
//     v23 = acc 3 : f32
//     v24 = eq v14 v23 : bool
//     v25 = where v24 v22 v23 : f32
//     v26 = div v22 v25 : f32
//     v27 = mul v21 v26 : f32
//     acc 0 = matmul v4 v5
//     acc 1 = max v8
//     acc 2 = matmul v19 v20
//     acc 3 = sum v19
//     o[i1 * 64 + i4] = v27
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
//   scores v8
//     v1 = index[i2] : i32
//     v2 = index[i1] : i32
//     v3 = le v1 v2 : bool
//     v6 = acc 0 : f32
//     v7 = const 0xfff0000000000000 : f32
//     v8 = where v3 v6 v7 : f32
//   scores where no mask changes one v6
//     v6 = acc 0 : f32
//   shift v17
//     v9 = const 0x3ff7154760000000 : f32
//     v11 = acc 1 : f32
//     v12 = const 0xc1d62e4300000000 : f32
//     v13 = lt v11 v12 : bool
//     v14 = const 0x0 : f32
//     v15 = mul v11 v9 : f32
//     v16 = ceil v15 : f32
//     v17 = where v13 v14 v16 : f32
//   weights v19 v19, given v8 v17
//     v9 = const 0x3ff7154760000000 : f32
//     v10 = mul v8 v9 : f32
//     v18 = sub v10 v17 : f32
//     v19 = exp2 v18 : f32
//   values v20
//     v20 = load v[i2 * 64 + i4] : bf16
//   results v27
//     v14 = const 0x0 : f32
//     v21 = acc 2 : f32
//     v22 = const 0x3ff0000000000000 : f32
//     v23 = acc 3 : f32
//     v24 = eq v14 v23 : bool
//     v25 = where v24 v22 v23 : f32
//     v26 = div v22 v25 : f32
//     v27 = mul v21 v26 : f32
//     acc 0 = matmul v4 v5
//     acc 1 = max v8
//     acc 2 = matmul v19 v20
//     acc 3 = sum v19
//     o[i1 * 64 + i4] = v27
