// run: fusec explain %s -D N=8192
// kernels: 2
// 64 tiles across: every one would compute the exponentials again.
fn f[N](x: f32[N, 64], w: f32[64, N]) -> (y: f32[N, N]) {
    h = exp(x);
    y = h @ w;
}
// ---- expect
// fn f at -O2: 2 ops in 2 kernels
//
// kernel f_0: pointwise over [8192, 64]
//   does      exp
//   reads     2.0 MiB: x
//   writes    2.0 MiB: h
//   computes  524.3 kflop, 0.12 for each byte moved
//   estimate  2.06 us, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
//
// kernel f_1: dot over [8192, 8192]
//   does      matmul
//   reads     4.0 MiB: h, w
//   writes    256.0 MiB: y
//   computes  8.6 Gflop, 31.51 for each byte moved
//   estimate  442 us, bound by arithmetic
//   tile      kind=fma,m=128,n=128,k=16,threads_m=16,threads_n=8,stages=3,blocks=2
//
// kept apart
//   f_0 | f_1: recomputing the producer for every reader costs more than storing it (together they would take about 141 us more)
//     from %3 exp (5:9) to y (6:9)
//
// total
//   moves     264.0 MiB
//   computes  8.6 Gflop
//   estimate  449 us on A100, launches included
//   workspace 2.0 MiB in 1 slot
//   peak      262.0 MiB with inputs and outputs
