// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N, N]) -> (a: f32[N], b: f32[N], c: f32[N, N]) {
    a = sum(x, axis = N);
    b = sum(x, axis = 1.0);
    c, d = split(x, N);
}
// ---- expect
// error_constant_integer.fx:4:23: error: this is the dim N, and a constant integer is needed
//       a = sum(x, axis = N);
//                         ^
// error_constant_integer.fx:5:23: error: this is the number 1.0, and a constant integer is needed
//       b = sum(x, axis = 1.0);
//                         ^~~
// error_constant_integer.fx:6:21: error: this is the dim N, and a constant integer is needed
//       c, d = split(x, N);
//                       ^
