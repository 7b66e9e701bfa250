// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    y;
    a, = x;
    , b = x;
    a + b = x;
    x[0] = 1;
    assert;
    assert x = 1;
    c = x = 1;
    d += 1;
    f(x);
    ;
}
// ---- expect
// statements.fx:4:6: error: expected ',' or '=', found ';'
//       y;
//        ^
// statements.fx:6:5: error: expected '}' or a statement, found ','
//       , b = x;
//       ^
// statements.fx:7:7: error: expected ',' or '=', found '+'
//       a + b = x;
//         ^
// statements.fx:8:6: error: expected ',' or '=', found '['
//       x[0] = 1;
//        ^
// statements.fx:8:6: note: elements are not assigned: 'where', 'concat' and 'scatter' make tensors
//       x[0] = 1;
//        ^
// statements.fx:9:11: error: expected an expression, found ';'
//       assert;
//             ^
// statements.fx:10:14: error: expected ';' or an operator, found '=': equality is '=='
//       assert x = 1;
//                ^
// statements.fx:11:11: error: expected ';' or an operator, found '=': equality is '=='
//       c = x = 1;
//             ^
// statements.fx:12:7: error: expected ',' or '=', found '+'
//       d += 1;
//         ^
// statements.fx:12:7: note: a name is given once: give the result another
//       d += 1;
//         ^~
// statements.fx:13:6: error: expected ',' or '=', found '('
//       f(x);
//        ^
// statements.fx:13:6: note: a statement is 'name = value;'
//       f(x);
//        ^
// statements.fx:14:5: error: expected '}' or a statement, found ';'
//       ;
//       ^
