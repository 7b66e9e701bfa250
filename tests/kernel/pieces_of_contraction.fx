// run: fusec %s --emit=kernel --target=cuda
fn project[N](x: bf16[N, 64], w: bf16[32, 64], a: bf16[N, 8], b: bf16[32, 8]) -> (y: bf16[N, 32]) {
    y = x @ w.T + a @ b.T;
}
fn rows[N](x: bf16[N, 64], w: bf16[32, 64]) -> (y: bf16[N, 32]) {
    y = softmax(x @ w.T);
}
// ---- expect
// kernel project_0: contraction
//   in  x: bf16
//   in  w: bf16
//   in  a: bf16
//   in  b: bf16
//   out y: bf16
//   loops row i0 < 1 row i1 < N row i2 < 32 col i3 < 64 col i6 < 8
//   left operand v1
//     v1 = load x[i1 * 64 + i3] : bf16
//   right operand of acc 0 v2
//     v2 = load w[i2 * 64 + i3] : bf16
//   left operand along i6 v4
//     v4 = load a[i1 * 8 + i6] : bf16
//   right operand of acc 0 along i6 v5
//     v5 = load b[i2 * 8 + i6] : bf16
//   results v3
//     v3 = acc 0 : f32
//     acc 0 = matmul v1 v2 + v4 v5 along i6
//     y[i1 * 32 + i2] = v3
//
// kernel rows_0: contraction
//   in  x: bf16
//   in  w: bf16
//   out y: bf16
//   loops row i0 < 1 row i4 < 1 row i1 < N col i5 < 32 (lanes); 3 stages
//   left operand v1
//     v1 = load x[i1 * 64 + i3] : bf16
//   right operand of acc 0 v2
//     v2 = load w[i2 * 64 + i3] : bf16
//   rows of results
//     v3 = acc 0 : f32                                      // element, stage 0
//     v4 = acc 1 : f32                                      // row, stage 1
//     v5 = const 0xfff0000000000000 : f32                   // uniform, stage 0
//     v6 = eq v4 v5 : bool                                  // row, stage 1
//     v7 = const 0x0 : f32                                  // uniform, stage 0
//     v8 = where v6 v7 v4 : f32                             // row, stage 1
//     v9 = sub v3 v8 : f32                                  // element, stage 1
//     v10 = exp v9 : f32                                    // element, stage 1, kept
//     v11 = const 0x3ff0000000000000 : f32                  // uniform, stage 0
//     v12 = acc 2 : f32                                     // row, stage 2
//     v13 = eq v7 v12 : bool                                // row, stage 2
//     v14 = where v13 v11 v12 : f32                         // row, stage 2
//     v15 = div v11 v14 : f32                               // row, stage 2
//     v16 = mul v10 v15 : f32                               // element, stage 2
//     acc 0 = matmul v1 v2  // before
//     acc 1 = max v3  // stage 0
//     acc 2 = sum v10  // stage 1
//     y[i1 * 32 + i5] = v16  // stage 2
