// Reductions over outer and short inner axes, in two steps on a GPU: of columns, then of what is left of rows; means
// and variances with what the columns' have apart.
// run: fusec run %s --check
fn ends(x: f32[128, 400, 7, 7], i: i8[1000, 2, 300, 2]) -> (
    mean_of: f32[400],
    variance: f32[400],
    largest: f32[400],
    sums: i32[300]
) {
    mean_of = mean(x, axis = [0, 2, 3]);
    variance = var(x, axis = [0, 2, 3]);
    largest = max(abs(x), axis = [0, 2, 3]);
    sums = sum(i, axis = [0, 1, 3]);
}
// ---- expect
// mean_of: f32[400]  mean -0.0001495  max 0.02332  checksum 5507f7ff0f1ac1da
// variance: f32[400]  mean 0.3338  max 0.3442  checksum c6c804a52852dd6b
// largest: f32[400]  mean 0.9998  max 1  checksum 51071972c04b3618
// sums: i32[300]  mean -2011  max -1187  checksum 3b2012901beacc83
// mean_of: ok, largest error 4.66e-09 of 1.23e-07 allowed, mean 1.47e-09 of 2.31e-08, at [33]: got 0.010809687, want 0.0108096823
// variance: ok, largest error 5.96e-08 of 2.49e-06 allowed, mean 2.11e-08 of 8.53e-07, at [20]: got 0.333798379, want 0.333798438
// largest: ok, largest error 0 of 4.77e-07 allowed, mean 0 of 4.77e-07, at [0]: got 0.999890983, want 0.999890983
// sums: ok
// fusec: remark: random inputs, seed 0: x, i
