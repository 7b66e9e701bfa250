// On a CPU a sum over all axes is of contiguous chunks, even if no axis but an inner one is divided
// well: chunks of an inner axis would be pieces of every outer row. What is left of the row is added last.
// run: fusec explain %s --target=c --fn=inner
// run: fusec explain %s --target=c --fn=outermost
fn inner(x: bf16[1457, 94, 3]) -> (y: f32) {
    y = mean(x, axis = [0, 1, 2]);
}

fn outermost(x: f32[64, 1250, 7]) -> (y: f32) {
    y = sum(x, axis = [0, 1, 2]);
}
// ---- expect
// fn inner at -O2: 3 ops in 2 kernels
//
// kernel inner_0: row over [94, 4371] along 4371
//   does      sum
//   reads     802.5 KiB: x
//   writes    376 bytes: sum_parts
//   computes  410.9 kflop, 0.50 for each byte moved
//   estimate  41.1 us, bound by memory
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//
// kernel inner_1: row over [94] along 94
//   does      sum, div
//   reads     376 bytes: sum_parts
//   writes    4 bytes: y
//   computes  95 flop, 0.25 for each byte moved
//   estimate  0.019 us, bound by memory
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//   inside    %7 sum (6:9)
//   saves     8 bytes by fusion
//
// kept apart
//   inner_0 | inner_1: they iterate over different shapes and the value between them is stored (together they would save about 752 bytes and 1.04 us)
//     from %5 sum (6:9) to %7 sum (6:9)
//
// total
//   moves     803.2 KiB; one kernel per op would move 803.2 KiB, 1.0 times as much
//   computes  411.0 kflop
//   estimate  43.1 us on core, launches included
//   workspace 376 bytes in 1 slot
//   peak      802.9 KiB with inputs and outputs; one kernel per op would need 802.9 KiB
// fn outermost at -O2: 2 ops in 2 kernels
//
// kernel outermost_0: row over [128, 4375] along 4375
//   does      sum
//   reads     2.1 MiB: x
//   writes    512 bytes: sum_parts
//   computes  560.0 kflop, 0.25 for each byte moved
//   estimate  112 us, bound by memory
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//
// kernel outermost_1: row over [128] along 128
//   does      sum
//   reads     512 bytes: sum_parts
//   writes    4 bytes: y
//   computes  128 flop, 0.25 for each byte moved
//   estimate  0.0258 us, bound by memory
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//
// kept apart
//   outermost_0 | outermost_1: they iterate over different shapes and the value between them is stored (together they would save about 1.0 KiB and 1.05 us)
//     from %4 sum (10:9) to %6 sum (10:9)
//
// total
//   moves     2.1 MiB
//   computes  560.1 kflop
//   estimate  114 us on core, launches included
//   workspace 512 bytes in 1 slot
//   peak      2.1 MiB with inputs and outputs
