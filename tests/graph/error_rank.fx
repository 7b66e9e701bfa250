// run: fusec %s --emit=graph
// exit: 1
fn f[N](x: f32[N, 1, 1, 1, 1, 1, 1, 1], i: i32[N, N]) -> (y: f32[N]) {
    a = x[None];
    b = take(x, i);
    c = reshape(x, N, 1, 1, 1, 1, 1, 1, 1, 1);
    d = einsum("abcdefgh,i->abcdefghi", x, i[0] as f32);
    e = full(0.0, N, 1, 1, 1, 1, 1, 1, 1, 1);
    y = x[:, 0, 0, 0, 0, 0, 0, 0];
}
// ---- expect
// error_rank.fx:4:9: error: a tensor has at most 8 axes, and this would have 9
//       a = x[None];
//           ^~~~~~~
// error_rank.fx:5:9: error: a tensor has at most 8 axes, and this would have 9
//       b = take(x, i);
//           ^~~~~~~~~~
// error_rank.fx:6:9: error: a tensor has at most 8 axes, and this would have 9
//       c = reshape(x, N, 1, 1, 1, 1, 1, 1, 1, 1);
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// error_rank.fx:7:37: error: a tensor has at most 8 axes
//       d = einsum("abcdefgh,i->abcdefghi", x, i[0] as f32);
//                                       ^
// error_rank.fx:8:9: error: a tensor has at most 8 axes, and this would have 9
//       e = full(0.0, N, 1, 1, 1, 1, 1, 1, 1, 1);
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
