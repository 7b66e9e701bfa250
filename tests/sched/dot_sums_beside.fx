// The gates of a cell: each is a sum of two products, and a sum has a kernel of its own.
// run: fusec explain %s
// kernels: 2
fn gates[B, I, H](x: bf16[B, I], h: bf16[B, H], w: bf16[2*H, I], u: bf16[2*H, H]) -> (y: bf16[B, H]) {
    a, b = split(x @ w.T + h @ u.T, 2);
    y = sigmoid(a) * b;
}
// ---- expect
// fn gates at -O2: 12 ops in 2 kernels
// times and ratios are for B = 1024, I = 1024, H = 1024 (-D gives others)
//
// kernel gates_0: dot over [B, H]
//   does      2 matmul, 2 add, neg, exp, div
//   reads     2*B*I + 2*B*H + 4*I*H + 4*H*H bytes: x, w, h, u
//   writes    4*B*H bytes: sigmoid_21_value
//   computes  2*B*I*H + 2*B*H*H + 5*B*H flop, 256.31 for each byte moved
//   estimate  45 % of the total time, bound by matrix products
//   tile      kind=mma,m=128,n=128,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=2,vector=4,unroll=1,operand_unroll=4
//   inside    %6 matmul (5:18), %8 matmul (5:28), %9 add (5:18), %16 neg (6:9), %17 exp (6:9), %20 add (6:9)
//   saves     48*B*H bytes by fusion
//
// kernel gates_1: dot over [B, H]
//   does      2 matmul, add, mul, as
//   reads     2*B*I + 6*B*H + 4*I*H + 4*H*H bytes: x, w, h, u, sigmoid_21_value
//   writes    2*B*H bytes: y
//   computes  2*B*I*H + 2*B*H*H + 2*B*H flop, 227.67 for each byte moved
//   estimate  45 % of the total time, bound by matrix products
//   tile      kind=mma,m=128,n=128,k=64,warps_m=2,warps_n=2,stages=2,group=8,blocks=2,vector=4,unroll=4,operand_unroll=4
//   inside    %11 matmul (5:18), %13 matmul (5:28), %14 add (5:18), %22 mul (6:9)
//   saves     32*B*H bytes by fusion
//
// kept apart
//   gates_0 | gates_1: a kernel that adds contractions computes no others beside them (together they would save 5 % of the total time)
//     from %21 div (6:9) to %22 mul (6:9)
//
// total
//   moves     4*B*I + 14*B*H + 8*I*H + 8*H*H bytes; one kernel per op would move 4*B*I + 94*B*H + 8*I*H + 8*H*H bytes, 3.4 times as much
//   computes  4*B*I*H + 4*B*H*H + 7*B*H flop
//   estimate  51.5 us on A100, launches included, with B = 1024, I = 1024, H = 1024
//   workspace 4*B*H bytes in 1 slot
//   peak      2*B*I + 8*B*H + 4*I*H + 4*H*H bytes with inputs and outputs; one kernel per op would need 2*B*I + 16*B*H + 4*I*H + 4*H*H bytes
