// run: fusec %s --emit=graph
// exit: 1
fn f[N, M](x: f32[N, M], v: f32[N]) -> (y: f32[N, M]) {
    a = broadcast(x, M);
    b = broadcast(v, N, M);
    c = full(v, N);
    y = x;
}
// ---- expect
// error_broadcast_to.fx:4:9: error: f32[N, M] does not broadcast to f32[M]
//       a = broadcast(x, M);
//           ^~~~~~~~~~~~~~~
// error_broadcast_to.fx:5:9: error: f32[N] does not broadcast to f32[N, M]
//       b = broadcast(v, N, M);
//           ^~~~~~~~~~~~~~~~~~
// error_broadcast_to.fx:6:14: error: 'full' repeats one number, and this is f32[N]: 'broadcast' repeats tensors
//       c = full(v, N);
//                ^
