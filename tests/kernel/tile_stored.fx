// Products of a short k, whose results are most of what moves, have small tiles that store while others are
// loaded; wide ones where rows of results start within sectors of 32 bytes.
// run: fusec explain %s -D N=1024 --arch=sm_90a > %t.even
// run: grep "tile " %t.even
// run: fusec explain %s -D N=1000 --arch=sm_90a > %t.odd
// run: grep "tile " %t.odd
fn products[N](a: bf16[64, 1024, 128], b: bf16[64, N, 128]) -> (c: bf16[64, 1024, N]) {
    c = a @ b.T;
}
// ---- expect
//   tile      kind=wgmma,m=64,n=128,stages=6,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
//   tile      kind=wgmma,m=64,n=256,stages=4,group=16,cluster=2,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
