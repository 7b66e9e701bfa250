// Products of f32 whose sizes are open, with addresses of 64 bits: in tiles that no architecture spills. Before Hopper operands along k are copied in deeper stages, and where nothing copies there is one block.
// run: fusec explain %s --arch=sm_75 > %t.75
// run: grep -E "^kernel|  tile " %t.75
// run: fusec explain %s --arch=sm_80 > %t.80
// run: grep -E "^kernel|  tile " %t.80
// run: fusec explain %s --arch=sm_90a > %t.90a
// run: grep -E "^kernel|  tile " %t.90a
fn along[M, N, K](a: f32[M, K], b: f32[N, K]) -> (y: f32[M, N]) { y = a @ b.T; }
fn across[M, N, K](a: f32[M, K], b: f32[K, N]) -> (y: f32[M, N]) { y = a @ b; }
// ---- expect
// kernel along_0: dot over [M, N]
//   tile      kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=16,stages=2,blocks=1
// kernel across_0: dot over [M, N]
//   tile      kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=16,stages=2,blocks=1
// kernel along_0: dot over [M, N]
//   tile      kind=fma,m=128,n=128,k=16,threads_m=16,threads_n=8,stages=2,blocks=2
// kernel across_0: dot over [M, N]
//   tile      kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=3,blocks=2
// kernel along_0: dot over [M, N]
//   tile      kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=2,blocks=2
// kernel across_0: dot over [M, N]
//   tile      kind=fma,m=128,n=128,k=16,threads_m=16,threads_n=16,stages=3,blocks=2
