// run: fusec %s --emit=kernel
fn f[N, D](x: bf16[N, D]) -> (y: bf16[N, D]) {
    y = softmax(x);
}
// ---- expect
// kernel f_0: row
//   in  x: bf16
//   out y: bf16
//   loops row i0 < N col i1 < D (lanes); 2 stages
//     v1 = load x[i0 * D + i1] : bf16                       // element, stage 0
//     v2 = acc 0 : f32                                      // row, stage 1
//     v3 = const 0xfff0000000000000 : f32                   // uniform, stage 0
//     v4 = eq v2 v3 : bool                                  // row, stage 1
//     v5 = const 0x0 : f32                                  // uniform, stage 0
//     v6 = where v4 v5 v2 : f32                             // row, stage 1
//     v7 = sub v1 v6 : f32                                  // element, stage 1
//     v8 = exp v7 : f32                                     // element, stage 1
//     v9 = const 0x3ff0000000000000 : f32                   // uniform, stage 0
//     v10 = acc 1 : f32                                     // row, stage 1
//     v11 = eq v5 v10 : bool                                // row, stage 1
//     v12 = where v11 v9 v10 : f32                          // row, stage 1
//     v13 = div v9 v12 : f32                                // row, stage 1
//     v14 = mul v8 v13 : f32                                // element, stage 1
//     acc 0 = max v1  // stage 0
//     acc 1 = sum v8  // stage 0, online with acc 0
//     y[i0 * D + i1] = v14  // stage 1
