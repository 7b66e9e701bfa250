// Columns side by side that are fewer than the lanes of a warp: a block takes all of them, in as many threads as they leave; few of them are split even if they are short.
// run: fusec explain %s --arch=sm_90a --machine=H200 --target=cuda
fn channels(x: bf16[64, 512, 512, 3]) -> (y: f32[3]) {
    y = mean(x as f32, axis = [0, 1, 2]);
}
fn images(x: f32[64, 224, 224, 3]) -> (y: f32[64, 3]) {
    y = max(x, axis = [1, 2]);
}
fn classes(x: f32[20000, 16]) -> (y: f32[16]) {
    y = sum(x, axis = 0);
}
fn wide(x: bf16[500000, 256]) -> (y: f32[256]) {
    y = sum(x as f32, axis = 0);
}
fn short(x: f32[100, 10]) -> (y: f32[10]) {
    y = sum(x, axis = 0);
}
// ---- expect
// fn channels at -O2: 3 ops in 2 kernels
//
// kernel channels_0: row over [512, 32768, 3] along 32768
//   does      sum
//   reads     96.0 MiB: x
//   writes    6.0 KiB: sum_parts
//   computes  50.3 Mflop, 0.50 for each byte moved
//   estimate  21 us, bound by memory
//   tile      kind=column,threads=510,split=170,vector=1,keep=nothing,unroll=8
//
// kernel channels_1: row over [512, 3] along 512
//   does      sum, mul
//   reads     6.0 KiB: sum_parts
//   writes    12 bytes: y
//   computes  1.5 kflop, 0.25 for each byte moved
//   estimate  0.00128 us, bound by memory
//   tile      kind=column,threads=384,split=128,vector=1,keep=nothing,unroll=4
//   inside    %7 sum (4:9)
//   saves     24 bytes by fusion
//
// kept apart
//   channels_0 | channels_1: they iterate over different shapes and the value between them is stored (together they would save about 12.0 KiB and 2.5 us)
//     from %5 sum (4:9) to %7 sum (4:9)
//
// total
//   moves     96.0 MiB; one kernel per op would move 96.0 MiB, 1.0 times as much
//   computes  50.3 Mflop
//   estimate  26 us on H200, launches included
//   workspace 6.0 KiB in 1 slot
//   peak      96.0 MiB with inputs and outputs; one kernel per op would need 96.0 MiB
//
// fn images at -O2: 2 ops in 2 kernels
//
// kernel images_0: row over [64, 8, 6272, 3] along 6272
//   does      max
//   reads     36.8 MiB: x
//   writes    6.0 KiB: max_parts
//   computes  9.6 Mflop, 0.25 for each byte moved
//   estimate  8.03 us, bound by memory
//   tile      kind=column,threads=510,split=170,vector=1,keep=nothing,unroll=4
//
// kernel images_1: row over [64, 8, 3] along 8
//   does      max
//   reads     6.0 KiB: max_parts
//   writes    768 bytes: y
//   computes  1.5 kflop, 0.22 for each byte moved
//   estimate  0.00144 us, bound by memory
//   tile      kind=column,threads=128,split=2,vector=1,keep=nothing,unroll=4
//
// kept apart
//   images_0 | images_1: they iterate over different shapes and the value between them is stored (together they would save about 12.0 KiB and 2.5 us)
//     from %4 max (7:9) to %6 max (7:9)
//
// total
//   moves     36.8 MiB
//   computes  9.6 Mflop
//   estimate  13 us on H200, launches included
//   workspace 6.0 KiB in 1 slot
//   peak      36.8 MiB with inputs and outputs
//
// fn classes at -O2: 2 ops in 2 kernels
//
// kernel classes_0: row over [125, 160, 16] along 160
//   does      sum
//   reads     1.2 MiB: x
//   writes    7.8 KiB: sum_parts
//   computes  320.0 kflop, 0.25 for each byte moved
//   estimate  0.268 us, bound by memory
//   tile      kind=column,threads=160,split=40,vector=4,keep=nothing,unroll=4
//
// kernel classes_1: row over [125, 16] along 125
//   does      sum
//   reads     7.8 KiB: sum_parts
//   writes    64 bytes: y
//   computes  2.0 kflop, 0.25 for each byte moved
//   estimate  0.00168 us, bound by memory
//   tile      kind=column,threads=124,split=31,vector=4,keep=nothing,unroll=4
//
// kept apart
//   classes_0 | classes_1: they iterate over different shapes and the value between them is stored (together they would save about 15.6 KiB and 2.5 us)
//     from %3 sum (10:9) to %5 sum (10:9)
//
// total
//   moves     1.2 MiB
//   computes  322.0 kflop
//   estimate  5.27 us on H200, launches included
//   workspace 7.8 KiB in 1 slot
//   peak      1.2 MiB with inputs and outputs
//
// fn wide at -O2: 2 ops in 2 kernels
//
// kernel wide_0: row over [125, 4000, 256] along 4000
//   does      sum
//   reads     244.1 MiB: x
//   writes    125.0 KiB: sum_parts
//   computes  128.0 Mflop, 0.50 for each byte moved
//   estimate  53.4 us, bound by memory
//   tile      kind=column,threads=1024,split=32,vector=2,keep=nothing,unroll=4
//
// kernel wide_1: row over [125, 256] along 125
//   does      sum
//   reads     125.0 KiB: sum_parts
//   writes    1.0 KiB: y
//   computes  32.0 kflop, 0.25 for each byte moved
//   estimate  0.0269 us, bound by memory
//   tile      kind=column,threads=1024,split=32,vector=1,keep=nothing,unroll=4
//
// kept apart
//   wide_0 | wide_1: they iterate over different shapes and the value between them is stored (together they would save about 250.0 KiB and 2.55 us)
//     from %4 sum (13:9) to %6 sum (13:9)
//
// total
//   moves     244.4 MiB
//   computes  128.0 Mflop
//   estimate  58.4 us on H200, launches included
//   workspace 125.0 KiB in 1 slot
//   peak      244.3 MiB with inputs and outputs
//
// fn short at -O2: 1 op in 1 kernel
//
// kernel short_0: row over [100, 10] along 100
//   does      sum
//   reads     3.9 KiB: x
//   writes    40 bytes: y
//   computes  1.0 kflop, 0.25 for each byte moved
//   estimate  0.000842 us, bound by memory
//   tile      kind=column,threads=125,split=25,vector=2,keep=nothing,unroll=4
//
// total
//   moves     3.9 KiB
//   computes  1.0 kflop
//   estimate  2.5 us on H200, launches included
//   workspace 0 bytes in 0 slots
//   peak      3.9 KiB of inputs and outputs
