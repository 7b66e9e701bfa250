// run: fusec %s --emit=tile --arch=sm_90a --machine=H200 > chosen
// run: grep "chosen" chosen
// 33 rows of tiles of 128 x 256 are 132 tiles, one wave; clusters of two rows would have 136.
fn odd(a: bf16[4144, 3272], b: bf16[976, 3272], c: bf16[976]) -> (y: bf16[4144, 976]) {
    y = tanh(a @ b.T + c) as bf16;
}
// ---- expect
//   kind=wgmma,m=128,n=256,stages=4,group=1,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=2  // chosen
