// run: fusec run %s --fn nearest -D N=37 -D M=29 --check
// run: fusec run %s --fn towards -D N=37 -D M=29 --check
// run: fusec run %s --fn backward -D N=37 -D M=29 --check
// run: fusec run %s --fn classes -D N=1000 --check
// run: fusec run %s --fn volumes -D N=40 -D M=50 --check
fn nearest[N, M](a: f32[N, 3], b: f32[M, 3]) -> (d: f32[N], e: f32[M]) {
    s = sum((a[:, None] - b) ** 2);
    d = min(s, axis = 1);
    e = min(s, axis = 0);
}

fn towards[N, M](a: f32[N, 3], b: f32[M, 3]) -> (d: f32[N, 3]) {
    v = a[:, None] - b;
    d = sum(v * exp(-sum(v * v, keep = true)), axis = 1);
}

fn backward = vjp(nearest);

// inputs: t 0..4
fn classes[N](x: bf16[N, 4], t: i32[N]) -> (l: f32) {
    l = mean(cross_entropy(x, t));
}

fn volumes[N, M](a: f32[N, 2, 3], b: f32[M, 2, 3]) -> (most: f32[N]) {
    size = max(min(a[:, None, 1], b[:, 1]) - max(a[:, None, 0], b[:, 0]), 0);
    most = max(prod(size), axis = 1);
}
// ---- expect
// d: f32[37]  mean 0.1588  max 0.5011  checksum 307814c580cccad3
// e: f32[29]  mean 0.1529  max 0.5992  checksum f6615f4bc60e93c8
// d: ok, largest error 2.98e-08 of 3.28e-07 allowed, at [5]: got 0.25675258, want 0.256752551
// e: ok, largest error 2.98e-08 of 3.75e-07 allowed, at [26]: got 0.286645979, want 0.286645949
// fusec: remark: random inputs, seed 0: a, b
// d: f32[37, 3]  mean -0.2431  max 3.63  checksum bc04effd1d775c35
// d: ok, largest error 2.38e-07 of 2.77e-06 allowed, mean 1.05e-07 of 1.24e-06, at [2, 2]: got -3.79877949, want -3.79877973
// fusec: remark: random inputs, seed 0: a, b
// da: f32[37, 3]  mean -0.03722  max 1.458  checksum ffe9b3598f98d0de
// db: f32[29, 3]  mean 0.04748  max 1.112  checksum 76e5f95e7809d2ed
// da: ok, largest error 5.96e-08 of 8.14e-07 allowed, mean 1.28e-08 of 1.98e-07, at [19, 1]: got -0.801037848, want -0.801037788
// db: ok, largest error 1.19e-07 of 7.69e-07 allowed, mean 2.15e-08 of 2.31e-07, at [24, 2]: got 1.11211944, want 1.11211956
// fusec: remark: random inputs, seed 0: a, b, dd, de
// l: f32  mean 1.502  max 1.502  checksum 2f6227566aff283c
// l: ok, largest error 1.19e-07 of 2.15e-06 allowed, at []: got 1.50228012, want 1.50228024
// fusec: remark: random inputs, seed 0: x, t
// most: f32[40]  mean 0.002016  max 0.04328  checksum b9ce4f3700e9952c
// most: ok, largest error 0 of 2.06e-08 allowed, at [0]: got 0, want 0
// fusec: remark: random inputs, seed 0: a, b
