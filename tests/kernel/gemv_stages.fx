// A few rows of so many columns that each multiprocessor has several tiles of 32: by stages in shared
// memory. Fewer tiles, and fewer rows, take the weights to registers at once.
// run: fusec explain %s --arch=sm_90a -D M=16 -D N=14336 -D K=4096
// run: fusec explain %s --arch=sm_90a -D M=16 -D N=4096 -D K=14336
// run: fusec explain %s --arch=sm_90a -D M=7 -D N=14336 -D K=4096
fn linear[M, N, K](x: bf16[M, K], w: bf16[N, K]) -> (y: bf16[M, N]) {
    y = x @ w.T;
}
// ---- expect
// fn linear at -O2: 2 ops in 1 kernel
//
// kernel linear_0: dot over [16, 14336]
//   does      matmul, as
//   reads     112.1 MiB: x, w
//   writes    448.0 KiB: y
//   computes  1.9 Gflop, 15.92 for each byte moved
//   estimate  35.2 us, bound by memory
//   tile      kind=mma,m=16,n=32,k=128,warps_m=1,warps_n=2,stages=4,group=8,blocks=3,vector=8,unroll=4,operand_unroll=4
//   inside    %3 matmul (7:9)
//   saves     1.8 MiB by fusion
//
// total
//   moves     112.6 MiB; one kernel per op would move 114.3 MiB, 1.0 times as much
//   computes  1.9 Gflop
//   estimate  37.7 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      112.6 MiB of inputs and outputs; one kernel per op would need 113.4 MiB
// fn linear at -O2: 2 ops in 1 kernel
//
// kernel linear_0: dot over [16, 4096]
//   does      matmul, as
//   reads     112.4 MiB: x, w
//   writes    128.0 KiB: y
//   computes  1.9 Gflop, 15.92 for each byte moved
//   estimate  52.6 us, bound by matrix products
//   tile      kind=gemv,n=16,k=32,threads=256,vector=8,unroll=4,operand_unroll=4
//   inside    %3 matmul (7:9)
//   saves     512.0 KiB by fusion
//
// total
//   moves     112.6 MiB; one kernel per op would move 113.1 MiB, 1.0 times as much
//   computes  1.9 Gflop
//   estimate  55.1 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      112.6 MiB of inputs and outputs; one kernel per op would need 112.8 MiB
// fn linear at -O2: 2 ops in 1 kernel
//
// kernel linear_0: dot over [7, 14336]
//   does      matmul, as
//   reads     112.1 MiB: x, w
//   writes    196.0 KiB: y
//   computes  822.1 Mflop, 6.98 for each byte moved
//   estimate  35.1 us, bound by memory
//   tile      kind=gemv,n=16,k=32,threads=128,vector=8,unroll=4,operand_unroll=4
//   inside    %3 matmul (7:9)
//   saves     784.0 KiB by fusion
//
// total
//   moves     112.2 MiB; one kernel per op would move 113.0 MiB, 1.0 times as much
//   computes  822.1 Mflop
//   estimate  37.6 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      112.2 MiB of inputs and outputs; one kernel per op would need 112.6 MiB
