// run: fusec %s --emit=graph
// Functions that others call are not compiled for themselves.
fn inner[N](x: f32[N]) -> (y: f32[N]) { y = 2 * x; }
fn first[N](x: f32[N]) -> (y: f32[N]) { y = inner(x); }
fn second[N](x: f32[N]) -> (y: f32[N]) { y = inner(x) + 1; }
// ---- expect
// // after lower
// fn first[N]
//   %1 = input x : f32[N]
//   %2 = const 2.0 : f32
//   %3 = reshape %2 : f32[1]
//   %4 = broadcast %3 : f32[N]
//   %5 = mul %1 %4 : f32[N]
//   y = %5
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
//
// // after lower
// fn second[N]
//   %1 = input x : f32[N]
//   %2 = const 2.0 : f32
//   %3 = reshape %2 : f32[1]
//   %4 = broadcast %3 : f32[N]
//   %5 = mul %1 %4 : f32[N]
//   %6 = const 1.0 : f32
//   %7 = reshape %6 : f32[1]
//   %8 = broadcast %7 : f32[N]
//   %9 = add %5 %8 : f32[N]
//   y = %9
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
