// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = x.t;
    b = x.sum(axis = 1);
    c = x.T.shape[0];
    d = x.;
    y = .T;
}
// ---- expect
// methods.fx:4:11: error: 't' cannot follow '.', only 'T' can: write 'x.T'
//       a = x.t;
//             ^
// methods.fx:5:11: error: 'sum' cannot follow '.', only 'T' can: functions are called 'sum(x, ..)'
//       b = x.sum(axis = 1);
//             ^~~
// methods.fx:6:13: error: 'shape' cannot follow '.', only 'T' can: a size is a dim: give it a name, as in 'fn f[N](x: f32[N])'
//       c = x.T.shape[0];
//               ^~~~~
// methods.fx:7:11: error: expected a name, found ';'
//       d = x.;
//             ^
// methods.fx:8:9: error: expected an expression, found '.'
//       y = .T;
//           ^
