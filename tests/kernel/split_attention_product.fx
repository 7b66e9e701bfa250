// run: fusec %s --emit=kernel --target=cuda
// The input of the softmax is the product itself: each chunk has its own keys all the same.
fn decode(q: bf16[1, 2, 16], k: bf16[1, 1024, 16], v: bf16[1, 1024, 16]) -> (o: bf16[1, 2, 16]) {
    o = softmax(q @ k.T) as bf16 @ v;
}
// ---- expect
// kernel decode_0: attention
//   in  q: bf16
//   in  k: bf16
//   in  v: bf16
//   out partial_max: f32
//   out partial_shift: f32
//   out partial_sum: f32
//   out partial_out: f32
//   loops row i0 < 4 row i1 < 2 row i2 < 1024 row i3 < 16 row i4 < 16
//   queries v12
//     v12 = load q[i1 * 16 + i3] : bf16
//   keys v13
//     v13 = load k[i2 * 16 + i3] : bf16
//   scores v16, given v14 = acc 0
//     v1 = index[i2] : i32
//     v2 = as v1 : i64
//     v3 = const 0x100 : i32
//     v4 = as v3 : i64
//     v5 = index[i0] : i32
//     v6 = as v5 : i64
//     v7 = mul v4 v6 : i64
//     v8 = add v4 v7 : i64
//     v9 = lt v2 v8 : bool
//     v10 = le v7 v2 : bool
//     v11 = and v9 v10 : bool
//     v15 = const 0xfff0000000000000 : f32
//     v16 = where v11 v14 v15 : f32
//   scores where no mask changes one v14, given v14 = acc 0
//   shift v22, given v17 = acc 1
//     v20 = const 0x3ff7154760000000 : f32
//     v21 = mul v17 v20 : f32
//     v22 = ceil v21 : f32
//   exponents v25, given v16 v23
//     v20 = const 0x3ff7154760000000 : f32
//     v24 = mul v16 v20 : f32
//     v25 = sub v24 v23 : f32
//   weights v26, given v26
//   values v29
//     v29 = load v[i2 * 16 + i4] : bf16
//   rows v17 v23 v27
//     v15 = const 0xfff0000000000000 : f32
//     v17 = acc 1 : f32
//     v18 = eq v17 v15 : bool
//     v19 = const 0x0 : f32
//     v20 = const 0x3ff7154760000000 : f32
//     v21 = mul v17 v20 : f32
//     v22 = ceil v21 : f32
//     v23 = where v18 v19 v22 : f32
//     v27 = acc 2 : f32
//   results v30
//     v30 = acc 3 : f32
//     acc 0 = matmul v12 v13
//     acc 1 = max v16
//     acc 2 = sum v26
//     acc 3 = matmul v28 v29
//     partial_max[i0 * 2 + i1] = v17
//     partial_shift[i0 * 2 + i1] = v23
//     partial_sum[i0 * 2 + i1] = v27
//     partial_out[i0 * 32 + i1 * 16 + i4] = v30
// kernel decode_1: row
//   out o: bf16
//   in  partial_max: f32
//   in  partial_shift: f32
//   in  partial_sum: f32
//   in  partial_out: f32
//   loops row i0 < 2 row i1 < 16 (lanes) col i2 < 4; 2 stages
//     v1 = load partial_max[i2 * 2 + i0] : f32              // element, stage 0, kept
//     v2 = const 0xfff0000000000000 : f32                   // uniform, stage 0
//     v3 = eq v1 v2 : bool                                  // element, stage 0
//     v4 = const 0x0 : f32                                  // uniform, stage 0
//     v5 = load partial_shift[i2 * 2 + i0] : f32            // element, stage 0
//     v6 = acc 0 : f32                                      // row, stage 1
//     v7 = eq v6 v2 : bool                                  // row, stage 1
//     v8 = const 0x3ff7154760000000 : f32                   // uniform, stage 0
//     v9 = mul v6 v8 : f32                                  // row, stage 1
//     v10 = ceil v9 : f32                                   // row, stage 1
//     v11 = where v7 v4 v10 : f32                           // row, stage 1
//     v12 = sub v5 v11 : f32                                // element, stage 1
//     v13 = exp2 v12 : f32                                  // element, stage 1
//     v14 = where v3 v4 v13 : f32                           // element, stage 1
//     v15 = load partial_out[i2 * 32 + i0 * 16 + i1] : f32  // element, stage 0
//     v16 = mul v14 v15 : f32                               // element, stage 1
//     v17 = acc 1 : f32                                     // row, stage 2
//     v18 = const 0x3ff0000000000000 : f32                  // uniform, stage 0
//     v19 = load partial_sum[i2 * 2 + i0] : f32             // element, stage 0
//     v20 = mul v14 v19 : f32                               // element, stage 1
//     v21 = acc 2 : f32                                     // row, stage 2
//     v22 = eq v4 v21 : bool                                // row, stage 2
//     v23 = where v22 v18 v21 : f32                         // row, stage 2
//     v24 = div v18 v23 : f32                               // row, stage 2
//     v25 = mul v17 v24 : f32                               // row, stage 2
//     acc 0 = max v1  // stage 0
//     acc 1 = sum v16  // stage 1
//     acc 2 = sum v20  // stage 1
//     o[i0 * 16 + i1] = v25  // stage 2
