// run: fusec %s --emit=graph -Wperf
fn f[M, K, N](x: bf16[M, K], w: f32[K, N], b: bf16[K, N]) -> (y: f32[M, N], z: bf16[M, N]) {
    y = x @ w;
    z = x @ b;
}
fn g[N](x: f32[N, N]) -> (y: f32[N, N]) { y = einsum("ij,kj", x, x); }
@precision(tf32) fn h[N](x: f32[N, N]) -> (y: f32[N, N]) { y = g(x) @ x; }
// ---- expect
// // after lower
// fn f[M, K, N]
//   %1 = input x : bf16[M, K]
//   %2 = input w : f32[K, N]
//   %3 = input b : bf16[K, N]
//   %4 = as %1 : f32[M, K]
//   %5 = permute %2 axes=[1, 0] : f32[N, K]
//   %6 = matmul %4 %5 batch=0 summed=1 : f32[M, N]
//   %7 = permute %3 axes=[1, 0] : bf16[N, K]
//   %8 = matmul %1 %7 batch=0 summed=1 : f32[M, N]
//   %9 = as %8 : bf16[M, N]
//   y = %6
//   z = %9
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
//
// // after lower
// fn h[N]
//   %1 = input x : f32[N, N]
//   %2 = matmul %1 %1 batch=0 summed=1 : f32[N, N]
//   %3 = permute %1 axes=[1, 0] : f32[N, N]
//   %4 = matmul %2 %3 batch=0 summed=1 : f32[N, N]
//   y = %4
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
// remark_matmul.fx:3:9: remark: bf16[M, K] and f32[K, N] multiply as f32, without tensor cores: 'as bf16' uses them
//       y = x @ w;
//           ^~~~~
// remark_matmul.fx:6:47: remark: f32[N, N] and f32[N, N] multiply as f32, without tensor cores: 'as bf16' uses them
//   fn g[N](x: f32[N, N]) -> (y: f32[N, N]) { y = einsum("ij,kj", x, x); }
//                                                 ^~~~~~~~~~~~~~~~~~~~~
