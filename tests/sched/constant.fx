// run: fusec %s --emit=plan --target=c --fn f
// run: fusec %s --explain -o %t.c --fn f
// run: fusec %s --emit=kernel --target=c --fn product
// run: fusec %s --emit=plan --fn product
// run: fusec %s --emit=plan --target=c --fn costly
// run: fusec %s --emit=plan --target=c --fn added
// run: fusec %s --emit=plan --fn operands
// run: fusec %s --emit=plan --target=cuda --fn f

// The softmax of s and the panels of w are made once; b is copied. d is a dim of no constant.
@constant(w, b, s) @one_kernel
fn f[N, D, E](x: f32[N, D], w: f32[D, E], b: f32[E], s: f32[D]) -> (y: f32[N, E]) {
    y = relu((x * softmax(s)) @ (w * 2) + b);
}

// A GPU has nothing to prepare: it packs nothing.
@constant(w)
fn product[N, D](x: f32[N, D], w: bf16[D, D]) -> (y: f32[N, D]) {
    y = x @ (w as f32).T;
}

// What is costly is computed once, what is cheap again; of N, which is of no constant, nothing is
// known then.
@constant(w, u)
fn costly[N, D](x: f32[N, D], w: f32[D], u: f32[D]) -> (y: f32[N, D], z: f32[N, D]) {
    y = x * exp(w) + u * 2;
    z = x * exp(w / N);
}
// Products that are added up would pack at every call.
@constant(w)
fn added[N, D](x: f32[N, D], h: f32[N, D], w: f32[D, D], u: f32[D, D]) -> (y: f32[N, D]) {
    y = x @ w + h @ u;
}
// A GPU computes the operand of u once, and converts the bytes of w, which are smaller, at each call.
@constant(w, u)
fn operands[N, D](x: bf16[N, D], w: i8[D, D], u: bf16[D, D]) -> (y: f32[N, D], z: f32[N, D]) {
    y = x @ (w as bf16);
    z = x @ ((u * 2) as bf16);
}
// ---- expect
// plan f -O2
// kernel f_0 row once
//   reads s
//   writes softmax
//   over [D] along D
//     %5 max f32[1]
//     %8 eq bool[1]
//     %11 where f32[1]
//     %13 sub f32[D]
//     %14 exp f32[D]
//     %15 sum f32[1]
//     %16 eq bool[1]
//     %19 where f32[1]
//     %20 div f32[1]
//     %22 mul f32[D] -> softmax
//   bytes_read 4*D
//   bytes_written 4*D
//   flops 5*D + 5
// kernel f_1 dot
//   reads x softmax mul_6_panels b
//   writes y
//   over [N, E]
//     %25 mul f32[N, D]
//     %29 mul f32[D, E]
//     %31 matmul f32[N, E]
//     %34 add f32[N, E]
//     %37 max f32[N, E] -> y
//   bytes_read 4*N*D + 4*D*E + 4*D + 4*E
//   bytes_written 4*N*E
//   flops 2*N*D*E + N*D + 2*N*E + D*E
// buffer x input f32[N*D] bytes 4*N*D live -1..2
// buffer w input f32[D*E] bytes 4*D*E live -1..2 constant
// buffer b input f32[E] bytes 4*E live -1..2 constant prepared
// buffer s input f32[D] bytes 4*D live -1..2 constant
// buffer y output f32[N*E] bytes 4*N*E live 1..2
// buffer softmax temp f32[D] bytes 4*D live 0..1 prepared
// buffer mul_6_panels panels f32[D*E] bytes 4*D*E live 1..1 prepared
// apart %22 mul | %25 mul: constant, 8192 bytes
// peak 4*N*D + 4*N*E + 4*D*E + 4*D + 4*E
// fn f at -O2: 15 ops in 2 kernels
// times and ratios are for N = 1024, D = 1024, E = 1024 (-D gives others)
//
// kernel f_0: row over [D] along D; once, from constants
//   does      max, 2 eq, 2 where, sub, exp, sum, div, mul
//   reads     4*D bytes: s
//   writes    4*D bytes: softmax
//   computes  5*D + 5 flop, 0.63 for each byte moved
//   estimate  less than 1 % of the total time, bound by memory
//   tile      kind=loops,rows=1,vectors=1,keep=memory,unroll=4,prefetch=8192,parallel=32768,stream=16777216,prefetch_from=1048576,stack=16384,partial=16,partial_sums=3,across=0
//   inside    %5 max (13:19), %8 eq (13:19), %11 where (13:19), %13 sub (13:19), %14 exp (13:19), %15 sum (13:19) and 3 more
//   saves     24*D + 52 bytes by fusion
//
// kernel f_1: dot over [N, E]
//   does      2 mul, matmul, add, max
//   reads     4*N*D + 4*D*E + 4*D + 4*E bytes: x, softmax, mul_6_panels, b
//   writes    4*N*E bytes: y
//   computes  2*N*D*E + N*D + 2*N*E + D*E flop, 170.89 for each byte moved
//   estimate  100 % of the total time, bound by arithmetic
//   tile      kind=blocks,m=2048,n=2048,k=512,group=32,block=224,rows=0,vectors=2,parallel=100000,sums=512
//   inside    %25 mul (13:15), %29 mul (13:34), %31 matmul (13:14), %34 add (13:14)
//   saves     8*N*D + 16*N*E + 8*D*E bytes by fusion
//
// kept apart
//   f_0 | f_1: one is computed once, from constant inputs, the other at every call (together they would save less than 1 % of the total time)
//     from %22 mul (13:19) to %25 mul (13:15)
//
// total
//   moves     4*N*D + 4*N*E + 4*D*E + 4*D + 4*E bytes; one kernel per op would move 12*N*D + 20*N*E + 4*D*E + 4*D + 4*E bytes, 3.0 times as much
//   computes  2*N*D*E + N*D + 2*N*E + D*E flop
//   estimate  1.34e+04 us on core, launches included, with N = 1024, D = 1024, E = 1024
//   workspace 0 bytes in 0 slots
//   prepared  4*D*E + 4*D + 4*E bytes: b, softmax, mul_6_panels
//   peak      4*N*D + 4*N*E + 4*D*E + 4*D + 4*E bytes of inputs and outputs; one kernel per op would need 8*N*D + 8*N*E + 8*D*E + 12*D + 4*E + 22 bytes
// kernel product_0: contraction
//   in  x: f32
//   out y: f32
//   in  w_3_panels: bf16
//   in  w: bf16
//   loops row i0 < 1 row i1 < N row i2 < D col i3 < D
//   left operand v1
//     v1 = load x[i1 * D + i3] : f32
//   right operand of acc 0 v2
//     v2 = load w[i2 * D + i3] : bf16
//   results v3
//     v3 = acc 0 : f32
//     acc 0 = matmul v1 v2, right in w_3_panels
//     y[i1 * D + i2] = v3
// plan product -O2
// kernel product_0 dot
//   reads x w
//   writes y
//   over [N, D]
//     %4 matmul f32[N, D] -> y
//   bytes_read 4*N*D + 2*D*D
//   bytes_written 4*N*D
//   flops 2*N*D*D
// buffer x input f32[N*D] bytes 4*N*D live -1..1
// buffer w input bf16[D*D] bytes 2*D*D live -1..1
// buffer y output f32[N*D] bytes 4*N*D live 0..1
// peak 8*N*D + 2*D*D
// plan costly -O2
// kernel costly_0 pointwise once
//   reads w
//   writes exp_temp
//   over [D]
//     %5 exp f32[D] -> exp_temp
//   bytes_read 4*D
//   bytes_written 4*D
//   flops D
// kernel costly_1 pointwise
//   reads x exp_temp u w
//   writes y z
//   over [N, D]
//     %8 mul f32[N, D]
//     %12 mul f32[D]
//     %15 add f32[N, D] -> y
//     %19 div f32[D]
//     %20 exp f32[D]
//     %23 mul f32[N, D] -> z
//   bytes_read 4*N*D + 12*D
//   bytes_written 8*N*D
//   flops 3*N*D + 3*D
// buffer x input f32[N*D] bytes 4*N*D live -1..2
// buffer w input f32[D] bytes 4*D live -1..2 constant prepared
// buffer u input f32[D] bytes 4*D live -1..2 constant prepared
// buffer y output f32[N*D] bytes 4*N*D live 1..2
// buffer z output f32[N*D] bytes 4*N*D live 1..2
// buffer exp_temp temp f32[D] bytes 4*D live 0..1 prepared
// apart %5 exp | %8 mul: constant, 8192 bytes
// apart %5 exp | %19 div: constant, 12288 bytes
// apart %5 exp | %19 div: constant, 12288 bytes
// peak 12*N*D + 12*D
// plan added -O2
// kernel added_0 dot
//   reads h u
//   writes matmul_temp
//   over [N, D]
//     %8 matmul f32[N, D] -> matmul_temp
//   bytes_read 4*N*D + 4*D*D
//   bytes_written 4*N*D
//   flops 2*N*D*D
// kernel added_1 dot
//   reads x w_6_panels matmul_temp
//   writes y
//   over [N, D]
//     %6 matmul f32[N, D]
//     %9 add f32[N, D] -> y
//   bytes_read 8*N*D + 4*D*D
//   bytes_written 4*N*D
//   flops 2*N*D*D + N*D
// buffer x input f32[N*D] bytes 4*N*D live -1..2
// buffer h input f32[N*D] bytes 4*N*D live -1..2
// buffer w input f32[D*D] bytes 4*D*D live -1..2 constant
// buffer u input f32[D*D] bytes 4*D*D live -1..2
// buffer y output f32[N*D] bytes 4*N*D live 1..2
// buffer matmul_temp temp f32[N*D] bytes 4*N*D live 0..1 slot 0
// buffer w_6_panels panels f32[D*D] bytes 4*D*D live 1..1 prepared
// slot 0 bytes 4*N*D
// apart %8 matmul | y: panels, 8388608 bytes
// peak 16*N*D + 8*D*D
// plan operands -O2
// kernel operands_0 pointwise once
//   reads u
//   writes as_temp
//   over [D, D]
//     %11 mul f32[D, D]
//     %12 as bf16[D, D] -> as_temp
//   bytes_read 2*D*D
//   bytes_written 2*D*D
//   flops D*D
// kernel operands_1 dot
//   reads w x as_temp
//   writes y z
//   over [N, D]
//     %4 as bf16[D, D]
//     %6 matmul f32[N, D] -> y
//     %14 matmul f32[N, D] -> z
//   bytes_read 2*N*D + 3*D*D
//   bytes_written 8*N*D
//   flops 4*N*D*D
// buffer x input bf16[N*D] bytes 2*N*D live -1..2
// buffer w input i8[D*D] bytes D*D live -1..2
// buffer u input bf16[D*D] bytes 2*D*D live -1..2 constant
// buffer y output f32[N*D] bytes 4*N*D live 1..2
// buffer z output f32[N*D] bytes 4*N*D live 1..2
// buffer as_temp temp bf16[D*D] bytes 2*D*D live 0..1 prepared
// apart %12 as | z: recompute, 4194304 bytes
// peak 10*N*D + 3*D*D
// plan f -O2
// kernel f_0 row once
//   reads s
//   writes softmax
//   over [D] along D
//     %5 max f32[1]
//     %8 eq bool[1]
//     %11 where f32[1]
//     %13 sub f32[D]
//     %14 exp f32[D]
//     %15 sum f32[1]
//     %16 eq bool[1]
//     %19 where f32[1]
//     %20 div f32[1]
//     %22 mul f32[D] -> softmax
//   bytes_read 4*D
//   bytes_written 4*D
//   flops 5*D + 5
// kernel f_1 pointwise once
//   reads w
//   writes mul_temp
//   over [D, E]
//     %29 mul f32[D, E] -> mul_temp
//   bytes_read 4*D*E
//   bytes_written 4*D*E
//   flops D*E
// kernel f_2 dot
//   reads x softmax mul_temp b
//   writes y
//   over [N, E]
//     %25 mul f32[N, D]
//     %31 matmul f32[N, E]
//     %34 add f32[N, E]
//     %37 max f32[N, E] -> y
//   bytes_read 4*N*D + 4*D*E + 4*D + 4*E
//   bytes_written 4*N*E
//   flops 2*N*D*E + N*D + 2*N*E
// buffer x input f32[N*D] bytes 4*N*D live -1..3
// buffer w input f32[D*E] bytes 4*D*E live -1..3 constant
// buffer b input f32[E] bytes 4*E live -1..3
// buffer s input f32[D] bytes 4*D live -1..3 constant
// buffer y output f32[N*E] bytes 4*N*E live 2..3
// buffer softmax temp f32[D] bytes 4*D live 0..2 prepared
// buffer mul_temp temp f32[D*E] bytes 4*D*E live 1..2 prepared
// apart %22 mul | %25 mul: constant, 8192 bytes
// apart %29 mul | %31 matmul: recompute, 8388608 bytes
// peak 4*N*D + 4*N*E + 4*D*E + 4*D + 4*E
