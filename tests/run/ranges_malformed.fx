// run: fusec run %s --check -D N=64 --device=cpu
// run: fusec run %s --check -D N=64 --device=cpu -Werror
// exit: 1
// inputs: x are all sorts of things
fn f[N](x: f32[N]) -> (y: f32[N]) { y = sqrt(x - 4); }
// ---- expect
// y: f32[64]  nan 64  checksum b510a79582953f53
// y: ok, largest error 0 of 5.61e-45 allowed, mean 0 of 5.61e-45, at [0]: got nan, want nan
// ranges_malformed.fx:5:9: warning: the comment gives no range of x: 'are all sorts of things' is not LOW..HIGH
//   fn f[N](x: f32[N]) -> (y: f32[N]) { y = sqrt(x - 4); }
//           ^~~~~~~~~
// fusec: remark: random inputs, seed 0: x
// ranges_malformed.fx:5:24: warning: 64 of 64 elements of y are NaN, so this checks little: give the inputs valid values, as with --range NAME=0..1
//   fn f[N](x: f32[N]) -> (y: f32[N]) { y = sqrt(x - 4); }
//                          ^
// y: f32[64]  nan 64  checksum b510a79582953f53
// y: ok, largest error 0 of 5.61e-45 allowed, mean 0 of 5.61e-45, at [0]: got nan, want nan
// ranges_malformed.fx:5:9: error: the comment gives no range of x: 'are all sorts of things' is not LOW..HIGH [-Werror]
//   fn f[N](x: f32[N]) -> (y: f32[N]) { y = sqrt(x - 4); }
//           ^~~~~~~~~
// fusec: remark: random inputs, seed 0: x
// ranges_malformed.fx:5:24: error: 64 of 64 elements of y are NaN, so this checks little: give the inputs valid values, as with --range NAME=0..1 [-Werror]
//   fn f[N](x: f32[N]) -> (y: f32[N]) { y = sqrt(x - 4); }
//                          ^
