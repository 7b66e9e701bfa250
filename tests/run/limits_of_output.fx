// Limits on what comes out: each is kept by one run and exceeded by another.
// run: fusec %s -O0 --limit kernels=2 --emit=plan
// exit: 1
// run: fusec %s -O0 --limit kernels=3 -o %t.c
// run: fusec %s --limit emitted_bytes=400 -o %t.c
// exit: 1
// run: fusec %s --limit emitted_bytes=400000 -o %t.c
// run: fusec %s --limit elements=59 -D N=60 -o %t.c
// exit: 1
// run: fusec %s --limit elements=60 -D N=60 -o %t.c
// run: fusec %s --limit nodes=3 -o %t.c
// exit: 1
// run: fusec %s --limit nodes=5 -o %t.c
fn f[N](x: f32[N]) -> (y: f32[N]) {
    y = tanh(exp(x) * x);
}
// ---- expect
// limits_of_output.fx:14:4: error: f needs 3 kernels ('--limit kernels=N' allows more than 2)
//   fn f[N](x: f32[N]) -> (y: f32[N]) {
//      ^
// fusec: error: the source has more than 400 bytes (--limit emitted_bytes)
// limits_of_output.fx:14:9: error: f32[60] has more than 59 elements (--limit elements)
//   fn f[N](x: f32[N]) -> (y: f32[N]) {
//           ^~~~~~~~~
// limits_of_output.fx:15:14: error: 'f' needs more than 3 operations (--limit nodes)
//       y = tanh(exp(x) * x);
//                ^~~~~~~~~~
