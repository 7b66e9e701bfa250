// Sums of products are split at whole packs of a row where no steps of a tile divide it, if much is gained: few
// tiles of many terms. By fused multiply-adds anywhere.
// run: fusec explain %s --machine=H200 --arch=sm_90a --fn=long
// run: fusec explain %s --machine=H200 --arch=sm_90a --fn=odd
// run: fusec explain %s --machine=H200 --arch=sm_90a --fn=short
fn long(a: bf16[208, 9128], b: bf16[1704, 9128]) -> (c: bf16[208, 1704]) {
    c = a @ b.T;
}

fn odd(a: f32[1364, 2346], b: f32[423, 2346]) -> (c: f32[1364, 423]) {
    c = a @ b.T;
}

fn short(a: bf16[64, 4104], b: bf16[4096, 4104]) -> (c: bf16[64, 4096]) {
    c = a @ b.T;
}
// ---- expect
// fn long at -O2: 8 ops in 2 kernels
//
// kernel long_0: dot over [7, 208, 1704]
//   does      matmul
//   reads     33.3 MiB: a, b
//   writes    9.5 MiB: c_parts
//   computes  6.5 Gflop, 144.34 for each byte moved
//   estimate  18.4 us, bound by matrix products
//   tile      kind=wgmma,m=128,n=256,stages=4,group=16,cluster=2,ping_pong=0,stream_k=0,split_k=0,persistent=1,vector=4,unroll=4
//
// kernel long_1: pointwise over [208, 1704]
//   does      6 add, as
//   reads     9.5 MiB: c_parts
//   writes    692.2 KiB: c
//   computes  2.1 Mflop, 0.20 for each byte moved
//   estimate  2.22 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
//   inside    %10 add (7:9), %12 add (7:9), %14 add (7:9), %16 add (7:9), %18 add (7:9), %20 add (7:9)
//   saves     63.5 MiB by fusion
//
// kept apart
//   long_0 | long_1: they iterate over different shapes and the value between them is stored (together they would save about 18.9 MiB and 4.72 us)
//     from %7 matmul (7:9) to %12 add (7:9)
//
// total
//   moves     52.9 MiB; one kernel per op would move 69.1 MiB, 1.3 times as much
//   computes  6.5 Gflop
//   estimate  25.6 us on H200, launches included
//   workspace 9.5 MiB in 1 slot
//   peak      43.4 MiB with inputs and outputs; one kernel per op would need 44.8 MiB
// fn odd at -O2: 6 ops in 2 kernels
//
// kernel odd_0: dot over [6, 1364, 423]
//   does      matmul
//   reads     16.0 MiB: a, b
//   writes    13.2 MiB: c_parts
//   computes  2.7 Gflop, 88.42 for each byte moved
//   estimate  49.9 us, bound by arithmetic
//   tile      kind=fma,m=128,n=128,k=8,threads_m=16,threads_n=16,stages=2,blocks=2
//
// kernel odd_1: pointwise over [1364, 423]
//   does      5 add
//   reads     13.2 MiB: c_parts
//   writes    2.2 MiB: c
//   computes  2.9 Mflop, 0.18 for each byte moved
//   estimate  3.37 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=1
//   inside    %10 add (11:9), %12 add (11:9), %14 add (11:9), %16 add (11:9)
//   saves     70.4 MiB by fusion
//
// kept apart
//   odd_0 | odd_1: they iterate over different shapes and the value between them is stored (together they would save about 26.4 MiB and 5.82 us)
//     from %7 matmul (11:9) to %12 add (11:9)
//
// total
//   moves     44.6 MiB; one kernel per op would move 62.2 MiB, 1.4 times as much
//   computes  2.7 Gflop
//   estimate  58.3 us on H200, launches included
//   workspace 13.2 MiB in 1 slot
//   peak      31.4 MiB with inputs and outputs; one kernel per op would need 33.6 MiB
// fn short at -O2: 2 ops in 1 kernel
//
// kernel short_0: dot over [64, 4096]
//   does      matmul, as
//   reads     32.6 MiB: a, b
//   writes    512.0 KiB: c
//   computes  2.2 Gflop, 62.06 for each byte moved
//   estimate  15 us, bound by matrix products
//   tile      kind=wgmma,m=128,n=160,stages=5,group=16,cluster=1,ping_pong=0,stream_k=0,split_k=3,persistent=0,vector=8,unroll=4
//   inside    %3 matmul (15:9)
//   saves     2.0 MiB by fusion
//
// total
//   moves     33.1 MiB; one kernel per op would move 35.1 MiB, 1.1 times as much
//   computes  2.2 Gflop
//   estimate  17.5 us on H200, launches included
//   workspace 0 bytes in 0 slots
//   peak      33.1 MiB of inputs and outputs; one kernel per op would need 34.1 MiB
