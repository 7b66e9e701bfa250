// Nothing but inputs and outputs is in memory: the peak is their sum, and what one kernel for each
// operation would move and need is beside it.
// run: fusec explain %s -D N=2048 -D D=1024
fn geglu[N, D](x: bf16[N, D], w: bf16[8*D, D], b: bf16[8*D]) -> (y: bf16[N, 4*D]) {
    h = x @ w.T + b;
    v, g = split(h, 2, axis = -1);
    y = v * gelu(g);
}
// ---- expect
// fn geglu at -O2: 11 ops in 1 kernel
//
// kernel geglu_0: dot over [2048, 4096]
//   does      2 matmul, 3 add, 4 mul, erf, as
//   reads     20.0 MiB: x, w, b
//   writes    16.0 MiB: y
//   computes  34.4 Gflop, 911.60 for each byte moved
//   estimate  116 us, bound by matrix products
//   tile      kind=mma,m=128,n=64,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=2,vector=8,unroll=1,operand_unroll=4
//   inside    %8 matmul (5:9), %10 add (5:9), %12 matmul (5:9), %14 add (5:9), %18 mul (7:13), %19 erf (7:13) and 4 more
//   saves     724.0 MiB by fusion
//
// total
//   moves     36.0 MiB; one kernel per op would move 744.0 MiB, 20.7 times as much
//   computes  34.4 Gflop
//   estimate  119 us on A100, launches included
//   workspace 0 bytes in 0 slots
//   peak      36.0 MiB of inputs and outputs; one kernel per op would need 132.0 MiB
