// A sum down the columns: lanes run along the rows' axis, where memory is contiguous.
// run: fusec %s --emit=kernel
fn f[N, D](x: f32[N, D]) -> (y: f32[D]) {
    y = sum(x, axis = 0);
}
// ---- expect
// kernel f_0: row
//   in  x: f32
//   out y: f32
//   loops row i0 < D (lanes) col i1 < N; 1 stage
//     v1 = load x[i1 * D + i0] : f32                        // element, stage 0
//     v2 = acc 0 : f32                                      // row, stage 1
//     acc 0 = sum v1  // stage 0
//     y[i0] = v2  // stage 1
