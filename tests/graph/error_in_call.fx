// run: fusec %s --emit=graph
// exit: 1
fn inner[N, W](x: f32[N]) -> (y: f32[N]) {
    assert N % W == 0;
    first = x[:3];
    y = x + sum(first);
}
fn ratio[N](x: f32[N], y: f32[N / 4]) -> (z: f32[N]) { z = x * sum(y); }
fn ratios(x: f32[6], y: f32[2]) -> (z: f32[6]) { z = ratio(x, y); }
fn outer[N](x: f32[N]) -> (y: f32[N]) { y = inner(x, W = 4); }
fn f(x: f32[2], z: f32[6]) -> (y: f32[2], w: f32[6]) {
    y = outer(x);
    w = outer(z);
}
// ---- expect
// error_in_call.fx:8:31: error: 6 / 4 is not a whole number: integers and dims divide exactly, '6.0 / 4' is a fraction
//   fn ratio[N](x: f32[N], y: f32[N / 4]) -> (z: f32[N]) { z = x * sum(y); }
//                                 ^~~~~
// error_in_call.fx:9:54: note: in this call of 'ratio'
//   fn ratios(x: f32[6], y: f32[2]) -> (z: f32[6]) { z = ratio(x, y); }
//                                                        ^~~~~~~~~~~
// error_in_call.fx:4:12: error: this assert is false: left is 2 and right is 0
//       assert N % W == 0;
//              ^~~~~~~~~~
// error_in_call.fx:10:45: note: in this call of 'inner'
//   fn outer[N](x: f32[N]) -> (y: f32[N]) { y = inner(x, W = 4); }
//                                               ^~~~~~~~~~~~~~~
// error_in_call.fx:12:9: note: in this call of 'outer'
//       y = outer(x);
//           ^~~~~~~~
// error_in_call.fx:4:12: error: this assert is false: left is 2 and right is 0
//       assert N % W == 0;
//              ^~~~~~~~~~
// error_in_call.fx:10:45: note: in this call of 'inner'
//   fn outer[N](x: f32[N]) -> (y: f32[N]) { y = inner(x, W = 4); }
//                                               ^~~~~~~~~~~~~~~
// error_in_call.fx:13:9: note: in this call of 'outer'
//       w = outer(z);
//           ^~~~~~~~
