// run: fusec %s --emit=graph
// exit: 1
fn a(x: f32[N]) -> (y: f32) { y = sum(x); }
fn b[N](x: Tensor, z: float8_e5m2[N]) -> (y: u32[N]) { y = x; }
fn c[N](x: f32[N], m: bool[N]) -> (y: f32[N]) {
    d = sum(x, dim = 0, keepdim = true);
    e = clamp(x, min = 0, max = 1);
    f = x * pi;
    g = x[m];
    h = x * [1, 2];
    i = einsum("...i->...", x);
    y = x;
}
fn j[N, D](x: f32[N, D], t: f32[N, D]) -> (y: f32, z: f32) {
    y = 0.5 * mean((x - t) ** 2);
    z = sum(logsumexp(x, axis = [0, 1], keep = true));
}
// ---- expect
// error_habits.fx:3:13: error: nothing is called 'N': dims are declared behind the function's name, as in 'fn f[N](..)'
//   fn a(x: f32[N]) -> (y: f32) { y = sum(x); }
//               ^
// error_habits.fx:4:12: error: no type is called 'Tensor': there are bool u8 i8 i32 i64 f8e4m3 f8e5m2 bf16 f16 f32 f64
//   fn b[N](x: Tensor, z: float8_e5m2[N]) -> (y: u32[N]) { y = x; }
//              ^~~~~~
// error_habits.fx:4:23: error: no type is called 'float8_e5m2'; did you mean 'f8e5m2'?
//   fn b[N](x: Tensor, z: float8_e5m2[N]) -> (y: u32[N]) { y = x; }
//                         ^~~~~~~~~~~
// error_habits.fx:4:46: error: no type is called 'u32': there are bool u8 i8 i32 i64 f8e4m3 f8e5m2 bf16 f16 f32 f64
//   fn b[N](x: Tensor, z: float8_e5m2[N]) -> (y: u32[N]) { y = x; }
//                                                ^~~
// error_habits.fx:6:16: error: 'sum' has no argument 'dim'; did you mean 'axis'?
//       d = sum(x, dim = 0, keepdim = true);
//                  ^~~
// error_habits.fx:6:9: note: it is 'sum(x, axis = -1, keep = false)'
//       d = sum(x, dim = 0, keepdim = true);
//           ^~~
// error_habits.fx:7:18: error: 'clamp' has no argument 'min'; did you mean 'lo'?
//       e = clamp(x, min = 0, max = 1);
//                    ^~~
// error_habits.fx:7:9: note: it is 'clamp(x, lo, hi)'
//       e = clamp(x, min = 0, max = 1);
//           ^~~~~
// error_habits.fx:8:13: error: nothing is called 'pi': write 'const pi = 3.141592653589793;'
//       f = x * pi;
//               ^~
// error_habits.fx:9:11: error: an index is an integer or a dim, and this is bool[N]: 'where(mask, x, 0)' keeps the shape
//       g = x[m];
//             ^
// error_habits.fx:10:13: error: a list is allowed only after 'axis =': a tensor of numbers is an input
//       h = x * [1, 2];
//               ^~~~~~
// error_habits.fx:11:17: error: an einsum has no '...': give every axis a letter
//       i = einsum("...i->...", x);
//                   ^
// error_habits.fx:15:9: error: the output 'y' is f32, and the value is f32[N]
//       y = 0.5 * mean((x - t) ** 2);
//           ^~~~~~~~~~~~~~~~~~~~~~~~
// error_habits.fx:14:44: note: it is declared here
//   fn j[N, D](x: f32[N, D], t: f32[N, D]) -> (y: f32, z: f32) {
//                                              ^
// error_habits.fx:15:15: note: this reduces the last axis only: 'axis = [0, 1]' is all
//       y = 0.5 * mean((x - t) ** 2);
//                 ^~~~~~~~~~~~~~~~~~
// error_habits.fx:16:9: error: the output 'z' is f32, and the value is f32[1]
//       z = sum(logsumexp(x, axis = [0, 1], keep = true));
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// error_habits.fx:14:52: note: it is declared here
//   fn j[N, D](x: f32[N, D], t: f32[N, D]) -> (y: f32, z: f32) {
//                                                      ^
// error_habits.fx:16:9: note: this reduces the last axis only: 'axis = [0, 1]' is all
//       z = sum(logsumexp(x, axis = [0, 1], keep = true));
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
