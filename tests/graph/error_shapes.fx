// run: fusec %s --emit=graph
// exit: 1
fn f[N, D, M](x: f32[N, D], b: f32[M], c: f32[4, D], m: bool[3, 1]) -> (y: f32[N, D]) {
    a = x + b;
    d = where(m, c, 0.0);
    e = x * (c + 1);
    g = clamp(x, 0, b);
    h = x - mean(x, axis = 1);
    y = x;
}
// ---- expect
// error_shapes.fx:4:9: error: shapes f32[N, D] and f32[M] do not match: axis -1 is D here and M there
//       a = x + b;
//           ^~~~~
// error_shapes.fx:4:9: note: this is f32[N, D]
//       a = x + b;
//           ^
// error_shapes.fx:4:13: note: this is f32[M]
//       a = x + b;
//               ^
// error_shapes.fx:5:9: error: shapes bool[3, 1] and f32[4, D] do not match: axis -2 is 3 here and 4 there
//       d = where(m, c, 0.0);
//           ^~~~~~~~~~~~~~~~
// error_shapes.fx:5:15: note: this is bool[3, 1]
//       d = where(m, c, 0.0);
//                 ^
// error_shapes.fx:5:18: note: this is f32[4, D]
//       d = where(m, c, 0.0);
//                    ^
// error_shapes.fx:6:9: error: shapes f32[N, D] and f32[4, D] do not match: axis -2 is N here and 4 there
//       e = x * (c + 1);
//           ^~~~~~~~~~~
// error_shapes.fx:6:9: note: this is f32[N, D]
//       e = x * (c + 1);
//           ^
// error_shapes.fx:6:14: note: this is f32[4, D]
//       e = x * (c + 1);
//                ^~~~~
// error_shapes.fx:7:9: error: shapes f32[N, D] and f32[M] do not match: axis -1 is D here and M there
//       g = clamp(x, 0, b);
//           ^~~~~~~~~~~~~~
// error_shapes.fx:7:15: note: this is f32[N, D]
//       g = clamp(x, 0, b);
//                 ^
// error_shapes.fx:7:21: note: this is f32[M]
//       g = clamp(x, 0, b);
//                       ^
// error_shapes.fx:8:9: error: shapes f32[N, D] and f32[N] do not match: axis -1 is D here and N there
//       h = x - mean(x, axis = 1);
//           ^~~~~~~~~~~~~~~~~~~~~
// error_shapes.fx:8:9: note: this is f32[N, D]
//       h = x - mean(x, axis = 1);
//           ^
// error_shapes.fx:8:13: note: this is f32[N]; with 'keep = true' it would be f32[N, 1]
//       h = x - mean(x, axis = 1);
//               ^~~~~~~~~~~~~~~~~
