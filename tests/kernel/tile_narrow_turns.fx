// Products of up to 64 columns over a short k turn between tiles of 64 x 64 where there are several waves of them.
// run: fusec explain %s --arch=sm_90a > out
// run: grep "tile \|^kernel" out
fn heads(a: bf16[96, 400, 96], b: bf16[96, 40, 96]) -> (y: bf16[96, 400, 40]) {
    y = (a @ permute(b, 0, 2, 1)) as bf16;
}
fn few(a: bf16[16, 400, 96], b: bf16[16, 40, 96]) -> (y: bf16[16, 400, 40]) {
    y = (a @ permute(b, 0, 2, 1)) as bf16;
}
fn deep(a: bf16[96, 400, 1024], b: bf16[96, 40, 1024]) -> (y: bf16[96, 400, 40]) {
    y = (a @ permute(b, 0, 2, 1)) as bf16;
}
// ---- expect
// kernel heads_0: dot over [96, 400, 40]
//   tile      kind=wgmma,m=64,n=64,stages=6,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// kernel few_0: dot over [16, 400, 40]
//   tile      kind=mma,m=64,n=64,k=32,warps_m=2,warps_n=2,stages=4,group=8,blocks=4,vector=8,unroll=4,operand_unroll=4
// kernel deep_0: dot over [96, 400, 40]
//   tile      kind=wgmma,m=128,n=64,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
