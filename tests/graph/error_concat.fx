// run: fusec %s --emit=graph
// exit: 1
fn f[N, M](x: f32[N, M], z: f32[M, M], v: f32[N], i: i32[N, M]) -> (y: f32[N, M]) {
    a = concat(x, z);
    b = concat(x, v, axis = 0);
    c = concat(x, i, axis = 0);
    d = concat(axis = 0);
    e = concat(1.0, 2.0);
    y = x;
}
// ---- expect
// error_concat.fx:4:19: error: f32[M, M] does not continue f32[N, M] along axis 1: the other axes must agree
//       a = concat(x, z);
//                     ^
// error_concat.fx:4:16: note: this is f32[N, M]
//       a = concat(x, z);
//                  ^
// error_concat.fx:5:19: error: f32[N] does not continue f32[N, M] along axis 0: the other axes must agree
//       b = concat(x, v, axis = 0);
//                     ^
// error_concat.fx:5:16: note: this is f32[N, M]
//       b = concat(x, v, axis = 0);
//                  ^
// error_concat.fx:6:9: error: f32[N, M] and i32[N, M] do not mix: convert one with 'as'
//       c = concat(x, i, axis = 0);
//           ^~~~~~~~~~~~~~~~~~~~~~
// error_concat.fx:6:19: note: this is i32[N, M]: write 'as f32' after it for a float
//       c = concat(x, i, axis = 0);
//                     ^
// error_concat.fx:6:16: note: this is f32[N, M]
//       c = concat(x, i, axis = 0);
//                  ^
// error_concat.fx:7:9: error: 'concat' needs the argument 'x'
//       d = concat(axis = 0);
//           ^~~~~~~~~~~~~~~~
// error_concat.fx:7:9: note: it is 'concat(x.., axis = -1)'
//       d = concat(axis = 0);
//           ^~~~~~
// error_concat.fx:8:9: error: there is no axis here: the tensor is a scalar
//       e = concat(1.0, 2.0);
//           ^~~~~~~~~~~~~~~~
