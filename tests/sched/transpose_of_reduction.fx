// A reduction that is read along another axis cannot be: its rows are not at hand.
// run: fusec explain %s
// kernels: 2
fn f(x: f32[8, 8]) -> (y: f32[8, 8]) {
    y = x - sum(x, axis = 1);
}
// ---- expect
// fn f at -O2: 2 ops in 2 kernels
//
// kernel f_0: row over [8, 8] along 8
//   does      sum
//   reads     256 bytes: x
//   writes    32 bytes: sum_temp
//   computes  64 flop, 0.22 for each byte moved
//   estimate  0.000141 us, bound by memory
//   tile      kind=row,cluster=1,threads=256,row_threads=1,warp_columns=0,vector=4,keep=registers,unroll=4
//
// kernel f_1: pointwise over [8, 8]
//   does      sub
//   reads     288 bytes: x, sum_temp
//   writes    256 bytes: y
//   computes  64 flop, 0.12 for each byte moved
//   estimate  0.000267 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=2
//
// kept apart
//   f_0 | f_1: a reduction would be read through a view that moves elements (together they would save about 320 bytes and 2.5 us)
//     from %2 sum (5:13) to y (5:9)
//
// total
//   moves     832 bytes
//   computes  128 flop
//   estimate  5 us on A100, launches included
//   workspace 32 bytes in 1 slot
//   peak      544 bytes with inputs and outputs
