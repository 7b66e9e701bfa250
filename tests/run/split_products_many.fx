// Long sums of few results on a GPU: more than 16 splits, whose sums the second kernel reduces; where nothing divides
// the terms, a product of the rest adds them.
// run: fusec run %s --check
// run: fusec explain %s --arch=sm_90a -o %t.txt
// run: grep -E "^kernel|does" %t.txt
fn gram(x: f32[16384, 8], y: f32[50021, 8], z: f32[2, 24576], w: f32[24576, 8])
    -> (a: f32[8, 8], b: f32[8, 8], c: f32[2, 8]) {
    d = x - 0.25;
    a = d.T @ d / 2;
    b = y.T @ y;
    c = relu(z @ w);
}
// ---- expect
// a: f32[8, 8]  mean 860.7  max 3286  checksum d837410568de78ba
// b: f32[8, 8]  mean 2071  max 1.674e+04  checksum 94f7dbffc61016f5
// c: f32[2, 8]  mean 25.94  max 145.2  checksum b479a9eeb41e9194
// a: ok, largest error 0.0178 of 0.0367 allowed, mean 0.0034 of 0.00737, at [0, 0]: got 3236.05298, want 3236.0708
// b: ok, largest error 0.141 of 0.285 allowed, mean 0.0351 of 0.0726, at [6, 6]: got 16586.2402, want 16586.3809
// c: ok, largest error 0.000458 of 0.00158 allowed, at [1, 0]: got 145.188477, want 145.188934
// fusec: remark: random inputs, seed 0: x, y, z, w
// kernel gram_0: dot over [64, 8, 8]
//   does      sub, matmul
// kernel gram_1: row over [64, 8, 8] along 64
//   does      sum, mul
// kernel gram_2: dot over [136, 8, 8]
//   does      matmul
// kernel gram_3: dot over [8, 8]
//   does      matmul
// kernel gram_4: row over [136, 8, 8] along 136
//   does      sum, add
// kernel gram_5: dot over [96, 2, 8]
//   does      matmul
// kernel gram_6: row over [96, 2, 8] along 96
//   does      sum, max
