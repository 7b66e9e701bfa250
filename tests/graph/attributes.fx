// run: fusec %s --emit=graph
@strict @max_kernels(2) @precision(bf16x3)
fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
@one_kernel @autocast(f16) @precision(ieee)
fn g[N](x: f32[N]) -> (y: f32[N]) { y = x; }
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f32[N]
//   y = %1
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
//
// // after lower
// fn g[N]
//   %1 = input x : f32[N]
//   y = %1
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
