// Sums of few short rows: each element goes through parts of the positions, and a second kernel adds up the parts. There
// is no sort, except for what is no sum; more rows take pieces of sorted positions.
// run: fusec explain %s --arch=sm_90a
fn few(w: f32[176, 2], i: i32[35368], x: f32[35368, 2]) -> (y: f32[176, 2]) { y = scatter(w, i, x); }
fn counts(i: i32[1000000]) -> (c: i32[16]) { c = scatter(full(0, 16), i, 1); }
fn largest(w: f32[176, 2], i: i32[35368], x: f32[35368, 2]) -> (y: f32[176, 2]) { y = scatter(w, i, x, with = max); }
fn more(w: f32[2000, 2], i: i32[35368], x: f32[35368, 2]) -> (y: f32[2000, 2]) { y = scatter(w, i, x); }
fn scaled(i: i32[35368], x: f32[35368, 2], s: f32[35368, 1]) -> (y: f32[176, 2]) { y = scatter(full(0.0, 176, 2), i, x * s); }
fn costly(i: i32[35368], x: f32[35368, 2]) -> (y: f32[176, 2]) { y = scatter(full(0.0, 176, 2), i, exp(x)); }
// ---- expect
// fn few at -O2: 11 ops in 2 kernels
//
// kernel few_0: pointwise over [552, 176, 2]
//   does      max, 3 min, eq, where, mul, add, combine
//   reads     414.5 KiB: i, x
//   writes    759.0 KiB: part_sums
//   computes  25.0 Mflop, 20.78 for each byte moved
//   estimate  0.359 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=2,unroll=1
//   inside    %8 max (4:83), %11 min (4:83), %17 eq (4:83), %23 where (4:83), %28 mul (4:83), %32 min (4:83) and 2 more
//   saves     60.5 MiB by fusion
//
// kernel few_1: row over [552, 176, 2] along 552
//   does      sum, add
//   reads     760.4 KiB: part_sums, w
//   writes    1.4 KiB: y
//   computes  194.7 kflop, 0.25 for each byte moved
//   estimate  0.233 us, bound by memory
//   tile      kind=column,threads=1024,split=32,vector=1,keep=nothing,unroll=4
//   inside    %38 sum (4:83)
//   saves     2.8 KiB by fusion
//
// kept apart
//   few_0 | few_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 1.5 MiB and 2.88 us)
//     from %37 combine (4:83) to %38 sum (4:83)
//
// total
//   moves     1.9 MiB; one kernel per op would move 121.2 MiB, 64.1 times as much
//   computes  25.2 Mflop
//   estimate  5.59 us on H100, launches included
//   workspace 759.0 KiB in 1 slot
//   peak      1.1 MiB with inputs and outputs; one kernel per op would need 60.5 MiB
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
// fn largest at -O2: 7 ops in 3 kernels
//
// kernel largest_0: segments over [35368]
//   does      max, min, tally
//   reads     138.2 KiB: i
//   writes    88.0 KiB: tally
//   computes  70.7 kflop, 0.31 for each byte moved
//   estimate  0.0691 us, bound by memory
//   tile      kind=segments,m=176,threads=1024
//   inside    %8 max (6:87), %11 min (6:87)
//   saves     552.6 KiB by fusion
//
// kernel largest_1: segments over [35368]
//   does      max, min, groups
//   reads     226.2 KiB: i, tally
//   writes    138.8 KiB: groups
//   computes  70.7 kflop, 0.19 for each byte moved
//   estimate  0.112 us, bound by memory
//   tile      kind=segments,m=176,threads=1024
//   inside    %8 max (6:87), %11 min (6:87)
//   saves     552.6 KiB by fusion
//
// kernel largest_2: pointwise over [176, 2]
//   does      combine
//   reads     416.5 KiB: w, groups, x
//   writes    1.4 KiB: y
//   computes  0 flop, 0.00 for each byte moved
//   estimate  0.128 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=2,unroll=1
//
// kept apart
//   largest_0 | largest_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 314.2 KiB and 2.6 us)
//     from %12 tally (6:87) to %13 groups (6:87)
//   largest_1 | largest_2: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 277.7 KiB and 2.58 us)
//     from %13 groups (6:87) to y (6:87)
//
// total
//   moves     1009.1 KiB; one kernel per op would move 1.5 MiB, 1.5 times as much
//   computes  141.5 kflop
//   estimate  7.81 us on H100, launches included
//   workspace 226.8 KiB in 2 slots
//   peak      644.1 KiB with inputs and outputs; one kernel per op would need 782.2 KiB
//
// fn more at -O2: 38 ops in 5 kernels
//
// kernel more_0: segments over [35368]
//   does      max, min, tally
//   reads     138.2 KiB: i
//   writes    128.0 KiB: tally
//   computes  70.7 kflop, 0.26 for each byte moved
//   estimate  0.0814 us, bound by memory
//   tile      kind=segments,m=256,threads=1024
//   inside    %8 max (7:86), %11 min (7:86)
//   saves     552.6 KiB by fusion
//
// kernel more_1: segments over [35368]
//   does      max, min, groups
//   reads     266.2 KiB: i, tally
//   writes    139.2 KiB: groups
//   computes  70.7 kflop, 0.17 for each byte moved
//   estimate  0.124 us, bound by memory
//   tile      kind=segments,m=256,threads=1024
//   inside    %8 max (7:86), %11 min (7:86)
//   saves     552.6 KiB by fusion
//
// kernel more_2: segments over [35368]
//   does      max, min, grouped
//   reads     277.3 KiB: i, groups
//   writes    146.0 KiB: grouped_temp
//   computes  70.7 kflop, 0.16 for each byte moved
//   estimate  0.129 us, bound by memory
//   tile      kind=segments,m=512,threads=512
//   inside    %8 max (7:86), %11 min (7:86)
//   saves     552.6 KiB by fusion
//
// kernel more_3: pointwise over [552, 2]
//   does      mul, 5 min, add, 4 take, sub, 2 max, eq, where, combine
//   reads     456.8 KiB: grouped_temp, i, x
//   writes    4.3 KiB: piece_sums
//   computes  6.6 kflop, 0.01 for each byte moved
//   estimate  0.141 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=2,unroll=1
//   inside    %36 mul (7:86), %39 min (7:86), %40 add (7:86), %41 min (7:86), %45 min (7:86), %46 take (7:86) and 10 more
//   saves     586.6 KiB by fusion
//
// kernel more_4: pointwise over [2000, 2]
//   does      add, 2 div, max, lt, 2 mul, 2 where, 3 combine
//   reads     442.2 KiB: grouped_temp, w, x, piece_sums
//   writes    15.6 KiB: y
//   computes  18.0 kflop, 0.04 for each byte moved
//   estimate  0.14 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=2,unroll=1
//   inside    %22 add (7:86), %25 div (7:86), %26 div (7:86), %27 max (7:86), %28 lt (7:86), %29 mul (7:86) and 5 more
//   saves     1.2 MiB by fusion
//
// kept apart
//   more_1 | more_2: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 416.5 KiB and 2.63 us)
//     from %13 groups (7:86) to %14 grouped (7:86)
//   more_0 | more_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 394.2 KiB and 2.62 us)
//     from %12 tally (7:86) to %13 groups (7:86)
//   more_2 | more_4: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 146.0 KiB and 2.54 us)
//     from %14 grouped (7:86) to %22 add (7:86)
//   more_2 | more_3: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 284.1 KiB and 2.59 us)
//     from %14 grouped (7:86) to %46 take (7:86)
//   more_3 | more_4: recomputing the producer for every reader costs more than storing it (together they would save about 430.9 KiB and 2.63 us)
//     from %69 combine (7:86) to %71 combine (7:86)
//
// total
//   moves     2.0 MiB; one kernel per op would move 3.3 MiB, 1.7 times as much
//   computes  236.8 kflop
//   estimate  13.1 us on H100, launches included
//   workspace 285.1 KiB in 2 slots
//   peak      730.9 KiB with inputs and outputs; one kernel per op would need 918.9 KiB
//
// fn scaled at -O2: 12 ops in 2 kernels
//
// kernel scaled_0: pointwise over [552, 176, 2]
//   does      2 mul, max, 3 min, eq, where, add, combine
//   reads     552.6 KiB: x, s, i
//   writes    759.0 KiB: part_sums
//   computes  25.0 Mflop, 18.65 for each byte moved
//   estimate  0.401 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=2,unroll=1
//   inside    %8 mul (8:118), %13 max (8:88), %16 min (8:88), %22 eq (8:88), %27 where (8:88), %32 mul (8:88) and 3 more
//   saves     61.3 MiB by fusion
//
// kernel scaled_1: row over [552, 176, 2] along 552
//   does      sum, add
//   reads     759.0 KiB: part_sums
//   writes    1.4 KiB: y
//   computes  194.7 kflop, 0.25 for each byte moved
//   estimate  0.232 us, bound by memory
//   tile      kind=column,threads=1024,split=32,vector=1,keep=nothing,unroll=4
//   inside    %42 sum (8:88)
//   saves     2.8 KiB by fusion
//
// kept apart
//   scaled_0 | scaled_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 1.5 MiB and 2.91 us)
//     from %41 combine (8:88) to %42 sum (8:88)
//
// total
//   moves     2.0 MiB; one kernel per op would move 121.9 MiB, 60.2 times as much
//   computes  25.2 Mflop
//   estimate  5.63 us on H100, launches included
//   workspace 759.0 KiB in 1 slot
//   peak      1.3 MiB with inputs and outputs; one kernel per op would need 60.9 MiB
//
// fn costly at -O2: 8 ops in 3 kernels
//
// kernel costly_0: segments over [35368]
//   does      max, min, tally
//   reads     138.2 KiB: i
//   writes    88.0 KiB: tally
//   computes  70.7 kflop, 0.31 for each byte moved
//   estimate  0.0691 us, bound by memory
//   tile      kind=segments,m=176,threads=1024
//   inside    %11 max (9:70), %14 min (9:70)
//   saves     552.6 KiB by fusion
//
// kernel costly_1: segments over [35368]
//   does      max, min, groups
//   reads     226.2 KiB: i, tally
//   writes    138.8 KiB: groups
//   computes  70.7 kflop, 0.19 for each byte moved
//   estimate  0.112 us, bound by memory
//   tile      kind=segments,m=176,threads=1024
//   inside    %11 max (9:70), %14 min (9:70)
//   saves     552.6 KiB by fusion
//
// kernel costly_2: pointwise over [176, 2]
//   does      exp, combine
//   reads     415.2 KiB: x, groups
//   writes    1.4 KiB: y
//   computes  70.7 kflop, 0.17 for each byte moved
//   estimate  0.127 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=2,unroll=1
//   inside    %6 exp (9:100)
//   saves     552.6 KiB by fusion
//
// kept apart
//   costly_0 | costly_1: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 314.2 KiB and 2.6 us)
//     from %15 tally (9:70) to %16 groups (9:70)
//   costly_1 | costly_2: a scatter is fused only with pointwise work, its sort of indices only with what computes them (together they would save about 277.7 KiB and 2.58 us)
//     from %16 groups (9:70) to y (9:70)
//
// total
//   moves     1007.7 KiB; one kernel per op would move 2.1 MiB, 2.1 times as much
//   computes  212.2 kflop
//   estimate  7.81 us on H100, launches included
//   workspace 226.8 KiB in 2 slots
//   peak      642.7 KiB with inputs and outputs; one kernel per op would need 1.0 MiB
