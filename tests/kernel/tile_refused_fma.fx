// run: fusec %s --tile threads_m=12
// exit: 1
// run: fusec %s --tile k=64
// exit: 1
// run: fusec %s --tile m=256,n=256,threads_m=16,threads_n=16
// exit: 1
// run: fusec %s --tile m=24
// exit: 1
// run: fusec %s --tile threads_m=64,threads_n=8,m=64,n=8,k=8
// exit: 1
// The threads and elements of a contraction without tensor cores.
fn gemm[M](x: f32[M, 1024], w: f32[1024, 512]) -> (y: f32[M, 512]) {
    y = x @ w;
}
// ---- expect
// fusec: error: kernel 'gemm_0' cannot have the tile threads_m=12: threads_m and threads_n are powers of 2 from 8 to 64 with a product up to 512, not 12 and 8
// fusec: note: without --tile it has kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=3,blocks=2
// fusec: error: kernel 'gemm_0' cannot have the tile k=64: k must be a power of 2 from 8 to 32, not 64
// fusec: note: without --tile it has kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=3,blocks=2
// fusec: error: kernel 'gemm_0' cannot have the tile m=256,n=256,threads_m=16,threads_n=16: a thread has 256 registers of sums and 92 of others, and blocks=2 of 256 threads leave it 128
// fusec: note: without --tile it has kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=3,blocks=2
// fusec: error: kernel 'gemm_0' cannot have the tile m=24: m and n are 1 to 16 times threads_m=16 and threads_n=8 (powers of 2), not 24 and 128
// fusec: note: without --tile it has kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=3,blocks=2
// fusec: error: kernel 'gemm_0' cannot have the tile threads_m=64,threads_n=8,m=64,n=8,k=8: 512 threads do not share out 64 x 8 and 8 x 8 elements
// fusec: note: without --tile it has kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=3,blocks=2
