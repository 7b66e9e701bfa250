// run: fusec %s --keep %t -o /dev/null
// run: ls %t
// run: cat %t/keep.kernel
// run: fusec broken.fx --keep %t2
// exit: 3
fn f[N](x: f32[N]) -> (y: f32[N]) { y = exp(x); }
// ---- expect
