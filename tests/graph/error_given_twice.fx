// run: fusec %s --emit=graph
// exit: 1
const scale = 2.0;
fn f[N, N](x: f32[N], N: f32) -> (y: f32[N], x: f32[N]) {
    t = x * 2;
    t = x * 3;
    scale = 4;
    N = 5;
    y = x;
    y = t;
}
// ---- expect
// error_given_twice.fx:4:9: error: 'N' is already a dim: names are defined once
//   fn f[N, N](x: f32[N], N: f32) -> (y: f32[N], x: f32[N]) {
//           ^
// error_given_twice.fx:4:6: note: it is defined here
//   fn f[N, N](x: f32[N], N: f32) -> (y: f32[N], x: f32[N]) {
//        ^
// error_given_twice.fx:4:23: error: 'N' is already a dim: names are defined once
//   fn f[N, N](x: f32[N], N: f32) -> (y: f32[N], x: f32[N]) {
//                         ^
// error_given_twice.fx:4:6: note: it is defined here
//   fn f[N, N](x: f32[N], N: f32) -> (y: f32[N], x: f32[N]) {
//        ^
// error_given_twice.fx:4:46: error: 'x' is already an input: names are defined once
//   fn f[N, N](x: f32[N], N: f32) -> (y: f32[N], x: f32[N]) {
//                                                ^
// error_given_twice.fx:4:12: note: it is defined here
//   fn f[N, N](x: f32[N], N: f32) -> (y: f32[N], x: f32[N]) {
//              ^
// error_given_twice.fx:6:5: error: 't' is already defined: names are defined once
//       t = x * 3;
//       ^
// error_given_twice.fx:5:5: note: it is defined here
//       t = x * 2;
//       ^
// error_given_twice.fx:7:5: error: 'scale' is already a constant: names are defined once
//       scale = 4;
//       ^~~~~
// error_given_twice.fx:3:7: note: it is defined here
//   const scale = 2.0;
//         ^~~~~
// error_given_twice.fx:8:5: error: 'N' is already a dim: names are defined once
//       N = 5;
//       ^
// error_given_twice.fx:4:6: note: it is defined here
//   fn f[N, N](x: f32[N], N: f32) -> (y: f32[N], x: f32[N]) {
//        ^
// error_given_twice.fx:10:5: error: the output 'y' is already assigned: names are defined once
//       y = t;
//       ^
// error_given_twice.fx:9:5: note: it is assigned here
//       y = x;
//       ^
