// run: fusec explain %s --target=c -D N=512
// Rows of few vectors are added up in one part, longer ones in four; up to 128 columns several rows are
// side by side, where more than one stage waits for a reduction.
fn few[N](x: f32[N, 64]) -> (y: f32[N]) { y = sum(x); }
fn more[N](x: f32[N, 65]) -> (y: f32[N]) { y = sum(x); }
fn short[N](x: f32[N, 128]) -> (y: f32[N, 128]) { y = softmax(x); }
fn long[N](x: f32[N, 129]) -> (y: f32[N, 129]) { y = softmax(x); }
// ---- expect
// fn few at -O2: 1 op in 1 kernel
//
// kernel few_0: row over [512, 64] along 64
//   does      sum
//   reads     128.0 KiB: x
//   writes    2.0 KiB: y
//   computes  32.8 kflop, 0.25 for each byte moved
//   estimate  6.66 us, bound by memory
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=1,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//
// total
//   moves     130.0 KiB
//   computes  32.8 kflop
//   estimate  7.66 us on core, launches included
//   workspace 0 bytes in 0 slots
//   peak      130.0 KiB of inputs and outputs
//
// fn more at -O2: 1 op in 1 kernel
//
// kernel more_0: row over [512, 65] along 65
//   does      sum
//   reads     130.0 KiB: x
//   writes    2.0 KiB: y
//   computes  33.3 kflop, 0.25 for each byte moved
//   estimate  6.76 us, bound by memory
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//
// total
//   moves     132.0 KiB
//   computes  33.3 kflop
//   estimate  7.76 us on core, launches included
//   workspace 0 bytes in 0 slots
//   peak      132.0 KiB of inputs and outputs
//
// fn short at -O2: 10 ops in 1 kernel
//
// kernel short_0: row over [512, 128] along 128
//   does      max, 2 eq, 2 where, sub, exp, sum, div, mul
//   reads     256.0 KiB: x
//   writes    256.0 KiB: y
//   computes  330.2 kflop, 0.63 for each byte moved
//   estimate  26.2 us, bound by memory
//   tile      kind=loops,rows=4,vectors=1,keep=memory,unroll=1,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//   inside    %2 max (6:55), %6 eq (6:55), %10 where (6:55), %12 sub (6:55), %13 exp (6:55), %14 sum (6:55) and 3 more
//   saves     1.5 MiB by fusion
//
// total
//   moves     512.0 KiB; one kernel per op would move 2.0 MiB, 4.1 times as much
//   computes  330.2 kflop
//   estimate  27.2 us on core, launches included
//   workspace 0 bytes in 0 slots
//   peak      512.0 KiB of inputs and outputs; one kernel per op would need 770.5 KiB
//
// fn long at -O2: 10 ops in 1 kernel
//
// kernel long_0: row over [512, 129] along 129
//   does      max, 2 eq, 2 where, sub, exp, sum, div, mul
//   reads     258.0 KiB: x
//   writes    258.0 KiB: y
//   computes  332.8 kflop, 0.63 for each byte moved
//   estimate  26.4 us, bound by memory
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//   inside    %2 max (7:54), %6 eq (7:54), %10 where (7:54), %12 sub (7:54), %13 exp (7:54), %14 sum (7:54) and 3 more
//   saves     1.5 MiB by fusion
//
// total
//   moves     516.0 KiB; one kernel per op would move 2.0 MiB, 4.1 times as much
//   computes  332.8 kflop
//   estimate  27.4 us on core, launches included
//   workspace 0 bytes in 0 slots
//   peak      516.0 KiB of inputs and outputs; one kernel per op would need 776.5 KiB
