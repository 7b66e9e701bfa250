// run: fusec %s
// exit: 1
// A name that has no value is one error in a function, wherever it is read.
fn f[N](x: f32[N, D], w: f32[D, D], b: f32[D]) -> (y: f32[N, D], z: f32[N, D]) {
    h = x @ w + bias;
    y = h * bias + z;
    z = z / D + y;
}
fn g(x: f32[D]) -> (y: f32[D]) { y = bias; }
// ---- expect
// error_name_once.fx:4:19: error: nothing is called 'D': dims are declared behind the function's name, as in 'fn f[D](..)'
//   fn f[N](x: f32[N, D], w: f32[D, D], b: f32[D]) -> (y: f32[N, D], z: f32[N, D]) {
//                     ^
// error_name_once.fx:5:17: error: nothing is called 'bias'
//       h = x @ w + bias;
//                   ^~~~
// error_name_once.fx:6:20: error: the output 'z' is read before it is assigned
//       y = h * bias + z;
//                      ^
// error_name_once.fx:9:13: error: nothing is called 'D': dims are declared behind the function's name, as in 'fn f[D](..)'
//   fn g(x: f32[D]) -> (y: f32[D]) { y = bias; }
//               ^
// error_name_once.fx:9:38: error: nothing is called 'bias'
//   fn g(x: f32[D]) -> (y: f32[D]) { y = bias; }
//                                        ^~~~
