// run: fusec explain %s
// run: fusec %s --explain -D N=8192 -D D=1024
// run: fusec explain %s -O0
fn f[N, D](x: f32[N, D], w: f32[D, D]) -> (y: f32[N, D], z: f32[N]) {
    h = relu(x @ w);
    y = h * 2;
    z = sum(exp(h), axis = -1);
}
// ---- expect
// fn f at -O2: 5 ops in 2 kernels
// times and ratios are for N = 1024, D = 1024 (-D gives others)
//
// kernel f_0: dot over [N, D]
//   does      matmul, max, mul
//   reads     4*N*D + 4*D*D bytes: x, w
//   writes    8*N*D bytes: h, y
//   computes  2*N*D*D + 2*N*D flop, 128.12 for each byte moved
//   estimate  96 % of the total time, bound by arithmetic
//   tile      kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=3,blocks=2
//   inside    %4 matmul (5:14)
//   saves     12*N*D bytes by fusion
//
// kernel f_1: row over [N, D] along D
//   does      exp, sum
//   reads     4*N*D bytes: h
//   writes    4*N bytes: z
//   computes  2*N*D flop, 0.50 for each byte moved
//   estimate  1 % of the total time, bound by memory
//   tile      kind=row,cluster=1,threads=256,row_threads=0,warp_columns=1024,vector=4,keep=nothing,unroll=4
//   inside    %13 exp (7:13)
//   saves     8*N*D bytes by fusion
//
// kept apart
//   f_0 | f_1: a row of the result does not fit in one tile: it is too long, or open (together they would save 2 % of the total time)
//     from %8 max (5:9) to %13 exp (7:13)
//
// total
//   moves     16*N*D + 4*D*D + 4*N bytes; one kernel per op would move 36*N*D + 4*D*D + 4*N bytes, 2.0 times as much
//   computes  2*N*D*D + 4*N*D flop
//   estimate  193 us on A100, launches included, with N = 1024, D = 1024
//   workspace 4*N*D bytes in 1 slot
//   peak      12*N*D + 4*D*D + 4*N bytes with inputs and outputs
// fn f at -O2: 5 ops in 2 kernels
//
// kernel f_0: dot over [8192, 1024]
//   does      matmul, max, mul
//   reads     36.0 MiB: x, w
//   writes    64.0 MiB: h, y
//   computes  17.2 Gflop, 164.00 for each byte moved
//   estimate  930 us, bound by arithmetic
//   tile      kind=fma,m=128,n=128,k=16,threads_m=16,threads_n=8,stages=3,blocks=2
//   inside    %4 matmul (5:14)
//   saves     96.0 MiB by fusion
//
// kernel f_1: row over [8192, 1024] along 1024
//   does      exp, sum
//   reads     32.0 MiB: h
//   writes    32.0 KiB: z
//   computes  16.8 Mflop, 0.50 for each byte moved
//   estimate  16.5 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %13 exp (7:13)
//   saves     64.0 MiB by fusion
//
// kept apart
//   f_0 | f_1: a row of the result does not fit in one tile: it is too long, or open (together they would save about 64.0 MiB and 18.5 us)
//     from %8 max (5:9) to %13 exp (7:13)
//
// total
//   moves     132.0 MiB; one kernel per op would move 292.0 MiB, 2.2 times as much
//   computes  17.2 Gflop
//   estimate  952 us on A100, launches included
//   workspace 32.0 MiB in 1 slot
//   peak      100.0 MiB with inputs and outputs
// fn f at -O0: 5 ops in 5 kernels
// times and ratios are for N = 1024, D = 1024 (-D gives others)
//
// kernel f_0: dot over [N, D]
//   does      matmul
//   reads     4*N*D + 4*D*D bytes: x, w
//   writes    4*N*D bytes: matmul_temp
//   computes  2*N*D*D flop, 170.67 for each byte moved
//   estimate  87 % of the total time, bound by arithmetic
//   tile      kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=8,stages=3,blocks=2
//
// kernel f_1: pointwise over [N, D]
//   does      max
//   reads     4*N*D bytes: matmul_temp
//   writes    4*N*D bytes: h
//   computes  N*D flop, 0.12 for each byte moved
//   estimate  2 % of the total time, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
//
// kernel f_2: pointwise over [N, D]
//   does      mul
//   reads     4*N*D bytes: h
//   writes    4*N*D bytes: y
//   computes  N*D flop, 0.12 for each byte moved
//   estimate  2 % of the total time, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
//
// kernel f_3: pointwise over [N, D]
//   does      exp
//   reads     4*N*D bytes: h
//   writes    4*N*D bytes: exp_temp
//   computes  N*D flop, 0.12 for each byte moved
//   estimate  2 % of the total time, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
//
// kernel f_4: row over [N, D] along D
//   does      sum
//   reads     4*N*D bytes: exp_temp
//   writes    4*N bytes: z
//   computes  N*D flop, 0.25 for each byte moved
//   estimate  less than 1 % of the total time, bound by memory
//   tile      kind=row,cluster=1,threads=256,row_threads=0,warp_columns=1024,vector=4,keep=nothing,unroll=4
//
// total
//   moves     36*N*D + 4*D*D + 4*N bytes
//   computes  2*N*D*D + 4*N*D flop
//   estimate  213 us on A100, launches included, with N = 1024, D = 1024
//   workspace 4*N*D bytes in 1 slot
//   peak      12*N*D + 4*D*D + 4*N bytes with inputs and outputs
