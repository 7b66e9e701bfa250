// run: fusec %s --emit=graph
// An output that is read has its declared type: it was rounded.
fn f[N](x: f32[N]) -> (y: bf16[N], z: f32[N]) {
    y = x * 3;
    z = y + x;
}
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f32[N]
//   %2 = const 3.0 : f32
//   %3 = reshape %2 : f32[1]
//   %4 = broadcast %3 : f32[N]
//   %5 = mul %1 %4 : f32[N]
//   %6 = as %5 : bf16[N]
//   %7 = as %6 : f32[N]
//   %8 = add %1 %7 : f32[N]
//   y = %6
//   z = %8
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
