// @nondeterministic, of f32: one kernel goes through the scores, by fused multiply-adds, and adds up dq, which is
// an output. Other precisions have two passes.
// run: fusec explain %s --target=cuda --arch=sm_90a --fn backward
// run: fusec %s --target=cuda --arch=sm_80 -o %t.cu
fn attention[S](q: f32[8, S, 64], k: f32[8, S, 64], v: f32[8, S, 64]) -> (o: f32[8, S, 64]) {
    o = softmax((q @ k.T) * 0.125) @ v;
}

@nondeterministic
fn backward = vjp(attention);
// ---- expect
// fn backward at -O2: 36 ops in 3 kernels
// times and ratios are for S = 1024 (-D gives others)
//
// kernel backward_0: attention over [8, S, 64] along 64
//   does      2 matmul, 4 mul, max, lt, ceil, 2 where, sub, exp2, sum, eq, log2, add
//   reads     6144*S bytes: q, k, v
//   writes    2112*S bytes: sum_temp, o, where_temp
//   computes  2096*S*S + 72*S flop, 259.98 for each byte moved
//   estimate  27 % of the total time, bound by arithmetic
//   tile      kind=fma,m=64,n=128,columns=64,k=32,threads_m=16,threads_n=16,blocks=1
//   inside    %6 matmul (6:18), %10 mul (6:17), %12 max (6:9), %16 lt (6:9), %19 mul (6:9), %20 ceil (6:9) and 8 more
//   saves     384*S*S + 640*S bytes by fusion
//
// kernel backward_1: row over [8, S, 64] along 64
//   does      eq, where, div, 2 mul, sum
//   reads     4128*S bytes: sum_temp, o, do
//   writes    32*S bytes: sum_temp2
//   computes  1560*S flop, 0.38 for each byte moved
//   estimate  less than 1 % of the total time, bound by memory
//   tile      kind=row,cluster=1,threads=128,row_threads=8,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %33 eq (6:9), %37 where (6:9), %38 div (6:9), %40 mul (6:9), %41 mul (6:9)
//   saves     8368*S bytes by fusion
//
// kernel backward_2: chain over [8, S, 64] along 64
//   does      eq, where, 5 matmul, 3 mul, 2 sub, exp
//   reads     8256*S bytes: where_temp, k, q, do, v, sum_temp2
//   writes    6144*S bytes: dv, dq, dk
//   adds to   dq, in any order: @nondeterministic
//   computes  5168*S*S + 16*S flop, 367.50 for each byte moved
//   estimate  67 % of the total time, bound by arithmetic
//   tile      kind=fma,m=64,n=128,columns=64,k=16,threads_m=16,threads_n=16,blocks=1
//   inside    %57 eq (6:9), %58 where (6:9), %61 matmul (6:18), %62 mul (6:17), %64 sub (6:9), %65 exp (6:9) and 4 more
//   saves     576*S*S + 6256*S bytes by fusion
//
// kept apart
//   backward_0 | backward_1: an attention, or a chain of contractions, is fused only with pointwise work (together they would save 3 % of the total time)
//     from %32 matmul (6:9) to %40 mul (6:9)
//   backward_1 | backward_2: an attention, or a chain of contractions, is fused only with pointwise work (together they would save 3 % of the total time)
//     from %42 sum (6:9) to %70 sub (6:9)
//   backward_0 | backward_2: an attention, or a chain of contractions, is fused only with pointwise work (together they would save 2 % of the total time)
//     from %53 where (6:9) to %57 eq (6:9)
//
// total
//   moves     26816*S bytes; one kernel per op would move 960*S*S + 42080*S bytes, 38.2 times as much
//   computes  7264*S*S + 1648*S flop
//   estimate  141 us on H100, launches included, with S = 1024
//   workspace 2144*S bytes in 4 slots
//   peak      16480*S bytes with inputs and outputs; one kernel per op would need 96*S*S + 16448*S bytes
