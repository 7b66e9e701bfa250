// run: fusec %s --emit=ast
// exit: 1
@ fn f() -> (y: f32) { y = 1; }
@max_kernels(2 fn g() -> (y: f32) { y = 1; }
@max_kernels 2 fn h() -> (y: f32) { y = 1; }
@strict const a = 1;
@strict import "ops.h";
@strict
// ---- expect
// attributes.fx:3:3: error: expected a name, found the keyword 'fn'
//   @ fn f() -> (y: f32) { y = 1; }
//     ^~
// attributes.fx:4:16: error: expected ',', ')' or an operator, found the keyword 'fn'
//   @max_kernels(2 fn g() -> (y: f32) { y = 1; }
//                  ^~
// attributes.fx:5:14: error: expected 'fn', '@' or '(', found '2'
//   @max_kernels 2 fn h() -> (y: f32) { y = 1; }
//                ^
// attributes.fx:6:9: error: expected 'fn', '@' or '(', found the keyword 'const'
//   @strict const a = 1;
//           ^~~~~
// attributes.fx:7:9: error: expected 'fn', '@' or '(', found the keyword 'import'
//   @strict import "ops.h";
//           ^~~~~~
// attributes.fx:9:1: error: expected 'fn', '@' or '(', found the end of the file
