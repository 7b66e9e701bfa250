// run: fusec explain %s --target=c -D N=512
// Rows of few vectors are added up in one part, longer ones in four.
fn short[N](x: f32[N, 64]) -> (y: f32[N, 64]) { y = softmax(x); }
fn long[N](x: f32[N, 65]) -> (y: f32[N, 65]) { y = softmax(x); }
// ---- expect
// fn short at -O2: 10 ops in 1 kernel
//
// kernel short_0: row over [512, 64] along 64
//   does      max, 2 eq, 2 where, sub, exp, sum, div, mul
//   reads     128.0 KiB: x
//   writes    128.0 KiB: y
//   computes  166.4 kflop, 0.63 for each byte moved
//   estimate  13.1 us, bound by memory
//   tile      kind=loops,vectors=1,keep=memory,unroll=1,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//   inside    %2 max (3:53), %6 eq (3:53), %10 where (3:53), %12 sub (3:53), %13 exp (3:53), %14 sum (3:53) and 3 more
//   saves     794.0 KiB by fusion
//
// total
//   moves     256.0 KiB; one kernel per op would move 1.0 MiB, 4.1 times as much
//   computes  166.4 kflop
//   estimate  14.1 us on core, launches included
//   workspace 0 bytes in 0 slots
//   peak      256.0 KiB of inputs and outputs; one kernel per op would need 386.5 KiB
//
// fn long at -O2: 10 ops in 1 kernel
//
// kernel long_0: row over [512, 65] along 65
//   does      max, 2 eq, 2 where, sub, exp, sum, div, mul
//   reads     130.0 KiB: x
//   writes    130.0 KiB: y
//   computes  169.0 kflop, 0.63 for each byte moved
//   estimate  13.3 us, bound by memory
//   tile      kind=loops,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//   inside    %2 max (4:52), %6 eq (4:52), %10 where (4:52), %12 sub (4:52), %13 exp (4:52), %14 sum (4:52) and 3 more
//   saves     806.0 KiB by fusion
//
// total
//   moves     260.0 KiB; one kernel per op would move 1.0 MiB, 4.1 times as much
//   computes  169.0 kflop
//   estimate  14.3 us on core, launches included
//   workspace 0 bytes in 0 slots
//   peak      260.0 KiB of inputs and outputs; one kernel per op would need 392.5 KiB
