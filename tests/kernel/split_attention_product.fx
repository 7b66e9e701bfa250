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
//   shift v23, given v17 = acc 1
//     v21 = const 0x3ff7154760000000 : f32
//     v22 = mul v17 v21 : f32
//     v23 = ceil v22 : f32
//   exponents v26, given v16 v24
//     v21 = const 0x3ff7154760000000 : f32
//     v25 = mul v16 v21 : f32
//     v26 = sub v25 v24 : f32
//   weights v27, given v27
//   values v30
//     v30 = load v[i2 * 16 + i4] : bf16
//   rows v17 v24 v28
//     v17 = acc 1 : f32
//     v18 = const 0xc1d62e4300000000 : f32
//     v19 = lt v17 v18 : bool
//     v20 = const 0x0 : f32
//     v21 = const 0x3ff7154760000000 : f32
//     v22 = mul v17 v21 : f32
//     v23 = ceil v22 : f32
//     v24 = where v19 v20 v23 : f32
//     v28 = acc 2 : f32
//   results v31
//     v31 = acc 3 : f32
//     acc 0 = matmul v12 v13
//     acc 1 = max v16
//     acc 2 = sum v27
//     acc 3 = matmul v29 v30
//     partial_max[i0 * 2 + i1] = v17
//     partial_shift[i0 * 2 + i1] = v24
//     partial_sum[i0 * 2 + i1] = v28
//     partial_out[i0 * 32 + i1 * 16 + i4] = v31
// kernel decode_1: row
//   out o: bf16
//   in  partial_max: f32
//   in  partial_shift: f32
//   in  partial_sum: f32
//   in  partial_out: f32
//   loops row i0 < 2 row i1 < 16 (lanes) col i2 < 4; 2 stages
//     v1 = load partial_sum[i2 * 2 + i0] : f32              // element, stage 0
//     v2 = const 0x0 : f32                                  // uniform, stage 0
//     v3 = eq v1 v2 : bool                                  // element, stage 0
//     v4 = load partial_shift[i2 * 2 + i0] : f32            // element, stage 0
//     v5 = load partial_max[i2 * 2 + i0] : f32              // element, stage 0
//     v6 = acc 0 : f32                                      // row, stage 1
//     v7 = const 0xc1d62e4300000000 : f32                   // uniform, stage 0
//     v8 = lt v6 v7 : bool                                  // row, stage 1
//     v9 = const 0x3ff7154760000000 : f32                   // uniform, stage 0
//     v10 = mul v6 v9 : f32                                 // row, stage 1
//     v11 = ceil v10 : f32                                  // row, stage 1
//     v12 = where v8 v2 v11 : f32                           // row, stage 1
//     v13 = sub v4 v12 : f32                                // element, stage 1
//     v14 = exp2 v13 : f32                                  // element, stage 1
//     v15 = where v3 v2 v14 : f32                           // element, stage 1
//     v16 = load partial_out[i2 * 32 + i0 * 16 + i1] : f32  // element, stage 0
//     v17 = mul v15 v16 : f32                               // element, stage 1
//     v18 = acc 1 : f32                                     // row, stage 2
//     v19 = const 0x3ff0000000000000 : f32                  // uniform, stage 0
//     v20 = mul v1 v15 : f32                                // element, stage 1
//     v21 = acc 2 : f32                                     // row, stage 2
//     v22 = eq v2 v21 : bool                                // row, stage 2
//     v23 = where v22 v19 v21 : f32                         // row, stage 2
//     v24 = div v19 v23 : f32                               // row, stage 2
//     v25 = mul v18 v24 : f32                               // row, stage 2
//     acc 0 = max v5  // stage 0
//     acc 1 = sum v17  // stage 1
//     acc 2 = sum v20  // stage 1
//     o[i0 * 16 + i1] = v25  // stage 2
