// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N], k: i32[N]) -> (y: f32[N]) {
    a = x[::2];
    b = k >> 2;
    c = k << 2;
    d = x.T();
    e = x.view(2, 3) + 1;
    f = k // 2;
    g = 1;
    h = k and k;
    i = x if k else y;
    j += 1;
    k = ~k;
}
// ---- expect
// other_operators.fx:4:12: error: slices have no steps: 'reshape(x, N / 2, 2)[:, 0]' is every second of N
//       a = x[::2];
//              ^
// other_operators.fx:5:12: error: expected an expression, found '>'
//       b = k >> 2;
//              ^
// other_operators.fx:5:11: note: there are no shifts: for x >= 0, 'x / 2 ** n' is x >> n
//       b = k >> 2;
//             ^~
// other_operators.fx:6:12: error: expected an expression, found '<'
//       c = k << 2;
//              ^
// other_operators.fx:6:11: note: there are no shifts: 'x * 2 ** n' is x << n
//       c = k << 2;
//             ^~
// other_operators.fx:7:12: error: expected ';' or an operator, found '('
//       d = x.T();
//              ^
// other_operators.fx:7:12: note: '.T' is not a call: omit the parentheses
//       d = x.T();
//              ^
// other_operators.fx:8:11: error: 'view' cannot follow '.', only 'T' can: write 'reshape(x, n, ..)'
//       e = x.view(2, 3) + 1;
//             ^~~~
// other_operators.fx:9:10: error: expected ';' before 'g'
//       f = k // 2;
//            ^
// other_operators.fx:9:11: note: '//' starts a comment: integers divide by '/'
//       f = k // 2;
//             ^~
// other_operators.fx:11:11: error: expected ';' or an operator, found 'and'
//       h = k and k;
//             ^~~
// other_operators.fx:11:11: note: write 'a && b'
//       h = k and k;
//             ^~~
// other_operators.fx:12:11: error: expected ';' or an operator, found 'if'
//       i = x if k else y;
//             ^~
// other_operators.fx:12:11: note: there is no 'if': 'where(condition, a, b)' selects by element
//       i = x if k else y;
//             ^~
// other_operators.fx:13:7: error: expected ',' or '=', found '+'
//       j += 1;
//         ^
// other_operators.fx:13:7: note: a name is given once: give the result another
//       j += 1;
//         ^~
// other_operators.fx:14:9: error: '~' is not part of the language: write '!x' for bool, '-x - 1' for integers
//       k = ~k;
//           ^
