// run: fusec %s --emit=graph
// exit: 1
fn f[N, D](x: f32[N, D], s: f32, gain: f32[D], bias: f32[N], i: i32[D]) -> (y: f32[N, D]) {
    a = layer_norm(x, gain, bias);
    b = rms_norm(s, gain);
    c = rms_norm(x, 1.0);
    d = rms_norm(x, i);
    y = x;
}
// ---- expect
// error_norm.fx:4:29: error: 'bias' has the shape of the last axis, [D], and this is f32[N]
//       a = layer_norm(x, gain, bias);
//                               ^~~~
// error_norm.fx:4:20: note: this is f32[N, D]
//       a = layer_norm(x, gain, bias);
//                      ^
// error_norm.fx:5:18: error: 'rms_norm' needs at least one axis, and this is f32
//       b = rms_norm(s, gain);
//                    ^
// error_norm.fx:6:21: error: 'gain' has the shape of the last axis, [D], and this is the number 1.0
//       c = rms_norm(x, 1.0);
//                       ^~~
// error_norm.fx:6:18: note: this is f32[N, D]
//       c = rms_norm(x, 1.0);
//                    ^
// error_norm.fx:7:9: error: f32[N, D] and i32[D] do not mix: convert one with 'as'
//       d = rms_norm(x, i);
//           ^~~~~~~~~~~~~~
// error_norm.fx:7:21: note: this is i32[D]: write 'as f32' after it for a float
//       d = rms_norm(x, i);
//                       ^
// error_norm.fx:7:18: note: this is f32[N, D]
//       d = rms_norm(x, i);
//                    ^
