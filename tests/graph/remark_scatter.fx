// run: fusec %s -o /dev/null --target=c -Wperf
fn count[N, V](x: f32[N, 4], at: i32[N, 4], few: i32[100]) -> (y: f32[V], z: i32[V]) {
    y = scatter(full(0.0, V), at, x);
    z = scatter(full(0, V), few, 1);
}
fn twice[N](at: i32[N, 4]) -> (y: f32[9], z: i32[9]) {
    y, z = count(full(1.0, N, 4), at, full(0, 100), V = 9);
}
// ---- expect
// remark_scatter.fx:3:9: remark: a scatter of 4*N indices compares each with each: where V is small, a sum over 'indices == iota(V)[:, None]' is faster
//       y = scatter(full(0.0, V), at, x);
//           ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
