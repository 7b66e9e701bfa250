// run: fusec %s --fn rows --target=c --tile across=2
// exit: 1
// run: fusec %s --fn columns --target=c --tile kind=loops,across=1
// exit: 1
// run: fusec %s --fn flat --target=c --tile across=1
// exit: 1
// run: fusec explain %s --fn rows -D K=4 -D N=512 --target=c
// Lanes may be rows where there are rows, and memory is not contiguous across them.
fn rows[N, K](x: f32[N, K]) -> (y: f32[N]) {
    y = sum(x);
}
fn columns[N, K](x: f32[N, K]) -> (y: f32[K]) {
    y = sum(x, axis = 0);
}
fn flat[N](x: f32[N]) -> (y: f32[N]) {
    y = exp(x);
}
// ---- expect
// fusec: error: kernel 'rows_0' cannot have the tile across=2: across is 1 or 0: lanes are rows, or columns
// fusec: note: without --tile it has kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
// fusec: error: kernel 'columns_0' cannot have the tile kind=loops,across=1: lanes are rows in any case
// fusec: note: without --tile it has kind=column,n=4096,rows=8,parallel=32768
// fusec: error: kernel 'flat_0' cannot have the tile across=1: there are no rows that could be lanes
// fusec: note: without --tile it has kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
// fn rows at -O2: 1 op in 1 kernel
//
// kernel rows_0: row over [512, 4] along 4
//   does      sum
//   reads     8.0 KiB: x
//   writes    2.0 KiB: y
//   computes  2.0 kflop, 0.20 for each byte moved
//   estimate  0.512 us, bound by memory
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=1,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=1
//
// total
//   moves     10.0 KiB
//   computes  2.0 kflop
//   estimate  1.51 us on core, launches included
//   workspace 0 bytes in 0 slots
//   peak      10.0 KiB of inputs and outputs
