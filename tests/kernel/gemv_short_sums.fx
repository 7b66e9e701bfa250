// Few columns, or rows, by C: where the sums are so short that adding up their lanes takes longest, the
// operand is packed in blocks; longer sums, and operands stored across, are not.
// run: fusec explain %s --target=c > %t.tiles
// run: grep -E "^kernel|tile " %t.tiles
// run: fusec run %s --fn columns_bf16 --check -D M=37 > checks
// run: fusec run %s --fn columns_f32 --check -D M=37 > checks
// run: fusec run %s --fn rows_f32 --check -D M=37 > checks
// run: fusec run %s --fn rows_bf16 --check -D M=37 > checks
fn columns_bf16[M](a: bf16[3, M, 18], b: bf16[3, 18, 7]) -> (y: bf16[3, M, 7]) { y = a @ b; }
fn columns_f32[M](a: f32[M, 16], b: f32[16, 8]) -> (y: f32[M, 8]) { y = a @ b; }
fn rows_f32[M](a: f32[8, 12], b: f32[M, 12]) -> (y: f32[8, M]) { y = a @ b.T; }
fn rows_bf16[M](a: bf16[7, 18], b: bf16[M, 18]) -> (y: bf16[7, M]) { y = a @ b.T; }
fn longer[M](a: bf16[M, 64], b: bf16[64, 7]) -> (y: bf16[M, 7]) { y = a @ b; }
fn across[M](a: bf16[18, M], b: bf16[18, 7]) -> (y: bf16[M, 7]) { y = a.T @ b; }
// ---- expect
// kernel columns_bf16_0: dot over [3, M, 7]
//   tile      kind=blocks,m=2048,n=2048,k=1024,group=64,block=224,rows=0,vectors=2,parallel=100000,sums=512
// kernel columns_f32_0: dot over [M, 8]
//   tile      kind=blocks,m=2048,n=2048,k=512,group=64,block=224,rows=0,vectors=2,parallel=100000,sums=512
// kernel rows_f32_0: dot over [8, M]
//   tile      kind=blocks,m=2048,n=2048,k=1024,group=64,block=224,rows=0,vectors=2,parallel=100000,sums=512
// kernel rows_bf16_0: dot over [7, M]
//   tile      kind=gemv,n=4096,k=8,block=0,rows=3,parallel=100000
// kernel longer_0: dot over [M, 7]
//   tile      kind=gemv,n=4096,k=8,block=0,rows=3,parallel=100000
// kernel across_0: dot over [M, 7]
//   tile      kind=gemv,n=4096,k=8,block=0,rows=3,parallel=100000
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b
// fusec: remark: random inputs, seed 0: a, b
