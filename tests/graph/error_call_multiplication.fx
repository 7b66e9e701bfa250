// run: fusec %s --emit=graph --limit nodes=40
// exit: 1
fn a[N](x: f32[N]) -> (y: f32[N]) { y = x; }
fn b[N](x: f32[N]) -> (y: f32[N]) { y = a(x) + a(x) + a(x) + a(x); }
fn c[N](x: f32[N]) -> (y: f32[N]) { y = b(x) + b(x) + b(x) + b(x); }
fn d[N](x: f32[N]) -> (y: f32[N]) { y = c(x) + c(x) + c(x) + c(x); }
// ---- expect
// error_call_multiplication.fx:5:41: error: inlining the calls takes more than 40 steps ('--limit nodes=N' changes this)
//   fn c[N](x: f32[N]) -> (y: f32[N]) { y = b(x) + b(x) + b(x) + b(x); }
//                                           ^~~~
