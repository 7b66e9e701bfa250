// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = x[];
    b = x[1:2:3];
    c = None;
    d = x + ...;
    e = x[1..2];
    f = x[None:];
}
// ---- expect
// index_errors.fx:4:11: error: expected ':', 'None', '...' or an expression, found ']'
//       a = x[];
//             ^
// index_errors.fx:5:14: error: slices have no steps: 'reshape(x, N / 2, 2)[:, 0]' is every second of N
//       b = x[1:2:3];
//                ^
// index_errors.fx:6:9: error: expected an expression, found the keyword 'None'
//       c = None;
//           ^~~~
// index_errors.fx:7:13: error: expected an expression, found '...'
//       d = x + ...;
//               ^~~
// index_errors.fx:8:13: error: expected ',', ']', ':' or an operator, found '.2'
//       e = x[1..2];
//               ^~
// index_errors.fx:9:15: error: expected ',' or ']', found ':'
//       f = x[None:];
//                 ^
