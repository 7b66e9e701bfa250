// run: fusec explain %s --arch sm_90a
// Attentions whose rows are too long for tensor cores: scores are stored, and products are on tensor
// cores, or share scores between tiles of columns. Keys in two parts are two products, which one kernel
// adds up. Not where scores take more memory than the operands, or may.
fn latent(
    q: bf16[8, 128, 512],
    qr: bf16[8, 128, 64],
    c: bf16[8, 4096, 512],
    kr: bf16[8, 4096, 64]
) -> (o: bf16[8, 128, 512]) {
    s = (concat(q, qr) @ concat(c, kr).T) * rsqrt(576);
    o = softmax(s) as bf16 @ c;
}
fn long_f32(
    q: f32[8, 512, 512],
    k: f32[8, 512, 512],
    v: f32[8, 512, 512]
) -> (o: f32[8, 512, 512]) {
    o = softmax(q @ k.T) @ v;
}
fn many(
    q: f16[320, 4096, 320],
    k: f16[320, 4096, 320],
    v: f16[320, 4096, 320]
) -> (o: f16[320, 4096, 320]) {
    o = softmax(q @ k.T) as f16 @ v;
}
fn open[N](q: f16[8, N, 320], k: f16[8, N, 320], v: f16[8, N, 320]) -> (o: f16[8, N, 320]) {
    o = softmax(q @ k.T) as f16 @ v;
}
// ---- expect
// fn latent at -O2: 20 ops in 3 kernels
//
// kernel latent_0: dot over [8, 128, 4096]
//   does      2 matmul, add, mul
//   reads     37.1 MiB: q, c, qr, kr
//   writes    16.0 MiB: s
//   computes  4.8 Gflop, 86.89 for each byte moved
//   estimate  16.6 us, bound by memory
//   tile      kind=wgmma,m=128,n=128,stages=6,group=16,cluster=1,ping_pong=1,stream_k=0,split_k=0,persistent=1,vector=4,unroll=4
//   inside    %5 matmul (11:10), %6 matmul (11:10), %7 add (11:10)
//   saves     96.0 MiB by fusion
//
// kernel latent_1: row over [8, 128, 4096] along 4096
//   does      max, lt, 2 mul, ceil, where, sub, exp2, sum, as
//   reads     16.0 MiB: s
//   writes    8.0 MiB: sum_temp, as_temp
//   computes  21.0 Mflop, 0.83 for each byte moved
//   estimate  7.51 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %13 max (12:9), %17 lt (12:9), %20 mul (12:9), %21 ceil (12:9), %25 where (12:9), %27 mul (12:9) and 2 more
//   saves     128.0 MiB by fusion
//
// kernel latent_2: dot over [8, 128, 512]
//   does      matmul, eq, where, div, mul, as
//   reads     40.0 MiB: as_temp, c, sum_temp
//   writes    1.0 MiB: o
//   computes  4.3 Gflop, 99.91 for each byte moved
//   estimate  29.9 us, bound by matrix products
//   tile      kind=wgmma,m=128,n=64,stages=6,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=2,persistent=0,vector=8,unroll=4
//   inside    %34 matmul (12:9), %35 eq (12:9), %39 where (12:9), %40 div (12:9), %42 mul (12:9)
//   saves     8.0 MiB by fusion
//
// kept apart
//   latent_0 | latent_1: a row of the result does not fit in one tile: it is too long, or open (together they would save about 32.0 MiB and 12.5 us)
//     from %11 mul (11:9) to %13 max (12:9)
//   latent_1 | latent_2: a contraction computes its operands element by element, and this one needs reductions (together they would save about 16.0 MiB and 10 us)
//     from %31 sum (12:9) to %35 eq (12:9)
//   latent_0 | latent_2: a kernel that adds contractions computes beside them only sums of the same left operands (together they would save about 32.0 MiB and 29.1 us)
//     beside each other: %5 matmul (11:10) and %34 matmul (12:9)
//
// total
//   moves     118.1 MiB; one kernel per op would move 350.2 MiB, 3.0 times as much
//   computes  9.2 Gflop
//   estimate  61.5 us on H100, launches included
//   workspace 24.0 MiB in 3 slots
//   peak      62.1 MiB with inputs and outputs; one kernel per op would need 78.1 MiB
//
// fn long_f32 at -O2: 15 ops in 3 kernels
//
// kernel long_f32_0: dot over [8, 512, 512]
//   does      matmul
//   reads     16.0 MiB: q, k
//   writes    8.0 MiB: matmul_temp
//   computes  2.1 Gflop, 85.33 for each byte moved
//   estimate  37.3 us, bound by arithmetic
//   tile      kind=fma,m=64,n=128,k=16,threads_m=8,threads_n=16,stages=3,blocks=4
//
// kernel long_f32_1: row over [8, 512, 512] along 512
//   does      max, lt, 2 mul, ceil, where, sub, exp2, sum
//   reads     8.0 MiB: matmul_temp
//   writes    8.0 MiB: exp2_temp, sum_temp
//   computes  10.5 Mflop, 0.63 for each byte moved
//   estimate  5.01 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %6 max (19:9), %10 lt (19:9), %13 mul (19:9), %14 ceil (19:9), %18 where (19:9), %20 mul (19:9) and 1 more
//   saves     48.1 MiB by fusion
//
// kernel long_f32_2: dot over [8, 512, 512]
//   does      matmul, eq, where, div, mul
//   reads     16.0 MiB: exp2_temp, v, sum_temp
//   writes    8.0 MiB: o
//   computes  2.1 Gflop, 85.36 for each byte moved
//   estimate  37.4 us, bound by arithmetic
//   tile      kind=fma,m=64,n=128,k=16,threads_m=8,threads_n=16,stages=3,blocks=4
//   inside    %26 matmul (19:9), %27 eq (19:9), %31 where (19:9), %32 div (19:9)
//   saves     16.1 MiB by fusion
//
// kept apart
//   long_f32_0 | long_f32_1: a row of the result does not fit in one tile: it is too long, or open (together they would save about 16.0 MiB and 7.37 us)
//     from %4 matmul (19:17) to %20 mul (19:9)
//   long_f32_1 | long_f32_2: a contraction computes its operands element by element, and this one needs reductions (together they would save about 16.0 MiB and 7.37 us)
//     from %24 sum (19:9) to %27 eq (19:9)
//
// total
//   moves     64.0 MiB; one kernel per op would move 128.3 MiB, 2.0 times as much
//   computes  4.3 Gflop
//   estimate  87.2 us on H100, launches included
//   workspace 16.0 MiB in 3 slots
//   peak      48.0 MiB with inputs and outputs
//
// fn many at -O2: 17 ops in 1 kernel
//
// kernel many_0: attention over [320, 4096, 320] along 320
//   does      2 matmul, max, lt, 3 mul, ceil, 2 where, sub, exp2, sum, 2 as, eq, div
//   reads     2.3 GiB: q, k, v
//   writes    800.0 MiB: o
//   computes  6.9 Tflop, 2056.13 for each byte moved
//   estimate  1.16e+04 us, bound by matrix products
//   tile      kind=fma,m=64,n=64,columns=256,k=16,threads_m=16,threads_n=16,blocks=1
//   inside    %4 matmul (26:17), %6 max (26:9), %10 lt (26:9), %13 mul (26:9), %14 ceil (26:9), %18 where (26:9) and 10 more
//   saves     226.3 GiB by fusion
//
// total
//   moves     3.1 GiB; one kernel per op would move 229.5 GiB, 73.4 times as much
//   computes  6.9 Tflop
//   estimate  1.16e+04 us on H100, launches included
//   workspace 0 bytes in 0 slots
//   peak      3.1 GiB of inputs and outputs; one kernel per op would need 33.1 GiB
//
// fn open at -O2: 17 ops in 1 kernel
// times and ratios are for N = 1024 (-D gives others)
//
// kernel open_0: attention over [8, N, 320] along 320
//   does      2 matmul, max, lt, 3 mul, ceil, 2 where, sub, exp2, sum, 2 as, eq, div
//   reads     15360*N bytes: q, k, v
//   writes    5120*N bytes: o
//   computes  10280*N*N + 2616*N flop, 514.13 for each byte moved
//   estimate  88 % of the total time, bound by matrix products
//   tile      kind=fma,m=64,n=64,columns=256,k=16,threads_m=16,threads_n=16,blocks=1
//   inside    %4 matmul (29:17), %6 max (29:9), %10 lt (29:9), %13 mul (29:9), %14 ceil (29:9), %18 where (29:9) and 10 more
//   saves     352*N*N + 41504*N bytes by fusion
//
// total
//   moves     20480*N bytes; one kernel per op would move 352*N*N + 61984*N bytes, 20.6 times as much
//   computes  10280*N*N + 2616*N flop
//   estimate  21.2 us on H100, launches included, with N = 1024
//   workspace 0 bytes in 0 slots
//   peak      20480*N bytes of inputs and outputs; one kernel per op would need 48*N*N + 30752*N bytes
