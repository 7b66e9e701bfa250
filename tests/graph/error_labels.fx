// run: fusec %s --emit=graph
// exit: 1
fn f[N, C](x: f32[N, C], i: i32[N, C], l: i32[C], s: f32) -> (y: f32[N]) {
    a = cross_entropy(x, x);
    b = cross_entropy(x, l);
    c = cross_entropy(s, 1);
    d = cross_entropy(i, l);
    e = take(x, x);
    g = take(x, i, axis = 2);
    h = take(s, i);
    y = sum(x);
}
// ---- expect
// error_labels.fx:4:26: error: 'labels' are integers, and this is f32[N, C]
//       a = cross_entropy(x, x);
//                            ^
// error_labels.fx:5:26: error: 'labels' has the shape of 'logits' without its last axis, and this is i32[C]
//       b = cross_entropy(x, l);
//                            ^
// error_labels.fx:5:23: note: this is f32[N, C]
//       b = cross_entropy(x, l);
//                         ^
// error_labels.fx:6:23: error: 'cross_entropy' needs at least one axis, and this is f32
//       c = cross_entropy(s, 1);
//                         ^
// error_labels.fx:7:23: error: 'cross_entropy' needs floats, and this is i32[N, C]: write 'as f32' after it
//       d = cross_entropy(i, l);
//                         ^
// error_labels.fx:8:17: error: 'indices' are integers, and this is f32[N, C]
//       e = take(x, x);
//                   ^
// error_labels.fx:9:27: error: there is no axis 2: the tensor has axes 0 to 1, or -2 to -1
//       g = take(x, i, axis = 2);
//                             ^
// error_labels.fx:10:9: error: there is no axis here: the tensor is a scalar
//       h = take(s, i);
//           ^~~~~~~~~~
