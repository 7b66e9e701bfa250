// The gates of a cell: each is a sum of two products, with the same left operands.
// run: fusec explain %s
// kernels: 1
fn gates[B, I, H](x: bf16[B, I], h: bf16[B, H], w: bf16[2*H, I], u: bf16[2*H, H]) -> (y: bf16[B, H]) {
    a, b = split(x @ w.T + h @ u.T, 2);
    y = sigmoid(a) * b;
}
// ---- expect
// fn gates at -O2: 12 ops in 1 kernel
// times and ratios are for B = 1024, I = 1024, H = 1024 (-D gives others)
//
// kernel gates_0: dot over [B, H]
//   does      4 matmul, 3 add, neg, exp, div, mul, as
//   reads     2*B*I + 2*B*H + 4*I*H + 4*H*H bytes: x, w, h, u
//   writes    2*B*H bytes: y
//   computes  4*B*I*H + 4*B*H*H + 7*B*H flop, 585.64 for each byte moved
//   estimate  95 % of the total time, bound by matrix products
//   tile      kind=mma,m=128,n=64,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=2,vector=8,unroll=1,operand_unroll=4
//   inside    %6 matmul (5:18), %8 matmul (5:28), %9 add (5:18), %11 matmul (5:18), %13 matmul (5:28), %14 add (5:18) and 5 more
//   saves     2*B*I + 90*B*H + 4*I*H + 4*H*H bytes by fusion
//
// total
//   moves     2*B*I + 4*B*H + 4*I*H + 4*H*H bytes; one kernel per op would move 4*B*I + 94*B*H + 8*I*H + 8*H*H bytes, 8.1 times as much
//   computes  4*B*I*H + 4*B*H*H + 7*B*H flop
//   estimate  49 us on A100, launches included, with B = 1024, I = 1024, H = 1024
//   workspace 0 bytes in 0 slots
//   peak      2*B*I + 4*B*H + 4*I*H + 4*H*H bytes of inputs and outputs; one kernel per op would need 2*B*I + 16*B*H + 4*I*H + 4*H*H bytes
