// run: fusec %s --emit=graph
// exit: 1
const epsilon = 1e-5;
fn f[N, hidden](weight: f32[N], b: f32[N, hiden]) -> (y: f32[N], z: f32[N], s: bool, n: f32) {
    scaled = weight * 2.0;
    y = wieght + scalde;
    z = scaled + epsilom;
    s = True;
    n = foo + weight;
}
// ---- expect
// error_unknown_name.fx:4:43: error: nothing is called 'hiden'; did you mean 'hidden'?
//   fn f[N, hidden](weight: f32[N], b: f32[N, hiden]) -> (y: f32[N], z: f32[N], s: bool, n: f32) {
//                                             ^~~~~
// error_unknown_name.fx:6:9: error: nothing is called 'wieght'; did you mean 'weight'?
//       y = wieght + scalde;
//           ^~~~~~
// error_unknown_name.fx:6:18: error: nothing is called 'scalde'; did you mean 'scaled'?
//       y = wieght + scalde;
//                    ^~~~~~
// error_unknown_name.fx:7:18: error: nothing is called 'epsilom'; did you mean 'epsilon'?
//       z = scaled + epsilom;
//                    ^~~~~~~
// error_unknown_name.fx:8:9: error: nothing is called 'True'; did you mean 'true'?
//       s = True;
//           ^~~~
// error_unknown_name.fx:9:9: error: nothing is called 'foo'
//       n = foo + weight;
//           ^~~
