// Running sums of few long rows or columns are sums of chunks for a GPU, each with what is before it; what is
// computed of them stays in their kernel. Many rows, short ones, and those of a normalised row stay whole. Where no
// chunks divide an axis it is padded.
// run: fusec explain %s --machine=H200 --arch=sm_90a
fn row(x: f32[131072]) -> (y: f32[131072]) {
    y = cumsum(abs(x)) * 2.0;
}

fn from_the_end(x: bf16[3, 65536]) -> (y: f32[3, 65536], z: bf16[3, 65536]) {
    y = cumsum(x, reverse = true);
    z = (y - 1.0 as f32) as bf16;
}

fn column(x: i32[16384, 5]) -> (y: i32[16384, 5]) {
    y = cumsum(x, axis = 0);
}

fn middle(x: f32[2, 20000, 3]) -> (y: f32[2, 20000, 3]) {
    y = cumsum(x, axis = 1, reverse = true) - x;
}

fn prime(x: f32[131071]) -> (y: f32[131071]) {
    y = sqrt(cumsum(x * x));
}

fn many(x: f32[1024, 2048]) -> (y: f32[1024, 2048]) {
    y = cumsum(x);
}

fn nucleus(x: f32[2, 65536]) -> (y: bool[2, 65536]) {
    y = cumsum(softmax(x)) < 0.5;
}
// ---- expect
// fn row at -O2: 7 ops in 3 kernels
//
// kernel row_0: row over [64, 2048] along 2048
//   does      abs, sum
//   reads     512.0 KiB: x
//   writes    256 bytes: cumsum_parts
//   computes  262.1 kflop, 0.50 for each byte moved
//   estimate  0.109 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %3 abs (6:16)
//   saves     1.0 MiB by fusion
//
// kernel row_1: row over [64] along 64
//   does      cumsum
//   reads     256 bytes: cumsum_parts
//   writes    256 bytes: cumsum_temp
//   computes  64 flop, 0.12 for each byte moved
//   estimate  0.000107 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=8,warp_columns=0,vector=4,keep=registers,unroll=4
//
// kernel row_2: row over [64, 2048] along 2048
//   does      abs, cumsum, add, mul
//   reads     512.2 KiB: x, cumsum_temp
//   writes    512.0 KiB: y
//   computes  524.3 kflop, 0.50 for each byte moved
//   estimate  0.219 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %9 abs (6:16), %11 cumsum (6:9), %13 add (6:9)
//   saves     3.0 MiB by fusion
//
// kept apart
//   row_0 | row_1: they iterate over different shapes and the value between them is stored (together they would save about 512 bytes and 2.5 us)
//     from %5 sum (6:9) to %6 cumsum (6:9)
//   row_1 | row_2: they iterate over different shapes and the value between them is stored (together they would save about 512 bytes and 2.5 us)
//     from %6 cumsum (6:9) to %13 add (6:9)
//   row_0 | row_2: another kernel lies between them (together they would save about 512.0 KiB and 2.61 us)
//     beside each other: %3 abs (6:16) and %9 abs (6:16)
//
// total
//   moves     1.5 MiB; one kernel per op would move 5.5 MiB, 3.7 times as much
//   computes  786.5 kflop
//   estimate  7.83 us on H200, launches included
//   workspace 512 bytes in 2 slots
//   peak      1.0 MiB with inputs and outputs; one kernel per op would need 2.5 MiB
//
// fn from_the_end at -O2: 6 ops in 3 kernels
//
// kernel from_the_end_0: row over [3, 32, 2048] along 2048
//   does      sum
//   reads     384.0 KiB: x
//   writes    384 bytes: y_parts
//   computes  196.6 kflop, 0.50 for each byte moved
//   estimate  0.082 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=32,warp_columns=0,vector=8,keep=registers,unroll=4
//
// kernel from_the_end_1: row over [3, 32] along 32 from its end
//   does      cumsum
//   reads     384 bytes: y_parts
//   writes    384 bytes: cumsum_temp
//   computes  96 flop, 0.12 for each byte moved
//   estimate  0.00016 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=8,warp_columns=0,vector=1,keep=registers,unroll=16
//
// kernel from_the_end_2: row over [3, 32, 2048] along 2048 from its end
//   does      cumsum, add, sub, as
//   reads     384.4 KiB: x, cumsum_temp
//   writes    1.1 MiB: y, z
//   computes  589.8 kflop, 0.37 for each byte moved
//   estimate  0.328 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=1,keep=registers,unroll=16
//   inside    %9 cumsum (10:9), %17 sub (11:10)
//   saves     3.8 MiB by fusion
//
// kept apart
//   from_the_end_0 | from_the_end_1: they iterate over different shapes and the value between them is stored (together they would save about 768 bytes and 2.5 us)
//     from %5 sum (10:9) to %6 cumsum (10:9)
//   from_the_end_1 | from_the_end_2: they iterate over different shapes and the value between them is stored (together they would save about 768 bytes and 2.5 us)
//     from %6 cumsum (10:9) to %11 add (10:9)
//   from_the_end_0 | from_the_end_2: another kernel lies between them (together they would save about 384.0 KiB and 2.58 us)
//     beside each other: %5 sum (10:9) and %9 cumsum (10:9)
//
// total
//   moves     1.9 MiB; one kernel per op would move 5.6 MiB, 3.0 times as much
//   computes  786.5 kflop
//   estimate  7.91 us on H200, launches included
//   workspace 768 bytes in 2 slots
//   peak      1.5 MiB with inputs and outputs; one kernel per op would need 2.3 MiB
//
// fn column at -O2: 4 ops in 3 kernels
//
// kernel column_0: row over [128, 128, 5] along 128
//   does      sum
//   reads     320.0 KiB: x
//   writes    2.5 KiB: y_parts
//   computes  81.9 kflop, 0.25 for each byte moved
//   estimate  0.0688 us, bound by memory
//   tile      kind=column,threads=160,split=32,vector=1,keep=nothing,unroll=4
//
// kernel column_1: row over [128, 5] along 128
//   does      cumsum
//   reads     2.5 KiB: y_parts
//   writes    2.5 KiB: cumsum_temp
//   computes  640 flop, 0.12 for each byte moved
//   estimate  0.00107 us, bound by memory
//   tile      kind=column,threads=256,split=8,vector=1,keep=nothing,unroll=16
//
// kernel column_2: row over [128, 128, 5] along 128
//   does      cumsum, add
//   reads     322.5 KiB: x, cumsum_temp
//   writes    320.0 KiB: y
//   computes  163.8 kflop, 0.25 for each byte moved
//   estimate  0.137 us, bound by memory
//   tile      kind=column,threads=256,split=8,vector=1,keep=nothing,unroll=16
//   inside    %8 cumsum (15:9)
//   saves     640.0 KiB by fusion
//
// kept apart
//   column_0 | column_1: they iterate over different shapes and the value between them is stored (together they would save about 5.0 KiB and 2.5 us)
//     from %4 sum (15:9) to %5 cumsum (15:9)
//   column_1 | column_2: they iterate over different shapes and the value between them is stored (together they would save about 5.0 KiB and 2.5 us)
//     from %5 cumsum (15:9) to %10 add (15:9)
//   column_0 | column_2: another kernel lies between them (together they would save about 320.0 KiB and 2.57 us)
//     beside each other: %4 sum (15:9) and %8 cumsum (15:9)
//
// total
//   moves     970.0 KiB; one kernel per op would move 1.6 MiB, 1.7 times as much
//   computes  246.4 kflop
//   estimate  7.71 us on H200, launches included
//   workspace 5.0 KiB in 2 slots
//   peak      645.0 KiB with inputs and outputs; one kernel per op would need 962.5 KiB
//
// fn middle at -O2: 5 ops in 3 kernels
//
// kernel middle_0: row over [2, 160, 125, 3] along 125
//   does      sum
//   reads     468.8 KiB: x
//   writes    3.8 KiB: cumsum_parts
//   computes  120.0 kflop, 0.25 for each byte moved
//   estimate  0.101 us, bound by memory
//   tile      kind=column,threads=93,split=31,vector=1,keep=nothing,unroll=4
//
// kernel middle_1: row over [2, 160, 3] along 160 from its end
//   does      cumsum
//   reads     3.8 KiB: cumsum_parts
//   writes    3.8 KiB: cumsum_temp
//   computes  960 flop, 0.12 for each byte moved
//   estimate  0.0016 us, bound by memory
//   tile      kind=column,threads=512,split=16,vector=1,keep=nothing,unroll=16
//
// kernel middle_2: row over [2, 160, 125, 3] along 125 from its end
//   does      cumsum, add, sub
//   reads     472.5 KiB: x, cumsum_temp
//   writes    468.8 KiB: y
//   computes  360.0 kflop, 0.37 for each byte moved
//   estimate  0.201 us, bound by memory
//   tile      kind=column,threads=256,split=8,vector=1,keep=nothing,unroll=16
//   inside    %8 cumsum (19:9), %10 add (19:9)
//   saves     2.3 MiB by fusion
//
// kept apart
//   middle_0 | middle_1: they iterate over different shapes and the value between them is stored (together they would save about 7.5 KiB and 2.5 us)
//     from %4 sum (19:9) to %5 cumsum (19:9)
//   middle_1 | middle_2: they iterate over different shapes and the value between them is stored (together they would save about 7.5 KiB and 2.5 us)
//     from %5 cumsum (19:9) to %10 add (19:9)
//   middle_0 | middle_2: another kernel lies between them (together they would save about 468.8 KiB and 2.6 us)
//     beside each other: %4 sum (19:9) and %8 cumsum (19:9)
//
// total
//   moves     1.4 MiB; one kernel per op would move 3.7 MiB, 2.6 times as much
//   computes  481.0 kflop
//   estimate  7.8 us on H200, launches included
//   workspace 7.5 KiB in 2 slots
//   peak      945.0 KiB with inputs and outputs; one kernel per op would need 1.4 MiB
//
// fn prime at -O2: 8 ops in 3 kernels
//
// kernel prime_0: row over [63, 2088] along 2088
//   does      mul, sum
//   reads     512.0 KiB: x
//   writes    252 bytes: cumsum_parts
//   computes  262.6 kflop, 0.50 for each byte moved
//   estimate  0.109 us, bound by memory
//   tile      kind=row,cluster=1,threads=512,row_threads=512,warp_columns=0,vector=1,keep=registers,unroll=4
//   inside    %3 mul (23:21)
//   saves     1024.0 KiB by fusion
//
// kernel prime_1: row over [63] along 63
//   does      cumsum
//   reads     252 bytes: cumsum_parts
//   writes    252 bytes: cumsum_temp
//   computes  63 flop, 0.12 for each byte moved
//   estimate  0.000105 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=16,warp_columns=0,vector=1,keep=registers,unroll=16
//
// kernel prime_2: row over [63, 2088] along 2088
//   does      mul, cumsum, add, sqrt, slice
//   reads     512.2 KiB: x, cumsum_temp
//   writes    512.0 KiB: y
//   computes  525.7 kflop, 0.50 for each byte moved
//   estimate  0.219 us, bound by memory
//   tile      kind=row,cluster=1,threads=256,row_threads=256,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %10 mul (23:21), %13 cumsum (23:14), %15 add (23:14), %16 sqrt (23:9)
//   saves     4.0 MiB by fusion
//
// kept apart
//   prime_0 | prime_1: they iterate over different shapes and the value between them is stored (together they would save about 504 bytes and 2.5 us)
//     from %6 sum (23:14) to %7 cumsum (23:14)
//   prime_1 | prime_2: they iterate over different shapes and the value between them is stored (together they would save about 504 bytes and 2.5 us)
//     from %7 cumsum (23:14) to %15 add (23:14)
//   prime_0 | prime_2: another kernel lies between them (together they would save about 512.0 KiB and 2.61 us)
//     beside each other: %3 mul (23:21) and %10 mul (23:21)
//
// total
//   moves     1.5 MiB; one kernel per op would move 6.5 MiB, 4.3 times as much
//   computes  788.4 kflop
//   estimate  7.83 us on H200, launches included
//   workspace 504 bytes in 2 slots
//   peak      1.0 MiB with inputs and outputs; one kernel per op would need 2.5 MiB
//
// fn many at -O2: 1 op in 1 kernel
//
// kernel many_0: row over [1024, 2048] along 2048
//   does      cumsum
//   reads     8.0 MiB: x
//   writes    8.0 MiB: y
//   computes  2.1 Mflop, 0.12 for each byte moved
//   estimate  3.5 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=128,warp_columns=0,vector=4,keep=registers,unroll=4
//
// total
//   moves     16.0 MiB
//   computes  2.1 Mflop
//   estimate  6 us on H200, launches included
//   workspace 0 bytes in 0 slots
//   peak      16.0 MiB of inputs and outputs
//
// fn nucleus at -O2: 12 ops in 1 kernel
//
// kernel nucleus_0: row over [2, 65536] along 65536
//   does      max, 2 eq, 2 where, sub, exp, sum, div, mul, cumsum, lt
//   reads     512.0 KiB: x
//   writes    128.0 KiB: y
//   computes  917.5 kflop, 1.40 for each byte moved
//   estimate  0.137 us, bound by memory
//   tile      kind=row,cluster=1,threads=512,row_threads=512,warp_columns=0,vector=4,keep=nothing,unroll=8
//   inside    %2 max (31:16), %6 eq (31:16), %10 where (31:16), %12 sub (31:16), %13 exp (31:16), %14 sum (31:16) and 5 more
//   saves     5.0 MiB by fusion
//
// total
//   moves     640.0 KiB; one kernel per op would move 5.6 MiB, 9.0 times as much
//   computes  917.5 kflop
//   estimate  2.64 us on H200, launches included
//   workspace 0 bytes in 0 slots
//   peak      640.0 KiB of inputs and outputs; one kernel per op would need 1.6 MiB
