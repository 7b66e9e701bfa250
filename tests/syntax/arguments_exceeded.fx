// run: fusec --limit arguments=2 %s --emit=ast
// exit: 1
fn f(x: f32, y: f32, z: f32) -> (a: f32, b: f32, c: f32) {
    a = f(x, y, z);
}
@g(1, 2, k = 3) fn h = vjp(f);
// ---- expect
// arguments_exceeded.fx:4:17: error: a call has more arguments than 2 ('--limit arguments=N' changes this)
//       a = f(x, y, z);
//                   ^
// arguments_exceeded.fx:3:22: error: a function has more inputs than 2 ('--limit arguments=N' changes this)
//   fn f(x: f32, y: f32, z: f32) -> (a: f32, b: f32, c: f32) {
//                        ^~~~~~
// arguments_exceeded.fx:3:50: error: a function has more outputs than 2 ('--limit arguments=N' changes this)
//   fn f(x: f32, y: f32, z: f32) -> (a: f32, b: f32, c: f32) {
//                                                    ^~~~~~
// arguments_exceeded.fx:6:10: error: an attribute has more arguments than 2 ('--limit arguments=N' changes this)
//   @g(1, 2, k = 3) fn h = vjp(f);
//            ^~~~~
