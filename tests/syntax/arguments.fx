// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = sum(axis = 1, x);
    b = f(1, a = 2, b = 3, 4, c = 5, 6);
    c = f(a = b = 1);
    y = f((a = 1));
}
@max(n = 1, 2) fn g() -> (y: f32) { y = 1; }
// ---- expect
// arguments.fx:4:23: error: an argument without a name follows one with a name
//       a = sum(axis = 1, x);
//                         ^
// arguments.fx:4:13: note: this is the one with a name
//       a = sum(axis = 1, x);
//               ^~~~~~~~
// arguments.fx:5:28: error: an argument without a name follows one with a name
//       b = f(1, a = 2, b = 3, 4, c = 5, 6);
//                              ^
// arguments.fx:5:21: note: this is the one with a name
//       b = f(1, a = 2, b = 3, 4, c = 5, 6);
//                       ^~~~~
// arguments.fx:6:17: error: expected ',', ')' or an operator, found '=': equality is '=='
//       c = f(a = b = 1);
//                   ^
// arguments.fx:7:14: error: expected ')' or an operator, found '=': equality is '=='
//       y = f((a = 1));
//                ^
// arguments.fx:9:13: error: an argument without a name follows one with a name
//   @max(n = 1, 2) fn g() -> (y: f32) { y = 1; }
//               ^
// arguments.fx:9:6: note: this is the one with a name
//   @max(n = 1, 2) fn g() -> (y: f32) { y = 1; }
//        ^~~~~
