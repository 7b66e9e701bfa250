// run: fusec %s --emit=graph
// exit: 1
fn g[N, W](x: f32[N], scale: f32) -> (y: f32[N]) {
    assert W > 0;
    y = x * scale;
}
fn f[N](x: f32[N], i: i32[N]) -> (y: f32[N]) {
    a = g(x, 2, W = 3, sclae = 2);
    b = g(x, x = x, scale = 2);
    c = g(x, W = 1);
    d = g(x, 2, 3);
    e = g(x, x, W = 1);
    h = g(2, 2, W = 1);
    j = g(x, 2);
    k = g(x, 2, W = 0);
    l = g(x, 2, W = 1, W = 2);
    m = g(i, 2, W = 1);
    y = x;
}
// ---- expect
// error_call_arguments.fx:8:24: error: 'g' has no input or dim 'sclae'; did you mean 'scale'?
//       a = g(x, 2, W = 3, sclae = 2);
//                          ^~~~~
// error_call_arguments.fx:3:4: note: 'g' is defined here
//   fn g[N, W](x: f32[N], scale: f32) -> (y: f32[N]) {
//      ^
// error_call_arguments.fx:9:18: error: the input 'x' is given twice
//       b = g(x, x = x, scale = 2);
//                    ^
// error_call_arguments.fx:9:11: note: it is given here
//       b = g(x, x = x, scale = 2);
//             ^
// error_call_arguments.fx:10:9: error: 'g' needs the input 'scale'
//       c = g(x, W = 1);
//           ^~~~~~~~~~~
// error_call_arguments.fx:3:4: note: 'g' is defined here
//   fn g[N, W](x: f32[N], scale: f32) -> (y: f32[N]) {
//      ^
// error_call_arguments.fx:11:17: error: 'g' takes 2 inputs, and this is number 3
//       d = g(x, 2, 3);
//                   ^
// error_call_arguments.fx:3:4: note: 'g' is defined here
//   fn g[N, W](x: f32[N], scale: f32) -> (y: f32[N]) {
//      ^
// error_call_arguments.fx:12:14: error: the input 'scale' of 'g' has no axis, and this is f32[N]
//       e = g(x, x, W = 1);
//                ^
// error_call_arguments.fx:3:23: note: it is declared here
//   fn g[N, W](x: f32[N], scale: f32) -> (y: f32[N]) {
//                         ^~~~~~~~~~
// error_call_arguments.fx:13:11: error: the input 'x' of 'g' has one axis, and this is the number 2
//       h = g(2, 2, W = 1);
//             ^
// error_call_arguments.fx:3:12: note: it is declared here
//   fn g[N, W](x: f32[N], scale: f32) -> (y: f32[N]) {
//              ^~~~~~~~~
// error_call_arguments.fx:14:9: error: the dim 'W' of 'g' does not follow from the arguments: pass it as 'W = ..'
//       j = g(x, 2);
//           ^~~~~~~
// error_call_arguments.fx:3:9: note: it is declared here
//   fn g[N, W](x: f32[N], scale: f32) -> (y: f32[N]) {
//           ^
// error_call_arguments.fx:15:21: error: a size must be at least 1, and this is 0
//       k = g(x, 2, W = 0);
//                       ^
// error_call_arguments.fx:16:28: error: the dim 'W' is given twice
//       l = g(x, 2, W = 1, W = 2);
//                              ^
// error_call_arguments.fx:17:11: error: the input 'x' of 'g' has the type f32, and the value is i32[N]: write 'as f32'
//       m = g(i, 2, W = 1);
//             ^
