// Only the side that can be left is tested.
// run: fusec %s --emit=kernel
fn f[N](x: f32[N]) -> (y: f32[N]) {
    y = x - pad(x[:-1], -1, 1, 0);
}
// ---- expect
// kernel f_0: pointwise
//   in  x: f32
//   out y: f32
//   loops col i0 < N (lanes); 1 stage
//     v1 = load x[i0] : f32                                 // element, stage 0
//     v2 = inside[i0] in 1.. : bool                         // element, stage 0
//     v3 = load x[i0 - 1] if v2 : f32                       // element, stage 0
//     v5 = sub v1 v3 : f32                                  // element, stage 0
//     y[i0] = v5  // stage 0
