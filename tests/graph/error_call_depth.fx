// run: fusec %s --emit=graph --limit calls=2
// exit: 1
fn a[N](x: f32[N]) -> (y: f32[N]) { y = b(x); }
fn b[N](x: f32[N]) -> (y: f32[N]) { y = c(x); }
fn c[N](x: f32[N]) -> (y: f32[N]) { y = d(x); }
fn d[N](x: f32[N]) -> (y: f32[N]) { y = x; }
// ---- expect
// error_call_depth.fx:5:41: error: calls nest more than 2 deep ('--limit calls=N' changes this)
//   fn c[N](x: f32[N]) -> (y: f32[N]) { y = d(x); }
//                                           ^~~~
