// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    y = x;
// ---- expect
// missing_brace_at_end.fx:5:1: error: expected '}' or a statement, found the end of the file
// missing_brace_at_end.fx:3:32: note: this '{' is not closed
//   fn f(x: f32[N]) -> (y: f32[N]) {
//                                  ^
