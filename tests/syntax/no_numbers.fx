// run: fusec %s --emit=ast
// exit: 1
fn f(x: f32[N]) -> (y: f32[N]) {
    a = 12abc + 1;
    b = 1.0f;
    bb = 8UL;
    c = 0x;
    d = 1e;
    e = 3.T;
    f = 1e999;
    y = 1.2.3;
}
// ---- expect
// no_numbers.fx:4:9: error: '12abc' is not a number
//       a = 12abc + 1;
//           ^~~~~
// no_numbers.fx:5:9: error: '1.0f' is not a number: numbers have no suffix
//       b = 1.0f;
//           ^~~~
// no_numbers.fx:6:10: error: '8UL' is not a number: numbers have no suffix
//       bb = 8UL;
//            ^~~
// no_numbers.fx:7:9: error: '0x' is not a number
//       c = 0x;
//           ^~
// no_numbers.fx:8:9: error: '1e' is not a number
//       d = 1e;
//           ^~
// no_numbers.fx:9:9: error: '3.T' is not a number
//       e = 3.T;
//           ^~~
// no_numbers.fx:10:9: error: 1e999 does not fit in f64: infinity is 'inf'
//       f = 1e999;
//           ^~~~~
// no_numbers.fx:11:12: error: expected ';' or an operator, found '.3'
//       y = 1.2.3;
//              ^~
