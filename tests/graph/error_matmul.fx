// run: fusec %s --emit=graph
// exit: 1
fn f[B, C, M, N, K](x: f32[M, K], w: f32[N, K], a: f32[B, M, K], c: f32[C, K, N], i: i32[K, N],
                    s: f32, b: bool[K, N]) -> (y: f32[M, K]) {
    p = x @ w;
    q = a @ c;
    r = x @ i;
    t = x @ s;
    u = x @ b;
    v = 2 @ x;
    z = w @ x[0, 1:];
    y = x;
}
// ---- expect
// error_matmul.fx:5:9: error: f32[M, K] @ f32[N, K]: the last axis of the left and the last but one of the right are K and N
//       p = x @ w;
//           ^~~~~
// error_matmul.fx:5:13: note: did you mean its transpose, '.T'?
//       p = x @ w;
//               ^
// error_matmul.fx:6:9: error: f32[B, M, K] @ f32[C, K, N]: their batch axes are B and C
//       q = a @ c;
//           ^~~~~
// error_matmul.fx:7:9: error: f32[M, K] and i32[K, N] do not mix: convert one with 'as'
//       r = x @ i;
//           ^~~~~
// error_matmul.fx:7:13: note: this is i32[K, N]: write 'as f32' after it for a float
//       r = x @ i;
//               ^
// error_matmul.fx:7:9: note: this is f32[M, K]
//       r = x @ i;
//           ^
// error_matmul.fx:8:13: error: '@' needs at least one axis, and this is f32: '*' multiplies by a scalar
//       t = x @ s;
//               ^
// error_matmul.fx:9:13: error: bool[K, N] is not a number: write 'as i32' or 'as f32', or use 'where'
//       u = x @ b;
//               ^
// error_matmul.fx:10:9: error: '@' needs at least one axis, and this is the number 2: '*' multiplies by a scalar
//       v = 2 @ x;
//           ^
// error_matmul.fx:11:9: error: f32[N, K] @ f32[K - 1]: their last axes are K and K - 1
//       z = w @ x[0, 1:];
//           ^~~~~~~~~~~~
