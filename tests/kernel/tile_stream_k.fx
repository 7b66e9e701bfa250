// Stream-K: into how many parts tiles of the last wave are cut, and which tiles may have it.
// run: fusec %s --arch=sm_90a -D M=2304 --tile stream_k=1
// exit: 1
// run: fusec %s --arch=sm_90a -D M=2304 --tile stream_k=4,ping_pong=1
// exit: 1
// run: fusec explain %s --arch=sm_90a -D M=2304 --tile stream_k=4,m=128,n=256
fn gemm[M](x: bf16[M, 8192], w: bf16[2304, 8192]) -> (y: bf16[M, 2304]) {
    y = x @ w.T;
}
// ---- expect
// fusec: error: kernel 'gemm_0' cannot have the tile stream_k=1: stream_k must be 0, or 2 to 16, not 1
// fusec: note: without --tile it has kind=wgmma,m=128,n=192,stages=4,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// fusec: error: kernel 'gemm_0' cannot have the tile stream_k=4,ping_pong=1: stream_k goes with persistent=1, ping_pong=0 and cluster=1
// fusec: note: without --tile it has kind=wgmma,m=128,n=192,stages=4,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// fn gemm at -O2: 2 ops in 1 kernel
//
// kernel gemm_0: dot over [2304, 2304]
//   does      matmul, as
//   reads     72.0 MiB: x, w
//   writes    10.1 MiB: y
//   computes  87.0 Gflop, 1009.97 for each byte moved
//   estimate  179 us, bound by matrix products
//   tile      kind=wgmma,m=128,n=256,stages=4,group=16,cluster=1,ping_pong=0,stream_k=4,split_k=0,persistent=1,vector=8,unroll=2
//   inside    %3 matmul (8:9)
//   saves     40.5 MiB by fusion
//
// total
//   moves     82.1 MiB; one kernel per op would move 122.6 MiB, 1.5 times as much
//   computes  87.0 Gflop
//   estimate  182 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      82.1 MiB of inputs and outputs; one kernel per op would need 102.4 MiB
