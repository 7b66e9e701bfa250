// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    y = x;

fn g(x: f32) -> (y: f32) {
    y = ;
}
// ---- expect
// missing_brace.fx:6:1: error: expected '}' or a statement, found the keyword 'fn'
//   fn g(x: f32) -> (y: f32) {
//   ^~
// missing_brace.fx:3:32: note: this '{' is not closed
//   fn f(x: f32[N]) -> (y: f32[N]) {
//                                  ^
