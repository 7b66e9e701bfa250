// A product whose rows and columns are reduced, and that nothing else reads: a GPU computes it twice, once transposed,
// and does not store it.
// run: fusec run %s --check
// run: fusec explain %s --arch=sm_90a -o %t.txt
// run: grep -E "^kernel|does" %t.txt
fn contrastive(x: bf16[2048, 16], y: bf16[1030, 16], bias: f32[1030]) -> (a: f32, b: f32[2048]) {
    s = (x @ y.T) * 0.5 + bias;
    a = mean(logsumexp(s, axis = 0));
    b = logsumexp(s) + min(s, axis = 1) - max(s + 1, axis = 0)[0];
}
// ---- expect
// a: f32  mean 7.84  max 7.84  checksum 189a61106d3b5e53
// b: f32[2048]  mean 1.908  max 2.62  checksum 0bfa97c83b78a7a9
// a: ok, largest error 4.77e-07 of 1.23e-05 allowed, at []: got 7.83952332, want 7.83952284
// b: ok, largest error 9.54e-07 of 5.3e-06 allowed, mean 2.83e-07 of 2e-06, at [1105]: got 2.17922592, want 2.17922497
// fusec: remark: random inputs, seed 0: x, y, bias
// kernel contrastive_0: dot over [1030, 16, 128] along 128
//   does      matmul, mul, 2 add, 2 max, eq, where, sub, exp, sum
// kernel contrastive_1: row over [1030, 16] along 16
//   does      2 max, 3 eq, 3 where, sub, exp, mul, sum, log, add
// kernel contrastive_2: row over [1030] along 1030
//   does      sum, div
// kernel contrastive_3: dot over [2048, 9, 128] along 128
//   does      matmul, mul, add, lt, 3 where, max, eq, sub, exp, sum, min
// kernel contrastive_4: row over [2048, 9] along 9
//   does      max, 2 eq, 2 where, 2 sub, exp, mul, sum, log, 2 add, min
