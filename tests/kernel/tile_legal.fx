// run: fusec %s --emit=tile --target=c
// The legal tiles of a kernel, the chosen one first, then by their distance from it.
fn small[N](q: f32[N, 8], k: f32[N, 8], v: f32[N, 8]) -> (y: f32[N, 8]) {
    y = softmax(q @ transpose(k)) @ v;
}
// ---- expect
// kernel small_0: 19 legal tiles for core
//   kind=blocks,m=4,n=4,parallel=4096  // chosen
//   kind=blocks,m=2,n=4,parallel=4096
//   kind=blocks,m=4,n=2,parallel=4096
//   kind=blocks,m=4,n=8,parallel=4096
//   kind=blocks,m=8,n=4,parallel=4096
//   kind=blocks,m=1,n=4,parallel=4096
//   kind=blocks,m=2,n=2,parallel=4096
//   kind=blocks,m=2,n=8,parallel=4096
//   kind=blocks,m=4,n=1,parallel=4096
//   kind=blocks,m=4,n=16,parallel=4096
//   kind=blocks,m=8,n=2,parallel=4096
//   kind=blocks,m=8,n=8,parallel=4096
//   kind=blocks,m=16,n=4,parallel=4096
//   kind=blocks,m=1,n=2,parallel=4096
//   kind=blocks,m=1,n=8,parallel=4096
//   kind=blocks,m=2,n=1,parallel=4096
//   kind=blocks,m=2,n=16,parallel=4096
//   kind=blocks,m=8,n=1,parallel=4096
//   kind=blocks,m=16,n=2,parallel=4096
