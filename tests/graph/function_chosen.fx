// run: fusec %s --emit=graph --fn inner -D N=8
fn inner[N](x: f32[N]) -> (y: f32[N]) { y = 2 * x; }
fn first[N](x: f32[N]) -> (y: f32[N]) { y = inner(x); }
// ---- expect
// // after lower
// fn inner
//   %1 = input x : f32[8]
//   %2 = const 2.0 : f32
//   %3 = reshape %2 : f32[1]
//   %4 = broadcast %3 : f32[8]
//   %5 = mul %1 %4 : f32[8]
//   y = %5
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
