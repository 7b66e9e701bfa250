// A product plus its transpose, of rows as long as half of a vector of f64: the second kernel reads one
// pointer with two strides, and gcc 12 left its call out. All sums are exact.
// run: fusec run %s --check
fn f(x: i64[4, 5]) -> (y: f64[4, 4]) {
    m = (x as f64) @ ((x + iota(5) as i64) as f64).T;
    y = m + m.T;
}
// ---- expect
// y: f64[4, 4]  mean 279.6  max 424  checksum b62e495422b8bf8c
// y: ok, largest error 0 of 3.77e-13 allowed, at [0, 0]: got 140, want 140
// fusec: remark: random inputs, seed 0: x
