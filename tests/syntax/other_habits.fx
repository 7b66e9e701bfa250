// run: fusec %s --emit=ast --limit errors=40
// exit: 1
scale = 3;
const float pi = 3.14;
fn a<N>(x: f32[N]) -> (y: f32[N]) { y = x; }
fn b[N](x: f32[N]) -> f32[N] { y = x; }
fn c[N](f32[N] x) -> (y: f32[N]) { y = x; }
fn d[N](float x) -> (y: f32[N]) { y = x; }
fn e[N](x: f32[N]) -> (y: f32[N]) {
    y[0] = x[0];
    t: f32[N] = x;
    float u = 2.0;
    v := x;
    print(x);
    (p, q) = split(x, 2);
    r = grad(a)(x);
    s = sum(x, axis = (0, 1));
    w = x[::-1];
    z = x[::2];
    f = torch.exp(x);
    g = x * np.pi;
    h = x.to(bf16);
    i = x @ x.mT;
    j = x // 2;
}
// ---- expect
// other_habits.fx:3:1: error: expected 'fn', 'const' or 'import', found 'scale'
//   scale = 3;
//   ^~~~~
// other_habits.fx:3:1: note: between functions, write 'const scale = ..;' for a number
//   scale = 3;
//   ^~~~~
// other_habits.fx:4:13: error: expected '=', found 'pi'
//   const float pi = 3.14;
//               ^~
// other_habits.fx:4:13: note: a const has no type: 'const name = 3;'
//   const float pi = 3.14;
//               ^~
// other_habits.fx:5:5: error: expected ',', '=', '(' or '[', found '<'
//   fn a<N>(x: f32[N]) -> (y: f32[N]) { y = x; }
//       ^
// other_habits.fx:5:5: note: dims are in brackets, as in 'f32[N]'
//   fn a<N>(x: f32[N]) -> (y: f32[N]) { y = x; }
//       ^
// other_habits.fx:6:23: error: expected '(', found 'f32'
//   fn b[N](x: f32[N]) -> f32[N] { y = x; }
//                         ^~~
// other_habits.fx:6:23: note: outputs have names: '-> (y: f32[N])'
//   fn b[N](x: f32[N]) -> f32[N] { y = x; }
//                         ^~~
// other_habits.fx:7:12: error: expected ':', found '['
//   fn c[N](f32[N] x) -> (y: f32[N]) { y = x; }
//              ^
// other_habits.fx:7:12: note: the name comes before the type: 'x: f32[N]'
//   fn c[N](f32[N] x) -> (y: f32[N]) { y = x; }
//              ^
// other_habits.fx:8:15: error: expected ':', found 'x'
//   fn d[N](float x) -> (y: f32[N]) { y = x; }
//                 ^
// other_habits.fx:8:15: note: the name comes before the type: 'x: f32[N]'
//   fn d[N](float x) -> (y: f32[N]) { y = x; }
//                 ^
// other_habits.fx:10:6: error: expected ',' or '=', found '['
//       y[0] = x[0];
//        ^
// other_habits.fx:10:6: note: elements are not assigned: 'where', 'concat' and 'scatter' make tensors
//       y[0] = x[0];
//        ^
// other_habits.fx:11:6: error: expected ',' or '=', found ':'
//       t: f32[N] = x;
//        ^
// other_habits.fx:11:6: note: write 'name = value;': types follow from values
//       t: f32[N] = x;
//        ^
// other_habits.fx:12:11: error: expected ',' or '=', found 'u'
//       float u = 2.0;
//             ^
// other_habits.fx:12:11: note: a statement is 'name = value;'
//       float u = 2.0;
//             ^
// other_habits.fx:13:7: error: expected ',' or '=', found ':'
//       v := x;
//         ^
// other_habits.fx:13:7: note: write 'name = value;': types follow from values
//       v := x;
//         ^
// other_habits.fx:14:10: error: expected ',' or '=', found '('
//       print(x);
//            ^
// other_habits.fx:14:10: note: a statement is 'name = value;'
//       print(x);
//            ^
// other_habits.fx:15:5: error: expected '}' or a statement, found '('
//       (p, q) = split(x, 2);
//       ^
// other_habits.fx:15:5: note: names before '=' have no parentheses: 'a, b = ..;'
//       (p, q) = split(x, 2);
//       ^
// other_habits.fx:16:16: error: expected ';' or an operator, found '('
//       r = grad(a)(x);
//                  ^
// other_habits.fx:16:16: note: only names are called; 'fn g = grad(f);' derives a function
//       r = grad(a)(x);
//                  ^
// other_habits.fx:17:25: error: expected ')' or an operator, found ','
//       s = sum(x, axis = (0, 1));
//                           ^
// other_habits.fx:17:25: note: there are no tuples: a list is '[0, 1]'
//       s = sum(x, axis = (0, 1));
//                           ^
// other_habits.fx:18:12: error: slices have no steps: 'flip(x, axis = 0)' reverses an axis
//       w = x[::-1];
//              ^
// other_habits.fx:19:12: error: slices have no steps: 'reshape(x, N / 2, 2)[:, 0]' is every second of N
//       z = x[::2];
//              ^
// other_habits.fx:20:9: error: there are no modules: write 'exp' without 'torch.'
//       f = torch.exp(x);
//           ^~~~~
// other_habits.fx:21:13: error: there are no modules: write 'const pi = 3.141592653589793;'
//       g = x * np.pi;
//               ^~
// other_habits.fx:22:11: error: 'to' cannot follow '.', only 'T' can: write 'x as f32', or another type
//       h = x.to(bf16);
//             ^~
// other_habits.fx:23:15: error: 'mT' cannot follow '.', only 'T' can: write 'x.T', which swaps the last two axes
//       i = x @ x.mT;
//                 ^~
// other_habits.fx:24:10: error: expected ';' before '}'
//       j = x // 2;
//            ^
// other_habits.fx:24:11: note: '//' starts a comment: integers divide by '/'
//       j = x // 2;
//             ^~
