// run: fusec %s --emit=kernel --target c
// What depends on the link is read in the loop over the list of a row.
fn f[V, D, N](w: f32[V, D], i: i32[N], x: f32[N, D]) -> (y: f32[V, D]) {
    y = scatter(w, i, exp(x)) * 2;
}
// ---- expect
// kernel f_0: row
//   in  i: i32
//   out min_29_value: i32
//   loops row i0 < V col i1 < N (lanes); 1 stage
//     v1 = index[i0] : i32                                  // row, stage 0
//     v2 = load i[i1] : i32                                 // element, stage 0
//     v3 = const 0x0 : i32                                  // uniform, stage 0
//     v4 = max v2 v3 : i32                                  // element, stage 0
//     v5 = uniform last_index_u6 : i32                      // uniform, stage 0
//     v6 = min v4 v5 : i32                                  // element, stage 0
//     v7 = eq v1 v6 : bool                                  // element, stage 0
//     v8 = index[i1] : i32                                  // element, stage 0
//     v9 = uniform as_u18 : i32                             // uniform, stage 0
//     v10 = where v7 v8 v9 : i32                            // element, stage 0
//     v11 = acc 0 : i32                                     // row, stage 1
//     acc 0 = min v10  // stage 0
//     min_29_value[i0] = v11  // stage 1
// kernel f_1: row
//   in  i: i32
//   out min_41_value: i32
//   loops row i0 < N col i1 < N (lanes); 1 stage
//     v1 = index[i0] : i32                                  // row, stage 0
//     v2 = index[i1] : i32                                  // element, stage 0
//     v3 = lt v1 v2 : bool                                  // element, stage 0
//     v4 = load i[i0] : i32                                 // row, stage 0
//     v5 = const 0x0 : i32                                  // uniform, stage 0
//     v6 = max v4 v5 : i32                                  // row, stage 0
//     v7 = uniform last_index_u6 : i32                      // uniform, stage 0
//     v8 = min v6 v7 : i32                                  // row, stage 0
//     v9 = load i[i1] : i32                                 // element, stage 0
//     v10 = max v9 v5 : i32                                 // element, stage 0
//     v11 = min v10 v7 : i32                                // element, stage 0
//     v12 = eq v8 v11 : bool                                // element, stage 0
//     v13 = and v3 v12 : bool                               // element, stage 0
//     v14 = uniform as_u18 : i32                            // uniform, stage 0
//     v15 = where v13 v2 v14 : i32                          // element, stage 0
//     v16 = acc 0 : i32                                     // row, stage 1
//     acc 0 = min v15  // stage 0
//     min_41_value[i0] = v16  // stage 1
// kernel f_2: pointwise
//   in  w: f32
//   in  x: f32
//   out y: f32
//   in  min_29_value: i32
//   in  min_41_value: i32
//   loops row i0 < V col i1 < D (lanes); 1 stage
//     v1 = load w[i0 * D + i1] : f32                        // element, stage 0
//     v2 = load min_29_value[i0] : i32                      // row, stage 0
//     v3 = link v2 : i64                                    // element, stage 0
//     v4 = load x[v3 * D + i1] : f32                        // element, stage 0
//     v5 = exp v4 : f32                                     // element, stage 0
//     v6 = load min_41_value[v3] : i32                      // element, stage 0
//     v7 = follow v1 v2 v5 v6 by v3, add : f32              // element, stage 0
//     v8 = const 0x4000000000000000 : f32                   // uniform, stage 0
//     v9 = mul v7 v8 : f32                                  // element, stage 0
//     y[i0 * D + i1] = v9  // stage 0
