// run: fusec %s --emit=graph
fn f[N, D](x: f32[N, D]) -> (y: f32[N, D / 8]) {
    assert D % 8 == 0 && N <= 4096;
    assert D > 8;
    assert N != 7 && N * D >= 64;
    y = x[:, :D / 8];
}
// ---- expect
// // after lower
// fn f[N, D]
//   %1 = input x : f32[N, D]
//   %2 = slice %1 start=[0, 0] : f32[N, D/8]
//   y = %2
//   assert D % 8 == 0   // exact division
//   assert N <= 4096   // assert
//   assert 8 < D   // assert
//   assert N != 7   // assert
//   assert 64 <= N*D   // assert
// // after defer: (unchanged)
// // after decompose: (unchanged)
// // after lift: (unchanged)
// // after simplify: (unchanged)
// // after slices: (unchanged)
