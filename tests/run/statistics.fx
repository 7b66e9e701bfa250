// Variances of numbers far from 0, and sums of exponentials of rows with -inf: on a GPU, from chunks.
// run: fusec run %s --check
// inputs: x -1..1
fn rows(x: f32[2, 70001]) -> (v: f32[2], l: f32[2], s: f32[2], none: f32[2]) {
    v = var(x + 1000, axis = 1);
    l = logsumexp(x * 40, axis = 1);
    positive = where(x > 0.5, x, -inf);
    s = sum(softmax(positive, axis = 1) * x, axis = 1);
    none = logsumexp(log(x * 0), axis = 1);
}
// ---- expect
// v: f32[2]  mean 0.3352  max 0.336  checksum f78376ee8cf04772
// l: f32[2]  mean 46.77  max 46.79  checksum 10a43dc20bcaff5f
// s: f32[2]  mean 0.7716  max 0.7716  checksum ec8f74a7994c65d9
// none: f32[2]  mean -inf  max -inf  checksum 1e8b89c7a68331a1
// v: ok, largest error 2.09e-07 of 6.51e-06 allowed, at [1]: got 0.334445566, want 0.334445357
// l: ok, largest error 0 of 5.66e-05 allowed, at [0]: got 46.7864151, want 46.7864151
// s: ok, largest error 2.38e-07 of 1.65e-05 allowed, at [0]: got 0.771640062, want 0.771640301
// none: ok, largest error 0 of 5.61e-45 allowed, at [0]: got -inf, want -inf
// fusec: remark: random inputs, seed 0: x
