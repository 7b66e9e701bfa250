// run: fusec %s --emit=tile --arch=sm_90a --machine=H200 > chosen
// run: grep "chosen" chosen
// 22 by 6 tiles of 192 x 192 are 132, one wave; so are 33 by 4 of 128 x 256, but in no clusters.
fn odd(a: bf16[4144, 3272], b: bf16[976, 3272], c: bf16[976]) -> (y: bf16[4144, 976]) {
    y = tanh(a @ b.T + c) as bf16;
}
// ---- expect
//   kind=wgmma,m=192,n=192,stages=4,group=16,cluster=2,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=2  // chosen
