// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N], z: f32[N]) {
    y = x;
}
// ---- expect
// error_output_missing.fx:3:35: error: the output 'z' is never assigned
//   fn f[N](x: f32[N]) -> (y: f32[N], z: f32[N]) {
//                                     ^
