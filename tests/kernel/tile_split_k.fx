// Split-K by the blocks of a cluster: chosen where tiles are few and k is long; into how many parts, and which
// tiles may have it.
// run: fusec %s --arch=sm_90a --emit=tile --machine=H200 --fn few -D K=4096 > chosen
// run: grep "// chosen" chosen
// run: fusec %s --arch=sm_90a --fn few -D K=4096 --tile split_k=9
// exit: 1
// run: fusec %s --arch=sm_90a --fn few -D K=128 --tile kind=wgmma,m=128,n=64,split_k=4,persistent=0,ping_pong=0
// exit: 1
// run: fusec %s --arch=sm_90a --fn few -D K=4096 --tile split_k=4,persistent=1
// exit: 1
// run: fusec %s --arch=sm_90a --fn few -D K=4096 --tile n=256,stages=2,split_k=4
// exit: 1
// run: fusec %s --arch=sm_90a --fn few --tile split_k=4,persistent=0,ping_pong=0
// exit: 1
fn few[K](x: bf16[64, K], w: bf16[4096, K]) -> (y: bf16[64, 4096]) { y = x @ w.T; }
// ---- expect
//   kind=wgmma,m=128,n=64,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=2,persistent=0,vector=8,unroll=4  // chosen
// fusec: error: kernel 'few_0' cannot have the tile split_k=9: split_k must be 0, or 2 to 8, not 9
// fusec: note: without --tile it has kind=wgmma,m=128,n=64,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=2,persistent=0,vector=8,unroll=4
// fusec: error: kernel 'few_0' cannot have the tile kind=wgmma,m=128,n=64,split_k=4,persistent=0,ping_pong=0: 2 steps along k cannot be split into 4 parts
// fusec: note: without --tile it has kind=mma,m=32,n=64,k=64,warps_m=2,warps_n=2,stages=4,group=8,blocks=4,vector=8,unroll=4,operand_unroll=4
// fusec: error: kernel 'few_0' cannot have the tile split_k=4,persistent=1: split_k goes with persistent=0, ping_pong=0, cluster=1 and stream_k=0
// fusec: note: without --tile it has kind=wgmma,m=128,n=64,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=2,persistent=0,vector=8,unroll=4
// fusec: error: kernel 'few_0' cannot have the tile n=256,stages=2,split_k=4: 2 stages have no room for the 131072 bytes of a tile's sums
// fusec: note: without --tile it has kind=wgmma,m=128,n=64,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=2,persistent=0,vector=8,unroll=4
// fusec: error: kernel 'few_0' cannot have the tile split_k=4,persistent=0,ping_pong=0: split_k is for sums whose lengths are known
// fusec: note: without --tile it has kind=wgmma,m=128,n=64,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
