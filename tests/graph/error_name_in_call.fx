// run: fusec %s
// exit: 1
fn unit(x: f32[D]) -> (y: f32[D]) { y = x / norm; }
fn f[N](x: f32[N]) -> (y: f32[N], z: f32[N]) {
    y = unit(x);
    z = unit(2 * x) + unit(y);
}
// ---- expect
// error_name_in_call.fx:3:16: error: nothing is called 'D': dims are declared behind the function's name, as in 'fn f[D](..)'
//   fn unit(x: f32[D]) -> (y: f32[D]) { y = x / norm; }
//                  ^
// error_name_in_call.fx:3:45: error: nothing is called 'norm'
//   fn unit(x: f32[D]) -> (y: f32[D]) { y = x / norm; }
//                                               ^~~~
