// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N, N]) -> (y: f32[N, N]) {
    a = softmax(x, axes = 1);
    b = softmax(x, 1, axis = 1);
    c = softmax(x, 1, 2);
    d = exp();
    e = exp(x, x);
    g = reshape(x, n = 4);
    h = where(x > 0, x);
    i = max(x, x, axis = 1);
    j = sum(x, keep = 1);
    k = rms_norm(x, x[0], eps = x);
    l = layer_norm(x, x[0], x[0], 1e-5, 7);
    m = max(x, x, x);
    y = x;
}
// ---- expect
// error_arguments.fx:4:20: error: 'softmax' has no argument 'axes'; did you mean 'axis'?
//       a = softmax(x, axes = 1);
//                      ^~~~
// error_arguments.fx:4:9: note: it is 'softmax(x, axis = -1)'
//       a = softmax(x, axes = 1);
//           ^~~~~~~
// error_arguments.fx:5:23: error: 'axis' is given twice
//       b = softmax(x, 1, axis = 1);
//                         ^~~~~~~~
// error_arguments.fx:5:20: note: it is given here
//       b = softmax(x, 1, axis = 1);
//                      ^
// error_arguments.fx:6:23: error: 'softmax' takes at most 2 arguments, and this is number 3
//       c = softmax(x, 1, 2);
//                         ^
// error_arguments.fx:6:9: note: it is 'softmax(x, axis = -1)'
//       c = softmax(x, 1, 2);
//           ^~~~~~~
// error_arguments.fx:7:9: error: 'exp' needs the argument 'x'
//       d = exp();
//           ^~~~~
// error_arguments.fx:7:9: note: it is 'exp(x)'
//       d = exp();
//           ^~~
// error_arguments.fx:8:16: error: 'exp' takes 1 argument, and this is number 2
//       e = exp(x, x);
//                  ^
// error_arguments.fx:8:9: note: it is 'exp(x)'
//       e = exp(x, x);
//           ^~~
// error_arguments.fx:9:20: error: 'n' is given by position, not by name
//       g = reshape(x, n = 4);
//                      ^~~~~
// error_arguments.fx:9:9: note: it is 'reshape(x, n..)'
//       g = reshape(x, n = 4);
//           ^~~~~~~
// error_arguments.fx:10:9: error: 'where' needs the argument 'b'
//       h = where(x > 0, x);
//           ^~~~~~~~~~~~~~~
// error_arguments.fx:10:9: note: it is 'where(cond, a, b)'
//       h = where(x > 0, x);
//           ^~~~~
// error_arguments.fx:11:19: error: 'axis' is given twice
//       i = max(x, x, axis = 1);
//                     ^~~~~~~~
// error_arguments.fx:11:16: note: it is given here
//       i = max(x, x, axis = 1);
//                  ^
// error_arguments.fx:12:23: error: 'keep' is true or false, and this is the number 1
//       j = sum(x, keep = 1);
//                         ^
// error_arguments.fx:13:33: error: 'eps' is a constant number, and this is f32[N, N]
//       k = rms_norm(x, x[0], eps = x);
//                                   ^
// error_arguments.fx:14:41: error: 'layer_norm' takes at most 4 arguments, and this is number 5
//       l = layer_norm(x, x[0], x[0], 1e-5, 7);
//                                           ^
// error_arguments.fx:14:9: note: it is 'layer_norm(x, gain, bias, eps = 1e-5)'
//       l = layer_norm(x, x[0], x[0], 1e-5, 7);
//           ^~~~~~~~~~
// error_arguments.fx:15:19: error: 'max' takes 2 arguments, and this is number 3
//       m = max(x, x, x);
//                     ^
// error_arguments.fx:15:9: note: it is 'max(a, b)'
//       m = max(x, x, x);
//           ^~~
