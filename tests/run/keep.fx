// run: fusec %s --keep %t -o /dev/null
// run: ls %t
// run: cat %t/keep.kernel
// run: fusec broken.fx --keep %t2
// exit: 3
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
// keep.ast
// keep.cu
// keep.graph
// keep.kernel
// keep.plan
// keep.plan.json
// kernel f_0: pointwise
//   in  x: f32
//   out y: f32
//   loops col i0 < N (lanes); 1 stage
//     v1 = load x[i0] : f32                                 // element, stage 0
//     v2 = exp v1 : f32                                     // element, stage 0
//     y[i0] = v2  // stage 0
// fusec: error: open broken.fx: No such file or directory
