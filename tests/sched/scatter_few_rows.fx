// Scatters into few elements: warps combine what they read in shared memory, and a second kernel combines the results of
// blocks. There is no sort; counts are counted.
// run: fusec explain %s --arch=sm_90a
fn few(w: f32[176, 2], i: i32[35368], x: f32[35368, 2]) -> (y: f32[176, 2]) { y = scatter(w, i, x); }
fn counts(i: i32[1000000]) -> (c: i32[16]) { c = scatter(full(0, 16), i, 1); }
fn largest(w: f32[176, 2], i: i32[35368], x: f32[35368, 2]) -> (y: f32[176, 2]) { y = scatter(w, i, x, with = max); }
fn more(w: f32[2000, 2], i: i32[35368], x: f32[35368, 2]) -> (y: f32[2000, 2]) { y = scatter(w, i, x); }
fn scaled(i: i32[35368], x: f32[35368, 2], s: f32[35368, 1]) -> (y: f32[176, 2]) { y = scatter(full(0.0, 176, 2), i, x * s); }
fn costly(i: i32[35368], x: f32[35368, 2]) -> (y: f32[176, 2]) { y = scatter(full(0.0, 176, 2), i, exp(x)); }
// ---- expect
// fn few at -O2: 5 ops in 2 kernels
//
// kernel few_0: segments over [35368, 2]
//   does      max, min, binned
//   reads     414.5 KiB: i, x
//   writes    48.1 KiB: part_sums
//   computes  70.7 kflop, 0.15 for each byte moved
//   estimate  0.141 us, bound by memory
//   tile      kind=binned,m=2,threads=1024
//   inside    %8 max (4:83), %11 min (4:83)
//   saves     552.6 KiB by fusion
//
// kernel few_1: row over [35, 176, 2] along 35
//   does      sum, add
//   reads     49.5 KiB: part_sums, w
//   writes    1.4 KiB: y
//   computes  12.7 kflop, 0.24 for each byte moved
//   estimate  0.0156 us, bound by memory
//   tile      kind=column,threads=512,split=16,vector=1,keep=nothing,unroll=4
//   inside    %13 sum (4:83)
//   saves     2.8 KiB by fusion
//
// kept apart
//   few_0 | few_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 96.2 KiB and 2.53 us)
//     from %12 binned (4:83) to %13 sum (4:83)
//
// total
//   moves     513.5 KiB; one kernel per op would move 1.0 MiB, 2.1 times as much
//   computes  83.4 kflop
//   estimate  5.16 us on H100, launches included
//   workspace 48.1 KiB in 1 slot
//   peak      465.3 KiB with inputs and outputs; one kernel per op would need 603.5 KiB
//
// fn counts at -O2: 4 ops in 2 kernels
//
// kernel counts_0: segments over [1000000]
//   does      max, min, tally
//   reads     3.8 MiB: i
//   writes    15.2 KiB: tally
//   computes  2.0 Mflop, 0.50 for each byte moved
//   estimate  1.2 us, bound by memory
//   tile      kind=segments,m=16,threads=1024
//   inside    %6 max (5:50), %9 min (5:50)
//   saves     15.3 MiB by fusion
//
// kernel counts_1: row over [244, 16] along 244
//   does      sum
//   reads     15.2 KiB: tally
//   writes    64 bytes: c
//   computes  3.9 kflop, 0.25 for each byte moved
//   estimate  0.00468 us, bound by memory
//   tile      kind=column,threads=244,split=61,vector=4,keep=nothing,unroll=4
//
// kept apart
//   counts_0 | counts_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 30.5 KiB and 2.51 us)
//     from %10 tally (5:50) to %11 sum (5:50)
//
// total
//   moves     3.8 MiB; one kernel per op would move 19.1 MiB, 5.0 times as much
//   computes  2.0 Mflop
//   estimate  6.2 us on H100, launches included
//   workspace 15.2 KiB in 1 slot
//   peak      3.8 MiB with inputs and outputs; one kernel per op would need 7.6 MiB
//
// fn largest at -O2: 5 ops in 2 kernels
//
// kernel largest_0: segments over [35368, 2]
//   does      max, min, binned
//   reads     414.5 KiB: i, x
//   writes    48.1 KiB: part_sums
//   computes  70.7 kflop, 0.15 for each byte moved
//   estimate  0.141 us, bound by memory
//   tile      kind=binned,m=2,threads=1024
//   inside    %8 max (6:87), %11 min (6:87)
//   saves     552.6 KiB by fusion
//
// kernel largest_1: row over [35, 176, 2] along 35
//   does      max, max
//   reads     49.5 KiB: part_sums, w
//   writes    1.4 KiB: y
//   computes  12.7 kflop, 0.24 for each byte moved
//   estimate  0.0156 us, bound by memory
//   tile      kind=column,threads=512,split=16,vector=1,keep=nothing,unroll=4
//   inside    %13 max (6:87)
//   saves     2.8 KiB by fusion
//
// kept apart
//   largest_0 | largest_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 96.2 KiB and 2.53 us)
//     from %12 binned (6:87) to %13 max (6:87)
//
// total
//   moves     513.5 KiB; one kernel per op would move 1.0 MiB, 2.1 times as much
//   computes  83.4 kflop
//   estimate  5.16 us on H100, launches included
//   workspace 48.1 KiB in 1 slot
//   peak      465.3 KiB with inputs and outputs; one kernel per op would need 603.5 KiB
//
// fn more at -O2: 5 ops in 2 kernels
//
// kernel more_0: segments over [35368, 2]
//   does      max, min, binned
//   reads     414.5 KiB: i, x
//   writes    546.9 KiB: part_sums
//   computes  70.7 kflop, 0.07 for each byte moved
//   estimate  0.294 us, bound by memory
//   tile      kind=binned,m=8,threads=448
//   inside    %8 max (7:86), %11 min (7:86)
//   saves     552.6 KiB by fusion
//
// kernel more_1: row over [35, 2000, 2] along 35
//   does      sum, add
//   reads     562.5 KiB: part_sums, w
//   writes    15.6 KiB: y
//   computes  144.0 kflop, 0.24 for each byte moved
//   estimate  0.177 us, bound by memory
//   tile      kind=column,threads=512,split=16,vector=1,keep=nothing,unroll=4
//   inside    %13 sum (7:86)
//   saves     31.2 KiB by fusion
//
// kept apart
//   more_0 | more_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 1.1 MiB and 2.83 us)
//     from %12 binned (7:86) to %13 sum (7:86)
//
// total
//   moves     1.5 MiB; one kernel per op would move 2.1 MiB, 1.4 times as much
//   computes  214.7 kflop
//   estimate  5.47 us on H100, launches included
//   workspace 546.9 KiB in 1 slot
//   peak      992.6 KiB with inputs and outputs; one kernel per op would need 1.1 MiB
//
// fn scaled at -O2: 5 ops in 2 kernels
//
// kernel scaled_0: segments over [35368, 2]
//   does      mul, max, min, binned
//   reads     552.6 KiB: x, s, i
//   writes    48.1 KiB: part_sums
//   computes  141.5 kflop, 0.23 for each byte moved
//   estimate  0.184 us, bound by memory
//   tile      kind=binned,m=2,threads=1024
//   inside    %5 mul (8:118), %10 max (8:88), %13 min (8:88)
//   saves     1.1 MiB by fusion
//
// kernel scaled_1: row over [35, 176, 2] along 35
//   does      sum
//   reads     48.1 KiB: part_sums
//   writes    1.4 KiB: y
//   computes  12.3 kflop, 0.24 for each byte moved
//   estimate  0.0151 us, bound by memory
//   tile      kind=column,threads=512,split=16,vector=1,keep=nothing,unroll=4
//
// kept apart
//   scaled_0 | scaled_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 96.2 KiB and 2.53 us)
//     from %14 binned (8:88) to %15 sum (8:88)
//
// total
//   moves     650.2 KiB; one kernel per op would move 1.7 MiB, 2.7 times as much
//   computes  153.8 kflop
//   estimate  5.2 us on H100, launches included
//   workspace 48.1 KiB in 1 slot
//   peak      602.1 KiB with inputs and outputs; one kernel per op would need 1016.6 KiB
//
// fn costly at -O2: 5 ops in 2 kernels
//
// kernel costly_0: segments over [35368, 2]
//   does      exp, max, min, binned
//   reads     414.5 KiB: x, i
//   writes    48.1 KiB: part_sums
//   computes  141.5 kflop, 0.30 for each byte moved
//   estimate  0.141 us, bound by memory
//   tile      kind=binned,m=2,threads=1024
//   inside    %3 exp (9:100), %8 max (9:70), %11 min (9:70)
//   saves     1.1 MiB by fusion
//
// kernel costly_1: row over [35, 176, 2] along 35
//   does      sum
//   reads     48.1 KiB: part_sums
//   writes    1.4 KiB: y
//   computes  12.3 kflop, 0.24 for each byte moved
//   estimate  0.0151 us, bound by memory
//   tile      kind=column,threads=512,split=16,vector=1,keep=nothing,unroll=4
//
// kept apart
//   costly_0 | costly_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 96.2 KiB and 2.53 us)
//     from %12 binned (9:70) to %13 sum (9:70)
//
// total
//   moves     512.1 KiB; one kernel per op would move 1.6 MiB, 3.2 times as much
//   computes  153.8 kflop
//   estimate  5.16 us on H100, launches included
//   workspace 48.1 KiB in 1 slot
//   peak      464.0 KiB with inputs and outputs; one kernel per op would need 878.4 KiB
