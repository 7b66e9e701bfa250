// Calls of imported functions: arguments by position and by name, converted and stretched as inputs
// of functions are; equal calls are one; what calls nothing else and loops nowhere is cheap.
// needs: imported.h
// run: fusec %s --emit=graph
import "imported.h";
const two = 2;
fn f[N, M](x: f32[N, M], h: bf16[M], d: f64[M], b: bool) -> (y: f32[N, M], z: f64[M], w: bool) {
    y = scale(x, two) + scale(n = 2, x = x) * blend(x, h, 0.5, d) + scale(3, N);
    z = half_of(h) + half_of(d);
    w = opposite(b);
}
// ---- expect
// // after lower
// fn f[N, M]
//   %1 = input x : f32[N, M]
//   %2 = input h : bf16[M]
//   %3 = input d : f64[M]
//   %4 = input b : bool
//   %5 = dim N : weak i64
//   %6 = const 2 : i32
//   %7 = reshape %6 : i32[1, 1]
//   %8 = broadcast %7 : i32[N, M]
//   %9 = call scale %1 %8 : f32[N, M]
//   %10 = as %2 : f32[M]
//   %11 = const 0.5 : f32
//   %12 = as %3 : f32[M]
//   %13 = reshape %10 : f32[1, M]
//   %14 = broadcast %13 : f32[N, M]
//   %15 = reshape %11 : f32[1, 1]
//   %16 = broadcast %15 : f32[N, M]
//   %17 = reshape %12 : f32[1, M]
//   %18 = broadcast %17 : f32[N, M]
//   %19 = call blend %1 %14 %16 %18 : f32[N, M]
//   %20 = mul %9 %19 : f32[N, M]
//   %21 = add %9 %20 : f32[N, M]
//   %22 = const 3.0 : f32
//   %23 = as %5 : i32
//   %24 = call scale %22 %23 : f32
//   %25 = reshape %24 : f32[1, 1]
//   %26 = broadcast %25 : f32[N, M]
//   %27 = add %21 %26 : f32[N, M]
//   %28 = as %2 : f64[M]
//   %29 = call half_of %28 : f64[M]
//   %30 = call half_of %3 : f64[M]
//   %31 = add %29 %30 : f64[M]
//   %32 = call opposite %4 : bool
//   y = %27
//   z = %31
//   w = %32
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
