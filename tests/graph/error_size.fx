// run: fusec %s --emit=graph
// exit: 1
const half = 0.5;
fn f[N](x: f32[N], n: i32, bad: f32[half], worse: f32[0], z: f32[n])
    -> (a: f32[N], b: i32[N], c: i32[N], d: f32[N]) {
    a = reshape(x, 2.0, N);
    b = iota(n);
    c = iota(N - N);
    d = full(0.0, x);
}
// ---- expect
// error_size.fx:4:37: error: this is the number 0.5, and a size is needed: an integer, a dim, or a formula of them with '+ - * / %'
//   fn f[N](x: f32[N], n: i32, bad: f32[half], worse: f32[0], z: f32[n])
//                                       ^~~~
// error_size.fx:4:55: error: a size must be at least 1, and this is 0
//   fn f[N](x: f32[N], n: i32, bad: f32[half], worse: f32[0], z: f32[n])
//                                                         ^
// error_size.fx:4:66: error: this is i32, and a size is needed: an integer, a dim, or a formula of them with '+ - * / %'
//   fn f[N](x: f32[N], n: i32, bad: f32[half], worse: f32[0], z: f32[n])
//                                                                    ^
// error_size.fx:6:20: error: this is the number 2.0, and a size is needed: an integer, a dim, or a formula of them with '+ - * / %'
//       a = reshape(x, 2.0, N);
//                      ^~~
// error_size.fx:7:14: error: this is i32, and a size is needed: an integer, a dim, or a formula of them with '+ - * / %'
//       b = iota(n);
//                ^
// error_size.fx:8:14: error: a size must be at least 1, and this is 0
//       c = iota(N - N);
//                ^~~~~
// error_size.fx:9:19: error: this is f32[N], and a size is needed: an integer, a dim, or a formula of them with '+ - * / %'
//       d = full(0.0, x);
//                     ^
