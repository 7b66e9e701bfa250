// run: fusec %s --emit=tile --tile keep=shared,threads=64,row_threads=64 -D D=90
// exit: 1
// run: fusec explain %s -D D=20000
// Rows of running sums are not kept in shared memory, however long: threads beyond the end of a row
// take part in every step, and would write the row's last element beside the thread that has it.
fn scan[N, D](x: bf16[N, D]) -> (y: f32[N, D]) {
    y = cumsum(x as f32) / sum(exp(x as f32), keep = true);
}
// ---- expect
// fusec: error: kernel 'scan_0' cannot have the tile keep=shared,threads=64,row_threads=64: threads beyond the end of a scan would write its last element
// fusec: note: without --tile it has kind=row,cluster=1,threads=128,row_threads=16,warp_columns=0,vector=2,keep=registers,unroll=8
// fn scan at -O2: 4 ops in 1 kernel
// times and ratios are for N = 1024 (-D gives others)
//
// kernel scan_0: row over [N, 20000] along 20000
//   does      cumsum, exp, sum, div
//   reads     40000*N bytes: x
//   writes    80000*N bytes: y
//   computes  80000*N flop, 0.67 for each byte moved
//   estimate  96 % of the total time, bound by memory
//   tile      kind=row,cluster=1,threads=512,row_threads=512,warp_columns=0,vector=4,keep=nothing,unroll=8
//   inside    %3 cumsum (7:9), %4 exp (7:32), %5 sum (7:28)
//   saves     360008*N bytes by fusion
//
// total
//   moves     120000*N bytes; one kernel per op would move 480008*N bytes, 4.0 times as much
//   computes  80000*N flop
//   estimate  62.8 us on A100, launches included, with N = 1024
//   workspace 0 bytes in 0 slots
//   peak      120000*N bytes of inputs and outputs; one kernel per op would need 280004*N bytes
