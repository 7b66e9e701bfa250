// run: fusec --limit errors=3 %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = ;
    b = ;
    c = ;
    d = ;
    e = sum(axis = 1, x);
}
// ---- expect
// many_errors.fx:4:9: error: expected an expression, found ';'
//       a = ;
//           ^
// many_errors.fx:5:9: error: expected an expression, found ';'
//       b = ;
//           ^
// many_errors.fx:6:9: error: expected an expression, found ';'
//       c = ;
//           ^
// fusec: error: too many errors: 5, of which the first 3 are shown
