// run: fusec fmt %s missing.fx
// exit: 3
// run: fusec fmt --check %s
// exit: 1
// run: cat %s
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x; }
// ---- expect
// fmt_errors.fx:6:46: error: expected ',', ')' or an operator, found ';'
//   fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x; }
//                                                ^
// fusec: error: open missing.fx: No such file or directory
// fmt_errors.fx:6:46: error: expected ',', ')' or an operator, found ';'
//   fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x; }
//                                                ^
// // run: fusec fmt %s missing.fx
// // exit: 3
// // run: fusec fmt --check %s
// // exit: 1
// // run: cat %s
// fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x; }
