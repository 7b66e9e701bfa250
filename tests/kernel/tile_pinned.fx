// run: fusec explain %s --tile m=64 --tile halves_0:keep=nothing,row_threads=16 -D N=512
// run: fusec %s --emit=plan --json --target=c -D N=512 -o %t.json
// A pin without a name is for all kernels that have the key. Bodies of one kernel agree.
fn halves[N](x: bf16[N, 96], w: bf16[N, 96]) -> (y: bf16[N, 96], m: f32[N]) {
    m = mean(x * x);
    y = (x @ (transpose(w) @ w)) as bf16;
}
// ---- expect
// fn halves at -O2: 6 ops in 3 kernels
//
// kernel halves_0: row over [512, 96] along 96
//   does      mul, sum, div
//   reads     96.0 KiB: x
//   writes    2.0 KiB: m
//   computes  98.8 kflop, 0.98 for each byte moved
//   estimate  0.0492 us, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=16,warp_columns=0,vector=8,keep=nothing,unroll=4
//   inside    %4 mul (5:14), %5 sum (5:9)
//   saves     388.0 KiB by fusion
//
// kernel halves_1: dot over [96, 96]
//   does      matmul
//   reads     96.0 KiB: w
//   writes    36.0 KiB: matmul_temp
//   computes  9.4 Mflop, 69.82 for each byte moved
//   estimate  5.81 us, bound by matrix products
//   tile      kind=mma,m=64,n=64,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=4,vector=4,unroll=4,operand_unroll=4
//
// kernel halves_2: dot over [512, 96]
//   does      matmul, as
//   reads     132.0 KiB: x, matmul_temp
//   writes    96.0 KiB: y
//   computes  9.4 Mflop, 40.42 for each byte moved
//   estimate  17.4 us, bound by arithmetic
//   tile      kind=fma,m=64,n=64,k=16,threads_m=16,threads_n=16,stages=3,blocks=2
//   inside    %14 matmul (6:10)
//   saves     384.0 KiB by fusion
//
// kept apart
//   halves_1 | halves_2: a kernel cannot compute two contractions one after the other (together they would save about 72.0 KiB and 8.31 us)
//     from %12 matmul (6:15) to %14 matmul (6:10)
//   halves_0 | halves_2: a contraction is fused only with reductions of its own result (together they would save about 96.0 KiB and 2.41 us)
//     beside each other: %4 mul (5:14) and %14 matmul (6:10)
//
// total
//   moves     458.0 KiB; one kernel per op would move 1.2 MiB, 2.7 times as much
//   computes  19.0 Mflop
//   estimate  30.8 us on A100, launches included
//   workspace 36.0 KiB in 1 slot
//   peak      326.0 KiB with inputs and outputs; one kernel per op would need 674.0 KiB
