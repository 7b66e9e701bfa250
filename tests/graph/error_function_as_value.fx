// run: fusec %s --emit=graph
// exit: 1
fn twice[N](x: f32[N]) -> (y: f32[N]) { y = 2 * x; }
fn f[N](x: f32[N]) -> (y: f32[N], z: f32[N]) {
    y = x + relu;
    z = twice + x;
}
// ---- expect
// error_function_as_value.fx:5:13: error: 'relu' is a function: call it, as in 'relu(..)'
//       y = x + relu;
//               ^~~~
// error_function_as_value.fx:6:9: error: 'twice' is a function: call it, as in 'twice(..)'
//       z = twice + x;
//           ^~~~~
