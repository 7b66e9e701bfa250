// run: fusec %s --emit=graph
fn f[N, W](x: f32[N], spare: f32[N], _ignored: i32) -> (y: f32[N]) {
    t = x * 2;
    _, b, _ = split(concat(x, x, x), 3);
    y = b;
}
// ---- expect
// // after lower
// fn f[N, W]
//   %1 = input x : f32[N]
//   %2 = input spare : f32[N]
//   %3 = input _ignored : i32
//   %4 = dim N : weak i64
//   %5 = iota : i32[3*N]
//   %6 = const 0.0 : f32
//   %7 = pad %1 %6 before=[2*N] : f32[3*N]
//   %8 = pad %1 %6 before=[N] : f32[3*N]
//   %9 = dim 2*N : weak i64
//   %10 = as %9 : i32
//   %11 = reshape %10 : i32[1]
//   %12 = broadcast %11 : i32[3*N]
//   %13 = lt %5 %12 : bool[3*N]
//   %14 = where %13 %8 %7 : f32[3*N]
//   %15 = pad %1 %6 before=[0] : f32[3*N]
//   %16 = as %4 : i32
//   %17 = reshape %16 : i32[1]
//   %18 = broadcast %17 : i32[3*N]
//   %19 = lt %5 %18 : bool[3*N]
//   %20 = where %19 %15 %14 : f32[3*N]
//   %21 = slice %20 start=[N] : f32[N]
//   y = %21
//   assert 3*N <= 2147483647   // iota
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
// unused.fx:2:9: warning: the dim 'W' is never used
//   fn f[N, W](x: f32[N], spare: f32[N], _ignored: i32) -> (y: f32[N]) {
//           ^
// unused.fx:2:23: warning: the input 'spare' is never used
//   fn f[N, W](x: f32[N], spare: f32[N], _ignored: i32) -> (y: f32[N]) {
//                         ^~~~~
// unused.fx:3:5: warning: the name 't' is never used
//       t = x * 2;
//       ^
