// run: fusec - --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) { y = epx(x); }
// ---- expect
// <stdin>:3:41: error: no function is called 'epx'; did you mean 'exp'?
//   fn f[N](x: f32[N]) -> (y: f32[N]) { y = epx(x); }
//                                           ^~~
