// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N]) -> (y: f32[N], z: f32[N]) {
    y = x + z;
    z = y;
}
// ---- expect
// error_output_read.fx:4:13: error: the output 'z' is read before it is assigned
//       y = x + z;
//               ^
