// run: fusec %s --emit=graph -D M=4 -D n=8 -D k=3 -D N=0
// exit: 1
const k = 2;
fn g[M](x: f32[M]) -> (y: f32[M]) { y = k * x; }
fn f[N](x: f32[N]) -> (y: f32[N]) { y = g(x); }
// ---- expect
// fusec: error: dim M=4: no function to be compiled has a dim of that name
// fusec: error: dim n=8: no function to be compiled has a dim of that name; did you mean 'N'?
// fusec: error: dim k=3: no function to be compiled has a dim of that name; it is a constant of the file
// fusec: error: dim N=0: a dim is at least 1
