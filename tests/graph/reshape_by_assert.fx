// run: fusec %s --emit=graph
fn f[N, H, D](x: f32[N]) -> (y: f32[H, D]) {
    assert N == H * D;
    y = reshape(x, H, D);
}
// ---- expect
// // after lower
// fn f[N, H, D]
//   %1 = input x : f32[N]
//   %2 = reshape %1 : f32[H, D]
//   y = %2
//   assert N == H*D   // assert
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
