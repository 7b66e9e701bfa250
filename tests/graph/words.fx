// run: fusec %s --emit=graph
fn f[N](x: f32[N], m: bool[N]) -> (y: f32[N], b: bool[N]) {
    y = where(x == inf || x < -inf || m == true, nan, x);
    b = m || false;
}
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f32[N]
//   %2 = input m : bool[N]
//   %3 = const inf : f32
//   %4 = reshape %3 : f32[1]
//   %5 = broadcast %4 : f32[N]
//   %6 = eq %1 %5 : bool[N]
//   %7 = const -inf : f32
//   %8 = reshape %7 : f32[1]
//   %9 = broadcast %8 : f32[N]
//   %10 = lt %1 %9 : bool[N]
//   %11 = or %6 %10 : bool[N]
//   %12 = const true : bool
//   %13 = reshape %12 : bool[1]
//   %14 = broadcast %13 : bool[N]
//   %15 = eq %2 %14 : bool[N]
//   %16 = or %11 %15 : bool[N]
//   %17 = const nan : f32
//   %18 = reshape %17 : f32[1]
//   %19 = broadcast %18 : f32[N]
//   %20 = where %16 %19 %1 : f32[N]
//   %21 = const false : bool
//   %22 = reshape %21 : bool[1]
//   %23 = broadcast %22 : bool[N]
//   %24 = or %2 %23 : bool[N]
//   y = %20
//   b = %24
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify
// fn f[N]
//   %1 = input x : f32[N]
//   %2 = input m : bool[N]
//   %3 = const inf : f32
//   %4 = reshape %3 : f32[1]
//   %5 = broadcast %4 : f32[N]
//   %6 = eq %1 %5 : bool[N]
//   %7 = const -inf : f32
//   %8 = reshape %7 : f32[1]
//   %9 = broadcast %8 : f32[N]
//   %10 = lt %1 %9 : bool[N]
//   %11 = or %6 %10 : bool[N]
//   %12 = const true : bool
//   %13 = reshape %12 : bool[1]
//   %14 = broadcast %13 : bool[N]
//   %15 = eq %2 %14 : bool[N]
//   %16 = or %11 %15 : bool[N]
//   %17 = const nan : f32
//   %18 = reshape %17 : f32[1]
//   %19 = broadcast %18 : f32[N]
//   %20 = where %16 %19 %1 : f32[N]
//   y = %20
//   b = %2
// // after slices: (unchanged)
