// run: fusec %s --emit=kernel --target c
// What depends on the link is read in the loop over the list of a row.
fn f[V, D, N](w: f32[V, D], i: i32[N], x: f32[N, D]) -> (y: f32[V, D]) {
    y = scatter(w, i, exp(x)) * 2;
}
// ---- expect
// kernel f_0: segments
//   in  i: i32
//   out segments_temp: i32
//   loops col i0 < N (lanes); 1 stage
//     v1 = load i[i0] : i32                                 // element, stage 0
//     v2 = const 0x0 : i32                                  // uniform, stage 0
//     v3 = max v1 v2 : i32                                  // element, stage 0
//     v4 = uniform last_index_u6 : i32                      // uniform, stage 0
//     v5 = min v3 v4 : i32                                  // element, stage 0
//     segments_temp[i0 + (V + 1)] = v5  // stage 0
// kernel f_1: pointwise
//   in  w: f32
//   in  x: f32
//   out y: f32
//   in  segments_temp: i32
//   loops row i0 < V col i1 < D (lanes); 1 stage
//     v1 = load w[i0 * D + i1] : f32                        // element, stage 0
//     v2 = load segments_temp[i0] : i32                     // row, stage 0
//     v3 = load segments_temp[i0 + 1] : i32                 // row, stage 0
//     v4 = cursor v2 : i64                                  // element, stage 0
//     v5 = load segments_temp[v4 + (V + 1)] : i32           // element, stage 0
//     v6 = clamp v5 : i64                                   // element, stage 0
//     v7 = load x[v6 * D + i1] : f32                        // element, stage 0
//     v8 = exp v7 : f32                                     // element, stage 0
//     v9 = combine v1 v2 v3 v8 by v4, add : f32             // element, stage 0
//     v10 = const 0x4000000000000000 : f32                  // uniform, stage 0
//     v11 = mul v9 v10 : f32                                // element, stage 0
//     y[i0 * D + i1] = v11  // stage 0
