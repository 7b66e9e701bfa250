// run: fusec %s --emit=graph
// exit: 1
fn f[N, D](x: f32[N, D], i: i32[N], k: i32[N, D], h: f32[D], b: bool[N, D]) -> (y: f32[N, D]) {
    a = scatter(x, i, h);
    c = scatter(x, x, x);
    d = scatter(x, i, x, with = mean);
    e = scatter(x, i, x, axis = 2);
    g = scatter(x, i, k);
    j = scatter(b, i, b);
    l = scatter(x, i, x, axis = 1);
    m = scatter(x, i, with = 3);
    n = scatter(3, i, x);
    y = x;
}
fn many(x: f32[8], i: i32[50000, 50000]) -> (y: f32[8]) { y = scatter(x, i, 1.0); }
// ---- expect
// error_scatter.fx:4:23: error: 'x' has the shape that 'take' would give, [N, D], and this is f32[D]
//       a = scatter(x, i, h);
//                         ^
// error_scatter.fx:5:20: error: 'indices' are integers, and this is f32[N, D]
//       c = scatter(x, x, x);
//                      ^
// error_scatter.fx:6:33: error: 'with' is add, max, min or set
//       d = scatter(x, i, x, with = mean);
//                                   ^~~~
// error_scatter.fx:7:33: error: there is no axis 2: the tensor has axes 0 to 1, or -2 to -1
//       e = scatter(x, i, x, axis = 2);
//                                   ^
// error_scatter.fx:8:9: error: f32[N, D] and i32[N, D] do not mix: convert one with 'as'
//       g = scatter(x, i, k);
//           ^~~~~~~~~~~~~~~~
// error_scatter.fx:8:23: note: this is i32[N, D]: write 'as f32' after it for a float
//       g = scatter(x, i, k);
//                         ^
// error_scatter.fx:8:17: note: this is f32[N, D]
//       g = scatter(x, i, k);
//                   ^
// error_scatter.fx:9:23: error: bool[N, D] is not a number: write 'as i32' or 'as f32', or use 'where'
//       j = scatter(b, i, b);
//                         ^
// error_scatter.fx:10:23: error: 'x' has the shape that 'take' would give, [N, N], and this is f32[N, D]
//       l = scatter(x, i, x, axis = 1);
//                         ^
// error_scatter.fx:11:9: error: 'scatter' needs the argument 'x'
//       m = scatter(x, i, with = 3);
//           ^~~~~~~~~~~~~~~~~~~~~~~
// error_scatter.fx:11:9: note: it is 'scatter(base, indices, x, axis = 0, with = add)'
//       m = scatter(x, i, with = 3);
//           ^~~~~~~
// error_scatter.fx:12:9: error: i32 and f32[N, D] do not mix: convert one with 'as'
//       n = scatter(3, i, x);
//           ^~~~~~~~~~~~~~~~
// error_scatter.fx:12:17: note: this is i32: write 'as f32' after it for a float
//       n = scatter(3, i, x);
//                   ^
// error_scatter.fx:12:23: note: this is f32[N, D]
//       n = scatter(3, i, x);
//                         ^
// error_scatter.fx:15:63: error: scatter counts in i32, and 2500000009 elements are too many
//   fn many(x: f32[8], i: i32[50000, 50000]) -> (y: f32[8]) { y = scatter(x, i, 1.0); }
//                                                                 ^~~~~~~~~~~~~~~~~~
