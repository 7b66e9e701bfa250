// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N, N], s: f32) -> (y: f32[N, N]) {
    a = softmax(x, axis = 2);
    b = sum(x, axis = -3);
    c = sum(s);
    d = argmax(x, axis = [0, 1]);
    e = sum(x, axis = [0, -2]);
    g = sum(x, axis = []);
    h = cumsum(x, axis = 5);
    y = x;
}
// ---- expect
// error_axis.fx:4:27: error: there is no axis 2: the tensor has axes 0 to 1, or -2 to -1
//       a = softmax(x, axis = 2);
//                             ^
// error_axis.fx:5:23: error: there is no axis -3: the tensor has axes 0 to 1, or -2 to -1
//       b = sum(x, axis = -3);
//                         ^~
// error_axis.fx:6:9: error: there is no axis here: the tensor is a scalar
//       c = sum(s);
//           ^~~~~~
// error_axis.fx:7:26: error: 'argmax' works along one axis: write it without brackets
//       d = argmax(x, axis = [0, 1]);
//                            ^~~~~~
// error_axis.fx:8:27: error: axis 0 is already in the list
//       e = sum(x, axis = [0, -2]);
//                             ^~
// error_axis.fx:9:23: error: the list of axes is empty
//       g = sum(x, axis = []);
//                         ^~
// error_axis.fx:10:26: error: there is no axis 5: the tensor has axes 0 to 1, or -2 to -1
//       h = cumsum(x, axis = 5);
//                            ^
