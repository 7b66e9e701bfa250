// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: float32[N], y: bf61[N], z: f32[N, 1, 1, 1, 1, 1, 1, 1, 1]) -> (a: int[N], b: f32[N]) {
    a = 1;
    b = x as half;
}
// ---- expect
// error_type.fx:3:12: error: no type is called 'float32'; did you mean 'f32'?
//   fn f[N](x: float32[N], y: bf61[N], z: f32[N, 1, 1, 1, 1, 1, 1, 1, 1]) -> (a: int[N], b: f32[N]) {
//              ^~~~~~~
// error_type.fx:3:27: error: no type is called 'bf61'; did you mean 'bf16'?
//   fn f[N](x: float32[N], y: bf61[N], z: f32[N, 1, 1, 1, 1, 1, 1, 1, 1]) -> (a: int[N], b: f32[N]) {
//                             ^~~~
// error_type.fx:3:39: error: a tensor has at most 8 axes, and this would have 9
//   fn f[N](x: float32[N], y: bf61[N], z: f32[N, 1, 1, 1, 1, 1, 1, 1, 1]) -> (a: int[N], b: f32[N]) {
//                                         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// error_type.fx:3:78: error: no type is called 'int'; did you mean 'i32'?
//   fn f[N](x: float32[N], y: bf61[N], z: f32[N, 1, 1, 1, 1, 1, 1, 1, 1]) -> (a: int[N], b: f32[N]) {
//                                                                                ^~~
// error_type.fx:5:14: error: no type is called 'half'; did you mean 'f16'?
//       b = x as half;
//                ^~~~
