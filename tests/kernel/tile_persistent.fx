// Products by warpgroups: persistent blocks, or a block for each of many tiles.
// run: fusec %s --arch=sm_90a -D M=4096 --tile persistent=2
// exit: 1
// run: fusec %s --arch=sm_90a -D M=4096 --tile persistent=0,ping_pong=1
// exit: 1
// run: fusec explain %s --arch=sm_90a -D M=4096 --tile persistent=0
fn gemm[M](x: bf16[M, 1024], w: bf16[1024, 4096]) -> (y: bf16[M, 4096]) {
    y = x @ w;
}
// ---- expect
// fusec: error: kernel 'gemm_0' cannot have the tile persistent=2: persistent is 0 or 1, not 2
// fusec: note: without --tile it has kind=wgmma,m=128,n=128,stages=6,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// fusec: error: kernel 'gemm_0' cannot have the tile persistent=0,ping_pong=1: with ping_pong=1 a block has tiles for both groups, and persistent=0 gives it one
// fusec: note: without --tile it has kind=wgmma,m=128,n=128,stages=6,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=8,unroll=4
// fn gemm at -O2: 2 ops in 1 kernel
//
// kernel gemm_0: dot over [4096, 4096]
//   does      matmul, as
//   reads     16.0 MiB: x, w
//   writes    32.0 MiB: y
//   computes  34.4 Gflop, 682.67 for each byte moved
//   estimate  59.7 us, bound by matrix products
//   tile      kind=wgmma,m=128,n=256,stages=4,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=0,persistent=0,vector=8,unroll=4
//   inside    %4 matmul (8:9)
//   saves     128.0 MiB by fusion
//
// total
//   moves     48.0 MiB; one kernel per op would move 176.0 MiB, 3.7 times as much
//   computes  34.4 Gflop
//   estimate  62.2 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      48.0 MiB of inputs and outputs; one kernel per op would need 112.0 MiB
