// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = x + 1
    b = a * 2;
    c = (a + b) // and a comment
}
const d = 3
fn g() -> (y: f32) { y = 1; }
const e = 4
// ---- expect
// missing_semicolon.fx:4:14: error: expected ';' before 'b'
//       a = x + 1
//                ^
// missing_semicolon.fx:6:16: error: expected ';' before '}'
//       c = (a + b) // and a comment
//                  ^
// missing_semicolon.fx:8:12: error: expected ';' before the keyword 'fn'
//   const d = 3
//              ^
// missing_semicolon.fx:10:12: error: expected ';' before the end of the file
//   const e = 4
//              ^
