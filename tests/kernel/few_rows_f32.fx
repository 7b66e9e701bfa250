// Products of at most 16 rows of f32 by fused multiply-adds: operands go from memory to registers, of any layout, on any architecture, also of several products of one operand, and with open sizes of weights; rows that are computed are so by a kernel before. What one kernel could not multiply so is several, as products that are added up, or of weights in both layouts. Not with more rows, nor of weights that are converted.
// run: fusec explain %s -D M=1 --arch=sm_90a > %t.1
// run: grep -E "^kernel|tile " %t.1
// run: fusec explain %s -D M=16 --arch=sm_75 > %t.16
// run: grep -E "^kernel|tile " %t.16
// run: fusec explain %s -D M=17 --arch=sm_90a --fn=along > %t.17
// run: grep -E "^kernel|tile " %t.17
// run: fusec %s -D M=3 --fn=along --tile=kind=gemv,n=24
// exit: 1
// run: fusec %s -D M=3 --fn=across --tile=kind=gemv,n=64,k=16
// exit: 1
// run: fusec %s -D M=33 --fn=along --tile=kind=gemv
// exit: 1
fn along[M](x: f32[M, 4096], w: f32[4096, 4096]) -> (y: f32[M, 4096]) { y = x @ w.T; }
fn across[M](x: f32[M, 4096], w: f32[4096, 4096]) -> (y: f32[M, 4096]) { y = x @ w; }
fn two[M](x: f32[M, 4096], w: f32[4096, 4096], v: f32[4096, 4096]) -> (y: f32[M, 4096]) { y = silu(x @ w.T) * (x @ v.T); }
fn open[M, N, K](x: f32[M, K], w: f32[N, K]) -> (y: f32[M, N]) { y = x @ w.T; }
fn computed[M](x: f32[M, 4096], w: f32[4096, 4096]) -> (y: f32[M, 4096]) { y = exp(x) @ w.T; }
fn added[M](x: f32[M, 4096], w: f32[4096, 4096], h: f32[M, 512], v: f32[4096, 512]) -> (y: f32[M, 4096]) { y = relu(x @ w.T + h @ v.T); }
fn mixed[M](x: f32[M, 4096], w: f32[4096, 4096], v: f32[4096, 4096]) -> (y: f32[M, 4096]) { y = (x @ w.T) * (x @ v); }
fn narrow[M](x: f32[M, 4096], w: bf16[4096, 4096]) -> (y: f32[M, 4096]) { y = x @ (w as f32).T; }
// ---- expect
// kernel along_0: dot over [4096]
//   tile      kind=gemv,n=16,k=16,threads=128,vector=4,unroll=4,operand_unroll=8
// kernel across_0: dot over [4096]
//   tile      kind=gemv,n=32,k=16,threads=512,vector=4,unroll=4,operand_unroll=4
// kernel two_0: dot over [4096]
//   tile      kind=gemv,n=16,k=16,threads=128,vector=4,unroll=1,operand_unroll=4
// kernel open_0: dot over [N]
//   tile      kind=gemv,n=16,k=16,threads=512,vector=4,unroll=4,operand_unroll=4
// kernel computed_0: pointwise over [4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
// kernel computed_1: dot over [4096]
//   tile      kind=gemv,n=16,k=16,threads=128,vector=4,unroll=4,operand_unroll=8
// kernel added_0: dot over [4096]
//   tile      kind=gemv,n=16,k=16,threads=128,vector=4,unroll=4,operand_unroll=8
// kernel added_1: dot over [4096]
//   tile      kind=gemv,n=16,k=16,threads=128,vector=4,unroll=4,operand_unroll=8
// kernel mixed_0: dot over [4096]
//   tile      kind=gemv,n=32,k=16,threads=512,vector=4,unroll=4,operand_unroll=4
// kernel mixed_1: dot over [4096]
//   tile      kind=gemv,n=16,k=16,threads=128,vector=4,unroll=4,operand_unroll=8
// kernel narrow_0: dot over [16, 4096]
//   tile      kind=fma,m=64,n=64,k=16,threads_m=16,threads_n=16,stages=2,blocks=2
// kernel narrow_1: pointwise over [4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
// kernel along_0: dot over [16, 4096]
//   tile      kind=gemv,n=64,k=16,threads=128,vector=4,unroll=4,operand_unroll=1
// kernel across_0: dot over [16, 4096]
//   tile      kind=gemv,n=32,k=16,threads=128,vector=4,unroll=4,operand_unroll=4
// kernel two_0: dot over [16, 4096]
//   tile      kind=gemv,n=32,k=16,threads=128,vector=4,unroll=1,operand_unroll=1
// kernel open_0: dot over [16, N]
//   tile      kind=gemv,n=32,k=16,threads=256,vector=4,unroll=4,operand_unroll=1
// kernel computed_0: pointwise over [16, 4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
// kernel computed_1: dot over [16, 4096]
//   tile      kind=gemv,n=64,k=16,threads=128,vector=4,unroll=4,operand_unroll=1
// kernel added_0: dot over [16, 4096]
//   tile      kind=gemv,n=64,k=16,threads=128,vector=4,unroll=4,operand_unroll=1
// kernel added_1: dot over [16, 4096]
//   tile      kind=gemv,n=64,k=16,threads=128,vector=4,unroll=4,operand_unroll=1
// kernel mixed_0: dot over [16, 4096]
//   tile      kind=gemv,n=32,k=16,threads=128,vector=4,unroll=4,operand_unroll=4
// kernel mixed_1: dot over [16, 4096]
//   tile      kind=gemv,n=64,k=16,threads=128,vector=4,unroll=4,operand_unroll=1
// kernel narrow_0: dot over [8, 16, 4096]
//   tile      kind=fma,m=64,n=64,k=16,threads_m=16,threads_n=16,stages=2,blocks=2
// kernel narrow_1: pointwise over [16, 4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
// kernel along_0: dot over [16, 17, 4096]
//   tile      kind=fma,m=32,n=64,k=16,threads_m=8,threads_n=8,stages=3,blocks=8
// kernel along_1: pointwise over [17, 4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
// fusec: error: kernel 'along_0' cannot have the tile kind=gemv,n=24: n must be a power of 2 from 16 to 128, not 24
// fusec: note: without --tile it has kind=gemv,n=32,k=16,threads=512,vector=4,unroll=4,operand_unroll=2
// fusec: error: kernel 'across_0' cannot have the tile kind=gemv,n=64,k=16: k must be 8 with n=64, not 16
// fusec: note: without --tile it has kind=gemv,n=32,k=16,threads=512,vector=4,unroll=4,operand_unroll=4
// fusec: error: kernel 'along_0' cannot have the tile kind=gemv: more than 16 rows, or their number is not known
// fusec: note: without --tile it has kind=fma,m=64,n=128,k=16,threads_m=8,threads_n=16,stages=3,blocks=4
// fusec: error: kernel 'along_1' cannot have the tile kind=gemv: its tiles are of another kind
// fusec: note: without --tile it has kind=pointwise,threads=256,vector=4,unroll=1
