// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N]) { y = x; }
fn f_bwd = vjp(f);
fn f_grad = grad(f);
fn step = train(f, lr = 0.1);
fn g[N](x: f32[N]) -> (y: f32[N]) { y = dropout(f_grad(x), 0.1, 7); }
fn h[N](x: f32[N]) -> (y: f32[N]) { y = dropout(x, 0.1, seed = 7); }
// ---- expect
// error_not_available.fx:4:12: error: 'vjp' is not available in this version
//   fn f_bwd = vjp(f);
//              ^~~~~~
// error_not_available.fx:5:13: error: 'grad' is not available in this version
//   fn f_grad = grad(f);
//               ^~~~~~~
// error_not_available.fx:6:11: error: 'train' is not available in this version
//   fn step = train(f, lr = 0.1);
//             ^~~~~~~~~~~~~~~~~~
// error_not_available.fx:7:41: error: no function is called 'dropout': there are no random numbers: make the mask an input, as in 'where(keep, x / (1 - p), 0)'
//   fn g[N](x: f32[N]) -> (y: f32[N]) { y = dropout(f_grad(x), 0.1, 7); }
//                                           ^~~~~~~
// error_not_available.fx:8:41: error: no function is called 'dropout': there are no random numbers: make the mask an input, as in 'where(keep, x / (1 - p), 0)'
//   fn h[N](x: f32[N]) -> (y: f32[N]) { y = dropout(x, 0.1, seed = 7); }
//                                           ^~~~~~~
