// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N, 8], i: i32) -> (y: f32[N, 8]) {
    a = x[0, 8];
    b = x[0, -9];
    c = x[0, 4:9];
    d = x[0, 4:4];
    e = x[0, -2:3];
    g = x[i];
    h = x[0.5];
    j = x[..., 0, ...];
    k = x[0, 0, 0];
    l = x[N];
    m = x[N - 1, :-9];
    n = x[1 > 2];
    y = x;
}
// ---- expect
// error_index.fx:4:14: error: this is out of range: axis 1 of f32[N, 8] has 8 elements
//       a = x[0, 8];
//                ^
// error_index.fx:5:14: error: this is out of range: axis 1 of f32[N, 8] has 8 elements
//       b = x[0, -9];
//                ^~
// error_index.fx:6:14: error: this is out of range: axis 1 of f32[N, 8] has 8 elements
//       c = x[0, 4:9];
//                ^~~
// error_index.fx:7:14: error: this slice is empty: from 4 to 4 of 8 elements
//       d = x[0, 4:4];
//                ^~~
// error_index.fx:8:14: error: this slice is empty: from 6 to 3 of 8 elements
//       e = x[0, -2:3];
//                ^~~~
// error_index.fx:9:11: error: an index is an integer or a dim, and this is i32: 'take(x, indices, axis = 0)' reads at computed indices
//       g = x[i];
//             ^
// error_index.fx:10:11: error: an index is an integer or a dim, and this is the number 0.5: 'take(x, indices, axis = 0)' reads at computed indices
//       h = x[0.5];
//             ^~~
// error_index.fx:11:19: error: '...' can stand only once in an index
//       j = x[..., 0, ...];
//                     ^~~
// error_index.fx:12:9: error: 3 indices for 2 axes: this is f32[N, 8]
//       k = x[0, 0, 0];
//           ^~~~~~~~~~
// error_index.fx:13:11: error: this is out of range: axis 0 of f32[N, 8] has N elements
//       l = x[N];
//             ^
// error_index.fx:14:17: error: this is out of range: axis 1 of f32[N, 8] has 8 elements
//       m = x[N - 1, :-9];
//                   ^~~~
// error_index.fx:15:11: error: an index is an integer or a dim, and this is bool: 'where(mask, x, 0)' keeps the shape
//       n = x[1 > 2];
//             ^~~~~
