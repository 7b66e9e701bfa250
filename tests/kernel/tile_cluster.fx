// Two products that are combined, over a short k, share tiles in clusters of two blocks: not where k is long, or
// rows of tiles are odd, or few.
// run: fusec %s --emit=tile --arch=sm_90a -D N=16384 -D K=1024 > chosen
// run: grep "chosen" chosen
// run: fusec %s --emit=tile --arch=sm_90a -D N=16384 -D K=4096 > chosen
// run: grep "chosen" chosen
// run: fusec %s --emit=tile --arch=sm_90a -D N=16500 -D K=1024 > chosen
// run: grep "chosen" chosen
// run: fusec %s --emit=tile --arch=sm_90a -D N=256 -D K=1024 > chosen
// run: grep "chosen" chosen
fn gated[N, K](x: bf16[N, K], a: bf16[4096, K], b: bf16[4096, K]) -> (y: bf16[N, 4096]) {
    y = gelu(x @ a.T) * (x @ b.T);
}
// ---- expect
//   kind=wgmma,m=128,n=64,stages=5,group=16,cluster=2,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=4,unroll=4  // chosen
//   kind=wgmma,m=128,n=96,stages=4,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=2  // chosen
//   kind=wgmma,m=128,n=64,stages=5,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=4,unroll=4  // chosen
//   kind=wgmma,m=128,n=64,stages=5,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=2  // chosen
