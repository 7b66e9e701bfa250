// Products of at most 16 rows on tensor cores: right operands go from memory to registers, and warps
// share out k; weights of 8 and 4 bits are converted there. Not where a right operand lies across k, where
// more rows, or an open number of them, want tiles in shared memory. For many more rows weights of bytes
// are converted by a kernel before: warpgroups multiply what is in memory.
// run: fusec explain %s -D M=1 --arch=sm_90a > %t.1
// run: grep -E "^kernel|tile " %t.1
// run: fusec explain %s -D M=16 --arch=sm_80 > %t.16
// run: grep -E "^kernel|tile " %t.16
// run: fusec explain %s -D M=17 --arch=sm_90a > %t.17
// run: grep -E "^kernel|tile " %t.17
// run: fusec explain %s -D M=2048 --arch=sm_90a > %t.2048
// run: grep -E "^kernel|tile " %t.2048
// run: fusec %s -D M=3 --tile=bytes_0:n=12
// exit: 1
// run: fusec %s -D M=33 --tile=bytes_0:kind=gemv
// exit: 1
fn bytes[M](x: bf16[M, 4096], w: i8[4096, 4096], scale: f32[4096]) -> (y: bf16[M, 4096]) {
    y = x @ ((w as f32 * scale[:, None]) as bf16).T;
}
fn across[M](x: bf16[M, 4096], w: bf16[4096, 4096]) -> (y: bf16[M, 4096]) { y = x @ w; }
fn three[M](x: bf16[M, 4096], q: bf16[4096, 4096], k: bf16[4096, 4096], v: bf16[4096, 4096])
        -> (a: bf16[M, 4096], b: bf16[M, 4096], c: bf16[M, 4096]) {
    a = x @ q.T;
    b = x @ k.T;
    c = x @ v.T;
}
fn nibbles[M](x: bf16[M, 4096], w: u8[4096, 2048]) -> (y: bf16[M, 4096]) {
    low = (w % 16) as f32 - 8;
    high = (w / 16) as f32 - 8;
    y = x @ (reshape(concat(low[:, :, None], high[:, :, None]), 4096, 4096) as bf16).T;
}
// ---- expect
// kernel bytes_0: dot over [4096]
//   tile      kind=gemv,n=16,k=64,threads=256,vector=8,unroll=4,operand_unroll=2
// kernel across_0: dot over [16, 4096]
//   tile      kind=mma,m=16,n=128,k=64,warps_m=1,warps_n=4,stages=3,group=8,blocks=4,vector=4,unroll=4,operand_unroll=4
// kernel across_1: pointwise over [4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
// kernel three_0: dot over [4096]
//   tile      kind=gemv,n=8,k=32,threads=256,vector=8,unroll=4,operand_unroll=2
// kernel nibbles_0: dot over [4096]
//   tile      kind=gemv,n=16,k=128,threads=256,vector=8,unroll=4,operand_unroll=1
// kernel bytes_0: dot over [16, 4096]
//   tile      kind=gemv,n=16,k=64,threads=256,vector=8,unroll=4,operand_unroll=2
// kernel across_0: dot over [8, 16, 4096]
//   tile      kind=mma,m=16,n=128,k=64,warps_m=1,warps_n=4,stages=2,group=8,blocks=4,vector=4,unroll=4,operand_unroll=4
// kernel across_1: pointwise over [16, 4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
// kernel three_0: dot over [16, 4096]
//   tile      kind=gemv,n=8,k=32,threads=256,vector=8,unroll=4,operand_unroll=2
// kernel nibbles_0: dot over [16, 4096]
//   tile      kind=gemv,n=16,k=64,threads=256,vector=8,unroll=4,operand_unroll=1
// kernel bytes_0: dot over [17, 4096]
//   tile      kind=gemv,n=16,k=64,threads=256,vector=8,unroll=4,operand_unroll=2
// kernel across_0: dot over [8, 17, 4096]
//   tile      kind=wgmma,m=64,n=128,stages=6,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=4,unroll=4
// kernel across_1: pointwise over [17, 4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
// kernel three_0: dot over [8, 17, 4096]
//   tile      kind=wgmma,m=64,n=40,stages=6,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=4,unroll=1
// kernel three_1: pointwise over [17, 4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
// kernel three_2: pointwise over [17, 4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
// kernel three_3: pointwise over [17, 4096]
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
// kernel nibbles_0: dot over [17, 4096]
//   tile      kind=gemv,n=32,k=128,threads=256,vector=8,unroll=4,operand_unroll=1
// kernel bytes_0: pointwise over [4096, 4096]
//   tile      kind=pointwise,threads=256,vector=8,unroll=4
// kernel bytes_1: dot over [2048, 4096]
//   tile      kind=wgmma,m=128,n=256,stages=4,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// kernel across_0: dot over [2048, 4096]
//   tile      kind=wgmma,m=128,n=256,stages=4,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// kernel three_0: dot over [2048, 4096]
//   tile      kind=wgmma,m=128,n=64,stages=4,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// kernel nibbles_0: pointwise over [4096, 4096]
//   tile      kind=pointwise,threads=256,vector=8,unroll=1
// kernel nibbles_1: dot over [2048, 4096]
//   tile      kind=wgmma,m=128,n=256,stages=4,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// fusec: error: kernel 'bytes_0' cannot have the tile n=12: n must be a multiple of 8, up to 128, not 12
// fusec: note: without --tile it has kind=gemv,n=16,k=64,threads=256,vector=8,unroll=4,operand_unroll=2
// fusec: error: kernel 'bytes_0' cannot have the tile kind=gemv: more than 16 rows (32 of weights of few bits), or their number is not known
// fusec: note: without --tile it has kind=mma,m=64,n=128,k=32,warps_m=1,warps_n=4,stages=4,group=8,blocks=3,vector=4,unroll=4,operand_unroll=4
