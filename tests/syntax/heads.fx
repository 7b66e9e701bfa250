// run: fusec %s --emit=ast
// exit: 1
fn a(x: f32[N] -> (y: f32) { y = ; }
fn b(x) -> (y: f32) { y = x; }
fn c(x: f32) (y: f32) { y = x; }
fn d(x: f32) -> () { y = x; }
fn e(x: f32) -> (y: f32) y = x;
fn f(x: f32[N) -> (y: f32) { y = x; }
fn g[4](x: f32) -> (y: f32) { y = x; }
fn (x: f32) -> (y: f32) { y = x; }
fn h(x: f32 y: f32) -> (z: f32) { z = x }
fn ok(x: f32) -> (y: f32) { y = x +; }
// ---- expect
// heads.fx:3:16: error: expected ',' or ')', found '->'
//   fn a(x: f32[N] -> (y: f32) { y = ; }
//                  ^~
// heads.fx:3:34: error: expected an expression, found ';'
//   fn a(x: f32[N] -> (y: f32) { y = ; }
//                                    ^
// heads.fx:4:7: error: expected ':', found ')'
//   fn b(x) -> (y: f32) { y = x; }
//         ^
// heads.fx:5:14: error: expected '->', found '('
//   fn c(x: f32) (y: f32) { y = x; }
//                ^
// heads.fx:6:18: error: expected a name, found ')'
//   fn d(x: f32) -> () { y = x; }
//                    ^
// heads.fx:7:26: error: expected '{', found 'y'
//   fn e(x: f32) -> (y: f32) y = x;
//                            ^
// heads.fx:8:14: error: expected ',', ']' or an operator, found ')'
//   fn f(x: f32[N) -> (y: f32) { y = x; }
//                ^
// heads.fx:9:6: error: expected ']' or a name, found '4'
//   fn g[4](x: f32) -> (y: f32) { y = x; }
//        ^
// heads.fx:10:4: error: expected a name, found '('
//   fn (x: f32) -> (y: f32) { y = x; }
//      ^
// heads.fx:11:13: error: expected ',', ')' or '[', found 'y'
//   fn h(x: f32 y: f32) -> (z: f32) { z = x }
//               ^
// heads.fx:11:40: error: expected ';' before '}'
//   fn h(x: f32 y: f32) -> (z: f32) { z = x }
//                                          ^
// heads.fx:12:36: error: expected an expression, found ';'
//   fn ok(x: f32) -> (y: f32) { y = x +; }
//                                      ^
