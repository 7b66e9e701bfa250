// run: fusec %s --emit=graph
// exit: 1
fn f[N, M](x: f32[N, 12]) -> (y: f32[N, 12]) {
    a = reshape(x, N, 3, 5);
    b = reshape(x, -1, -1);
    c = reshape(x[0], 5, -1);
    d = reshape(x, M, 12);
    e = reshape(x, 0, -1);
    y = x;
}
// ---- expect
// error_reshape.fx:4:9: error: f32[N, 12] has 12*N elements, and the new shape has 15*N
//       a = reshape(x, N, 3, 5);
//           ^~~~~~~~~~~~~~~~~~~
// error_reshape.fx:5:24: error: only one size can be -1
//       b = reshape(x, -1, -1);
//                          ^~
// error_reshape.fx:6:9: error: f32[12] has 12 elements, and the new shape has a multiple of 5
//       c = reshape(x[0], 5, -1);
//           ^~~~~~~~~~~~~~~~~~~~
// error_reshape.fx:7:9: error: f32[N, 12] has 12*N elements, and the new shape has 12*M
//       d = reshape(x, M, 12);
//           ^~~~~~~~~~~~~~~~~
// error_reshape.fx:8:20: error: a size must be at least 1, and this is 0
//       e = reshape(x, 0, -1);
//                      ^
