// Variances, and sums of exponentials, of few and very long rows: one kernel has both reductions of a chunk, and the next
// combines them. What reads the rows again is a kernel of its own. Rows that blocks of a cluster keep, and open sizes, are
// one kernel's.
// run: fusec explain %s --target=cuda --arch=sm_90a -o %t.txt
// run: grep -E "^(fn|kernel|  does)" %t.txt
fn whole(x: f16[358, 9, 5, 1902]) -> (m: f32, v: f32) {
    m = mean(x, axis = [0, 1, 2, 3]);
    v = var(x, axis = [0, 1, 2, 3]);
}

fn exponentials(x: f32[19, 1009148], z: f32[19, 1009148]) -> (y: f32[19], w: f32[19]) {
    y = logsumexp(x, axis = 1);
    w = logsumexp(z, axis = 1);
}

fn weights(x: bf16[30641221]) -> (y: bf16[30641221]) {
    y = softmax(x, axis = 0);
}

fn scaled(x: f32[4194304]) -> (y: f32[4194304]) {
    y = (x - mean(x, axis = 0, keep = true)) * rsqrt(var(x, axis = 0, keep = true) + 0.00001);
}

fn kept(x: bf16[64, 131072]) -> (v: f32[64]) {
    v = var(x, axis = 1);
}

fn open[N](x: f32[N]) -> (v: f32) {
    v = var(x, axis = 0);
}
// ---- expect
// fn whole at -O2: 18 ops in 2 kernels
// kernel whole_0: row over [4251, 7208] along 7208
//   does      2 sum, div, sub, mul
// kernel whole_1: row over [4263] along 4263
//   does      lt, 4 where, 2 sum, 2 div, sub, 2 mul, add
// fn exponentials at -O2: 39 ops in 3 kernels
// kernel exponentials_0: row over [19, 140, 7208] along 7208
//   does      max, eq, where, sub, exp, sum
// kernel exponentials_1: row over [19, 140, 7208] along 7208
//   does      max, eq, where, sub, exp, sum
// kernel exponentials_2: row over [19, 168] along 168
//   does      lt, 8 where, 2 max, 4 eq, 2 sub, 2 exp, 2 mul, 2 sum, 2 log, 2 add
// fn weights at -O2: 23 ops in 3 kernels
// kernel weights_0: row over [4251, 7208] along 7208
//   does      max, eq, where, sub, exp, sum
// kernel weights_1: row over [4264] along 4264
//   does      lt, 3 where, max, eq, sub, exp, mul, sum
// kernel weights_2: pointwise over [30641221]
//   does      sub, exp, eq, where, div, mul, as
// fn scaled at -O2: 22 ops in 3 kernels
// kernel scaled_0: row over [2394, 1752] along 1752
//   does      2 sum, div, sub, mul
// kernel scaled_1: row over [2410] along 2410
//   does      lt, 4 where, 2 sum, 4 mul, sub, 2 add, rsqrt
// kernel scaled_2: pointwise over [4194304]
//   does      sub, mul
// fn kept at -O2: 6 ops in 1 kernel
// kernel kept_0: row over [64, 131072] along 131072
//   does      2 sum, 3 mul, sub
// fn open at -O2: 6 ops in 1 kernel
// kernel open_0: row over [N] along N
//   does      2 sum, 2 div, sub, mul
