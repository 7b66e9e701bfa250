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
//   shift v16, given v11 = acc 1
//     v7 = const 0xfff0000000000000 : f32
//     v9 = const 0x3ff7154760000000 : f32
//     v12 = eq v11 v7 : bool
//     v13 = const 0x0 : f32
//     v14 = mul v11 v9 : f32
//     v15 = ceil v14 : f32
//     v16 = where v12 v13 v15 : f32
//   exponents v17, given v8 v16
//     v9 = const 0x3ff7154760000000 : f32
//     v10 = mul v8 v9 : f32
//     v17 = sub v10 v16 : f32
//   weights v18, given v18
//   values v19
//     v19 = load v[i2 * 64 + i4] : bf16
//   results v26
//     v13 = const 0x0 : f32
//     v20 = acc 2 : f32
//     v21 = const 0x3ff0000000000000 : f32
//     v22 = acc 3 : f32
//     v23 = eq v13 v22 : bool
//     v24 = where v23 v21 v22 : f32
//     v25 = div v21 v24 : f32
//     v26 = mul v20 v25 : f32
//     acc 0 = matmul v4 v5
//     acc 1 = max v8
//     acc 2 = matmul v18 v19
//     acc 3 = sum v18
//     o[i1 * 64 + i4] = v26
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
//   shift v16
//     v7 = const 0xfff0000000000000 : f32
//     v9 = const 0x3ff7154760000000 : f32
//     v11 = acc 1 : f32
//     v12 = eq v11 v7 : bool
//     v13 = const 0x0 : f32
//     v14 = mul v11 v9 : f32
//     v15 = ceil v14 : f32
//     v16 = where v12 v13 v15 : f32
//   weights v18 v18, given v8 v16
//     v9 = const 0x3ff7154760000000 : f32
//     v10 = mul v8 v9 : f32
//     v17 = sub v10 v16 : f32
//     v18 = exp2 v17 : f32
//   values v19
//     v19 = load v[i2 * 64 + i4] : bf16
//   results v26
//     v13 = const 0x0 : f32
//     v20 = acc 2 : f32
//     v21 = const 0x3ff0000000000000 : f32
//     v22 = acc 3 : f32
//     v23 = eq v13 v22 : bool
//     v24 = where v23 v21 v22 : f32
//     v25 = div v21 v24 : f32
//     v26 = mul v20 v25 : f32
//     acc 0 = matmul v4 v5
//     acc 1 = max v8
//     acc 2 = matmul v18 v19
//     acc 3 = sum v18
//     o[i1 * 64 + i4] = v26
