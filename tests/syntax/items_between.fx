// run: fusec %s --emit=ast
// exit: 1
y = x @ w;
}
const a 3;
import b;
const b = 4;
fn g(x: f32) -> (y: f32) { y = x; };
const c = ;
@one
const d = 1;
fn h = 3;
fn i = vjp(f
fn j() -> (y: f32) { y = / 1; }
junk
// ---- expect
// items_between.fx:3:1: error: expected 'fn', 'const' or 'import', found 'y'
//   y = x @ w;
//   ^
// items_between.fx:3:1: note: between functions, write 'const y = ..;' for a number
//   y = x @ w;
//   ^
// items_between.fx:5:9: error: expected '=', found '3'
//   const a 3;
//           ^
// items_between.fx:6:8: error: expected a string, found 'b'
//   import b;
//          ^
// items_between.fx:8:36: error: expected 'fn', 'const' or 'import', found ';'
//   fn g(x: f32) -> (y: f32) { y = x; };
//                                      ^
// items_between.fx:9:11: error: expected an expression, found ';'
//   const c = ;
//             ^
// items_between.fx:12:8: error: expected a name, found '3'
//   fn h = 3;
//          ^
// items_between.fx:14:1: error: expected ',', ')' or an operator, found the keyword 'fn'
//   fn j() -> (y: f32) { y = / 1; }
//   ^~
// items_between.fx:14:26: error: expected an expression, found '/'
//   fn j() -> (y: f32) { y = / 1; }
//                            ^
// items_between.fx:15:1: error: expected 'fn', 'const' or 'import', found 'junk'
//   junk
//   ^~~~
