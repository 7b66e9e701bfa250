// run: fusec %s --limit calls=1 --fn a -o %t.c
// exit: 1
// run: fusec %s --limit calls=2 --fn a -o %t.c
// run: fusec %s --limit dim_terms=2 --fn a -o %t.c
// exit: 1
// run: fusec %s --limit dim_terms=3 --fn a -o %t.c
fn c[N](x: f32[N]) -> (y: f32[N]) { y = x + 1; }
fn b[N](x: f32[N]) -> (y: f32[N]) { y = c(x) * 2; }
fn a[N, M, K](x: f32[N + M + K], z: f32[N], u: f32[M]) -> (y: f32[N + M + K], v: f32[N], w: f32[M]) {
    y = b(x);
    v = z;
    w = u;
}
// ---- expect
// limits_of_calls.fx:9:4: error: calls nest more than 1 deep ('--limit calls=N' changes this)
//   fn a[N, M, K](x: f32[N + M + K], z: f32[N], u: f32[M]) -> (y: f32[N + M + K], v: f32[N], w: f32[M]) ...
//      ^
// limits_of_calls.fx:9:22: error: the value overflows 64 bits, or has more than 2 terms ('--limit dim_terms=N' changes this)
//   fn a[N, M, K](x: f32[N + M + K], z: f32[N], u: f32[M]) -> (y: f32[N + M + K], v: f32[N], w: f32[M]) ...
//                        ^~~~~~~~~
// limits_of_calls.fx:9:67: error: the value overflows 64 bits, or has more than 2 terms ('--limit dim_terms=N' changes this)
//   fn a[N, M, K](x: f32[N + M + K], z: f32[N], u: f32[M]) -> (y: f32[N + M + K], v: f32[N], w: f32[M]) ...
//                                                                     ^~~~~~~~~
