// run: fusec %s --emit=graph
// With one operand, or an axis, they reduce.
fn f[N](x: f32[N, N]) -> (a: f32[N, N], b: f32[N], c: f32[N], d: f32[1, N]) {
    a = max(x, 0) + min(x, x.T);
    b = max(x);
    c = min(x, axis = 0);
    d = max(x, 0, keep = true);
}
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f32[N, N]
//   %2 = const 0.0 : f32
//   %3 = reshape %2 : f32[1, 1]
//   %4 = broadcast %3 : f32[N, N]
//   %5 = max %1 %4 : f32[N, N]
//   %6 = permute %1 axes=[1, 0] : f32[N, N]
//   %7 = min %1 %6 : f32[N, N]
//   %8 = add %5 %7 : f32[N, N]
//   %9 = max %1 axis=[1] : f32[N, 1]
//   %10 = reshape %9 : f32[N]
//   %11 = min %1 axis=[0] : f32[1, N]
//   %12 = reshape %11 : f32[N]
//   %13 = max %1 axis=[0] : f32[1, N]
//   a = %8
//   b = %10
//   c = %12
//   d = %13
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
