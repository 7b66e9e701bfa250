// run: fusec %s --emit=graph
// What is compared with its maximum has the same bits wherever it is computed; w * w has no part in that.
fn largest[N, D](x: f32[N, D], w: f32[N, D]) -> (p: f32[N, D], y: f32[N, D], z: bool[N, D]) {
    p = x * w;
    y = w * w;
    z = p + y[:1] == max(p + 1, keep = true);
}
// ---- expect
// // after lower
// fn largest[N, D]
//   %1 = input x : f32[N, D]
//   %2 = input w : f32[N, D]
//   %3 = mul %1 %2 : f32[N, D]
//   %4 = mul %2 %2 : f32[N, D]
//   %5 = slice %4 start=[0, 0] : f32[1, D]
//   %6 = broadcast %5 : f32[N, D]
//   %7 = add %3 %6 : f32[N, D]
//   %8 = const 1.0 : f32
//   %9 = reshape %8 : f32[1, 1]
//   %10 = broadcast %9 : f32[N, D]
//   %11 = add %3 %10 : f32[N, D]
//   %12 = max %11 axis=[1] : f32[N, 1]
//   %13 = broadcast %12 : f32[N, D]
//   %14 = eq %7 %13 : bool[N, D]
//   p = %3
//   y = %4
//   z = %14
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices
// fn largest[N, D]
//   %1 = input x : f32[N, D]
//   %2 = input w : f32[N, D]
//   %3 = mul %1 %2 repeatable : f32[N, D]
//   %4 = mul %2 %2 : f32[N, D]
//   %5 = slice %4 start=[0, 0] : f32[1, D]
//   %6 = broadcast %5 : f32[N, D]
//   %7 = add %3 %6 : f32[N, D]
//   %8 = const 1.0 : f32
//   %9 = reshape %8 : f32[1, 1]
//   %10 = broadcast %9 : f32[N, D]
//   %11 = add %3 %10 : f32[N, D]
//   %12 = max %11 axis=[1] : f32[N, 1]
//   %13 = broadcast %12 : f32[N, D]
//   %14 = eq %7 %13 : bool[N, D]
//   p = %3
//   y = %4
//   z = %14
