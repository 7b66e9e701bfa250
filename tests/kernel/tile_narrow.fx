// A product of few columns has a tile of no more.
// run: fusec %s --emit=tile --arch=sm_90a > chosen
// run: grep "chosen" chosen
fn narrow(x: bf16[8192, 4096], a: bf16[16, 4096]) -> (t: bf16[8192, 16]) { t = x @ a.T; }
// ---- expect
//   kind=wgmma,m=128,n=16,stages=8,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4  // chosen
