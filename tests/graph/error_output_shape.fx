// run: fusec %s --emit=graph
// exit: 1
fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], z: f32[N, D], w: f32[N], s: f32) {
    y = b;
    z = 0.0;
    w = x;
    s = b;
}
// ---- expect
// error_output_shape.fx:4:9: error: the output 'y' is f32[N, D], and the value is f32[D]: 'broadcast(.., N, D)' repeats it
//       y = b;
//           ^
// error_output_shape.fx:3:41: note: it is declared here
//   fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], z: f32[N, D], w: f32[N], s: f32) {
//                                           ^
// error_output_shape.fx:5:9: error: the output 'z' is f32[N, D], and the value is the number 0.0: 'full(.., N, D)' repeats it
//       z = 0.0;
//           ^~~
// error_output_shape.fx:3:55: note: it is declared here
//   fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], z: f32[N, D], w: f32[N], s: f32) {
//                                                         ^
// error_output_shape.fx:6:9: error: the output 'w' is f32[N], and the value is f32[N, D]
//       w = x;
//           ^
// error_output_shape.fx:3:69: note: it is declared here
//   fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], z: f32[N, D], w: f32[N], s: f32) {
//                                                                       ^
// error_output_shape.fx:7:9: error: the output 's' is f32, and the value is f32[D]
//       s = b;
//           ^
// error_output_shape.fx:3:80: note: it is declared here
//   fn f[N, D](x: f32[N, D], b: f32[D]) -> (y: f32[N, D], z: f32[N, D], w: f32[N], s: f32) {
//                                                                                  ^
