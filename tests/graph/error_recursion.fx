// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) { y = g(x) + 1; }
fn g[N](x: f32[N]) -> (y: f32[N]) { y = h(x) + 1; }
fn h[N](x: f32[N]) -> (y: f32[N]) { y = g(x) + 1; }
fn self[N](x: f32[N]) -> (y: f32[N]) { y = self(x); }
// ---- expect
// error_recursion.fx:5:41: error: 'g' calls 'h' calls 'g': functions are inlined and cannot be recursive
//   fn h[N](x: f32[N]) -> (y: f32[N]) { y = g(x) + 1; }
//                                           ^~~~
// error_recursion.fx:6:44: error: 'self' calls 'self': functions are inlined and cannot be recursive
//   fn self[N](x: f32[N]) -> (y: f32[N]) { y = self(x); }
//                                              ^~~~~~~
