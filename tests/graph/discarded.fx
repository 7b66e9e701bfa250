// run: fusec %s --emit=graph
fn f[N](x: f32[4*N]) -> (y: f32[N]) {
    _, _, y, _ = split(x, 4);
}
// ---- expect
// // after lower
// fn f[N]
//   %1 = input x : f32[4*N]
//   %2 = slice %1 start=[2*N] : f32[N]
//   y = %2
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
