// run: fusec %s --emit=graph
// exit: 1
fn f[D](x: f32[D]) -> (y: f32[D]) {
    a = x * (1 / 2);
    b = x * (1 / D);
    c = x * (D / 0);
    d = x * (D % 0);
    e = x * D ** -1;
    g = x * 2 ** D;
    h = x[:7 / 2];
    y = x;
}
// ---- expect
// error_division.fx:4:14: error: 1 / 2 is not a whole number: integers and dims divide exactly, '1.0 / 2' is a fraction
//       a = x * (1 / 2);
//                ^~~~~
// error_division.fx:5:14: error: 1 / D is not a whole number: integers and dims divide exactly, '1.0 / D' is a fraction
//       b = x * (1 / D);
//                ^~~~~
// error_division.fx:6:14: error: division of D by zero
//       c = x * (D / 0);
//                ^~~~~
// error_division.fx:7:14: error: remainder of D divided by zero
//       d = x * (D % 0);
//                ^~~~~
// error_division.fx:8:13: error: the power of an integer or dim needs a literal exponent of at least 0: write '1.0 * ..' for a float
//       e = x * D ** -1;
//               ^~~~~~~
// error_division.fx:9:13: error: the power of an integer or dim needs a literal exponent of at least 0: write '1.0 * ..' for a float
//       g = x * 2 ** D;
//               ^~~~~~
// error_division.fx:10:12: error: 7 / 2 is not a whole number: integers and dims divide exactly, '7.0 / 2' is a fraction
//       h = x[:7 / 2];
//              ^~~~~
