// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = ;
    b = x + ;
    c = x @ * x;
    d = (x + 1;
    e = x x;
    f = sum(x, , 1);
    g = sum(x 1);
    h = sum(x)(1);
    i = ();
    j = [1, 2;
    k = x as 3;
    l = x as f32[N];
}
// ---- expect
// expressions.fx:4:9: error: expected an expression, found ';'
//       a = ;
//           ^
// expressions.fx:5:13: error: expected an expression, found ';'
//       b = x + ;
//               ^
// expressions.fx:6:13: error: expected an expression, found '*'
//       c = x @ * x;
//               ^
// expressions.fx:7:15: error: expected ')' or an operator, found ';'
//       d = (x + 1;
//                 ^
// expressions.fx:8:11: error: expected ';' or an operator, found 'x'
//       e = x x;
//             ^
// expressions.fx:9:16: error: expected ')' or an expression, found ','
//       f = sum(x, , 1);
//                  ^
// expressions.fx:10:15: error: expected ',', ')' or an operator, found '1'
//       g = sum(x 1);
//                 ^
// expressions.fx:11:15: error: expected ';' or an operator, found '('
//       h = sum(x)(1);
//                 ^
// expressions.fx:11:15: note: only names are called; 'fn g = grad(f);' derives a function
//       h = sum(x)(1);
//                 ^
// expressions.fx:12:10: error: expected an expression, found ')'
//       i = ();
//            ^
// expressions.fx:13:14: error: expected ',', ']' or an operator, found ';'
//       j = [1, 2;
//                ^
// expressions.fx:14:14: error: expected a name, found '3'
//       k = x as 3;
//                ^
// expressions.fx:15:17: error: expected ';' or an operator, found '['
//       l = x as f32[N];
//                   ^
