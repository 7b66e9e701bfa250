// Products that are added are multiplied by warpgroups where their right operands lie in memory in one way: the small
// one is copied, transposed. Not where the copy takes longer than it saves.
// run: fusec explain %s --arch=sm_90a --fn=across -o %t.txt
// run: grep -E "^kernel|does|kind" %t.txt
// run: fusec explain %s --arch=sm_90a --fn=along -o %t.along.txt
// run: grep -E "^kernel|does|kind" %t.along.txt
// run: fusec explain %s --arch=sm_90a --fn=few -o %t.few.txt
// run: grep -E "^kernel|does" %t.few.txt
fn across(x: bf16[2048, 4096], w: bf16[4096, 4096], t: bf16[2048, 64], b: bf16[64, 4096]) -> (y: bf16[2048, 4096]) {
    y = x @ w.T + t @ b;
}

fn along(x: bf16[2048, 4096], w: bf16[4096, 4096], t: bf16[2048, 64], b: bf16[4096, 64]) -> (y: bf16[2048, 4096]) {
    y = x @ w + t @ b.T;
}

fn few(x: bf16[128, 4096], w: bf16[4096, 4096], t: bf16[128, 64], b: bf16[64, 4096]) -> (y: bf16[128, 4096]) {
    y = x @ w.T + t @ b;
}
// ---- expect
// kernel across_0: pointwise over [4096, 64]
//   does      permute
//   tile      kind=permute,m=32,n=32,threads=256,vector=8,unroll=8
// kernel across_1: dot over [2048, 4096]
//   does      2 matmul, add, as
//   tile      kind=wgmma,m=128,n=256,stages=4,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// kernel along_0: pointwise over [64, 4096]
//   does      permute
//   tile      kind=permute,m=32,n=32,threads=256,vector=8,unroll=8
// kernel along_1: dot over [2048, 4096]
//   does      2 matmul, add, as
//   tile      kind=wgmma,m=128,n=256,stages=4,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// kernel few_0: dot over [128, 4096]
//   does      2 matmul, add, as
