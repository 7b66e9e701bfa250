// The rows of an embedding are contiguous although which one is known only at run time.
// run: fusec %s --emit=kernel
fn f[N, V, D](table: f32[V, D], ids: i32[N]) -> (y: f32[N, D]) {
    y = take(table, ids, axis = 0);
}
// ---- expect
// kernel f_0: pointwise
//   in  table: f32
//   in  ids: i32
//   out y: f32
//   loops row i0 < N col i1 < D (lanes); 1 stage
//     v1 = load ids[i0] : i32                               // row, stage 0
//     v2 = clamp v1 : i64                                   // row, stage 0
//     v3 = load table[v2 * D + i1] : f32                    // element, stage 0
//     y[i0 * D + i1] = v3  // stage 0
