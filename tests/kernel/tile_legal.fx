// run: fusec %s --emit=tile --arch=sm_90a
// The legal tiles of a kernel, the chosen one first: of a product of few columns for each thread.
fn small[N](x: f64[N, 8], w: f64[8, 8]) -> (y: f64[N, 8]) {
    y = x @ w;
}
// ---- expect
// kernel small_0: 13 legal tiles for H100
//   kind=fma,m=64,n=64  // chosen
//   kind=fma,m=32,n=64
//   kind=fma,m=64,n=32
//   kind=fma,m=16,n=64
//   kind=fma,m=32,n=32
//   kind=fma,m=32,n=128
//   kind=fma,m=64,n=16
//   kind=fma,m=128,n=32
//   kind=fma,m=16,n=32
//   kind=fma,m=16,n=128
//   kind=fma,m=32,n=16
//   kind=fma,m=128,n=16
//   kind=fma,m=16,n=16
