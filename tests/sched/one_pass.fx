// @nondeterministic: one kernel goes through the scores of an attention's backward, and adds dq up in
// memory. In C it does so without the attribute, in order.
// run: fusec explain %s --target=cuda --arch=sm_90a --fn backward
// run: fusec %s --target=c --emit=plan --fn backward > %t.plan
// run: fusec %s --target=cuda --arch=sm_80 -o %t.cu
// run: fusec run %s --check -D B=2 -D S=70 --fn backward --device=cpu
fn attention[B, S](
    q: bf16[B, 3, 2, S, 16],
    k: bf16[B, 3, S, 16],
    v: bf16[B, 3, S, 16]
) -> (o: bf16[B, 3, 2, S, 16]) {
    s = where(iota(S)[:, None] >= iota(S), (q @ k[:, :, None].T) * 0.25, -inf);
    o = (softmax(s) as bf16) @ v[:, :, None];
}

@nondeterministic
fn backward = vjp(attention);
// ---- expect
// fn backward at -O2: 49 ops in 4 kernels
// times and ratios are for B = 1024, S = 1024 (-D gives others)
//
// kernel backward_0: attention over [B, 3, 2, S, 16] along 16
//   does      le, 2 matmul, 4 mul, 3 where, max, lt, ceil, sub, exp2, sum, as, eq, log2, add
//   reads     384*B*S bytes: q, k, v
//   writes    432*B*S bytes: sum_temp, o, where_temp
//   computes  426*B*S*S + 54*B*S + S*S flop, 534.66 for each byte moved
//   estimate  27 % of the total time, bound by special functions
//   tile      kind=wgmma,m=128,n=128,stages=2,l2=32,persistent=1
//   inside    %10 le (12:15), %15 matmul (12:45), %19 mul (12:44), %25 where (12:9), %27 max (13:10), %31 lt (13:10) and 11 more
//   saves     360*B*S*S + 480*B*S + S*S bytes by fusion
//
// kernel backward_1: row over [B, 3, 2, S, 16] along 16
//   does      eq, where, div, 2 mul, as, sum
//   reads     600*B*S bytes: sum_temp, o, do
//   writes    24*B*S bytes: sum_temp2
//   computes  306*B*S flop, 0.49 for each byte moved
//   estimate  3 % of the total time, bound by memory
//   tile      kind=row,cluster=1,threads=256,row_threads=1,warp_columns=0,vector=4,keep=registers,unroll=4
//   inside    %49 eq (13:9), %53 where (13:9), %54 div (13:9), %56 mul (13:9), %57 as (13:9), %60 mul (13:9)
//   saves     2052*B*S bytes by fusion
//
// kernel backward_2: chain over [B, 3, S, 16] along 16
//   does      le, eq, 3 where, 5 matmul, 3 mul, 2 sub, exp, 4 as, permute
//   reads     624*B*S bytes: where_temp, k, q, do, v, sum_temp2
//   writes    576*B*S bytes: matmul_temp, dk, dv
//   adds to   matmul_temp, in any order: @nondeterministic
//   computes  1008*B*S*S + 12*B*S + S*S flop, 860.17 for each byte moved
//   estimate  68 % of the total time, bound by matrix products
//   tile      kind=wgmma,m=128,n=128,stages=2
//   inside    %10 le (12:15), %74 eq (13:10), %75 where (13:10), %80 matmul (12:45), %81 mul (12:44), %83 where (12:9) and 12 more
//   saves     564*B*S*S + 1524*B*S + S*S bytes by fusion
//
// kernel backward_3: pointwise over [B, 3, 2, S, 16]
//   does      as
//   reads     384*B*S bytes: matmul_temp
//   writes    192*B*S bytes: dq
//   computes  0 flop, 0.00 for each byte moved
//   estimate  3 % of the total time, bound by memory
//   tile      kind=pointwise,threads=256,vector=4,unroll=4
//
// kept apart
//   backward_2 | backward_3: they iterate over different shapes and the value between them is stored (together they would save 3 % of the total time)
//     from %99 matmul (12:45) to dq (8:5)
//   backward_0 | backward_1: an attention, or a chain of contractions, is fused only with pointwise work (together they would save 3 % of the total time)
//     from %48 matmul (13:9) to %56 mul (13:9)
//   backward_1 | backward_2: an attention, or a chain of contractions, is fused only with pointwise work (together they would save 3 % of the total time)
//     from %61 sum (13:9) to %92 sub (13:10)
//   backward_0 | backward_2: an attention, or a chain of contractions, is fused only with pointwise work (together they would save 2 % of the total time)
//     from %72 where (13:10) to %74 eq (13:10)
//
// total
//   moves     3216*B*S bytes; one kernel per op would move 924*B*S*S + 7272*B*S + 4*S*S bytes, 296.5 times as much
//   computes  1434*B*S*S + 372*B*S + 2*S*S flop
//   estimate  7.15e+03 us on H100, launches included, with B = 1024, S = 1024
//   workspace 456*B*S bytes in 4 slots
//   peak      1416*B*S bytes with inputs and outputs; one kernel per op would need 108*B*S*S + 1728*B*S + S*S bytes
// dq: bf16[2, 3, 2, 70, 16]  mean -0.0002381  max 0.4668  checksum 084e52fe4e1af99f
// dk: bf16[2, 3, 70, 16]  mean 1.766e-06  max 0.4961  checksum 0d0e2fe732d52b8d
// dv: bf16[2, 3, 70, 16]  mean -0.02835  max 2.656  checksum 219d39513b7c5f60
// dq: ok, largest error 0 of 0.000184 allowed, mean 0 of 3.22e-05, at [0, 0, 0, 0, 0]: got -3.69548798e-05, want -3.69548798e-05
// dk: ok, largest error 0 of 0.00107 allowed, mean 0 of 6.15e-05, at [0, 0, 0, 0]: got -0.23828125, want -0.23828125
// dv: ok, largest error 0 of 0.000978 allowed, mean 0 of 0.000114, at [0, 0, 0, 0]: got -0.19140625, want -0.19140625
// fusec: remark: random inputs, seed 0: q, k, v, do
