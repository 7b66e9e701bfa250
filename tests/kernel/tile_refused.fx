// run: fusec %s --tile m=100
// exit: 1
// run: fusec %s --tile n=2048,m=512
// exit: 1
// run: fusec %s --tile kind=wgmma
// exit: 1
// run: fusec %s --tile gemm_0:split=4
// exit: 1
// run: fusec %s --tile gem:m=64
// exit: 1
// run: fusec %s --tile split=4
// exit: 1
// run: fusec %s --tile stages=8,k=64,m=256,n=256
// exit: 1
// run: fusec %s --tile speed=11
// exit: 2
// run: fusec %s --tile kind=fast
// exit: 2
// run: fusec %s --tile m
// exit: 2
fn gemm[M](x: bf16[M, 1024], w: bf16[1024, 512]) -> (y: bf16[M, 512]) {
    y = x @ w;
}
// ---- expect
// fusec: error: kernel 'gemm_0' cannot have the tile m=100: m must be a multiple of 16 for each of warps_m=2, up to 1024, not 100
// fusec: note: without --tile it has kind=mma,m=128,n=128,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=2,vector=8,unroll=4,operand_unroll=4
// fusec: error: kernel 'gemm_0' cannot have the tile n=2048,m=512: n must be a multiple of 16 for each of warps_n=2, up to 1024, not 2048
// fusec: note: without --tile it has kind=mma,m=128,n=128,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=2,vector=8,unroll=4,operand_unroll=4
// fusec: error: kernel 'gemm_0' cannot have the tile kind=wgmma: the architecture has none
// fusec: note: without --tile it has kind=mma,m=128,n=128,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=2,vector=8,unroll=4,operand_unroll=4
// fusec: error: kernel 'gemm_0' cannot have the tile split=4: no tile of this kernel has all of these
// fusec: note: without --tile it has kind=mma,m=128,n=128,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=2,vector=8,unroll=4,operand_unroll=4
// fusec: error: --tile gem:m=64: there is no kernel of that name
// fusec: error: --tile split=4: no kernel has a tile with that
// fusec: error: kernel 'gemm_0' cannot have the tile stages=8,k=64,m=256,n=256: 8 stages take 524288 bytes of shared memory, and a block has 166912
// fusec: note: without --tile it has kind=mma,m=128,n=128,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=2,vector=8,unroll=4,operand_unroll=4
// fusec: error: --tile: no tile has the key 'speed'
// fusec: note: tiles have, by the kind of kernel: kind m n columns k threads_m threads_n warps_m warps_n stages group cluster ping_pong stream_k split_k l2 persistent block rows vectors blocks threads row_threads warp_columns split vector keep unroll operand_unroll prefetch parallel stream prefetch_from stack partial partial_sums across sums
// fusec: error: --tile: kind wants one of pointwise, transpose, permute, row, column, fma, mma, gemv, wgmma, segments, binned, loops, blocks, not 'fast'
// fusec: error: --tile: m wants a number, not ''
