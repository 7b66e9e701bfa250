// run: fusec run %s --check
// A reduction that is read along another axis cannot be: its rows are not at hand.
fn f(x: f32[8, 8]) -> (y: f32[8, 8]) {
    y = x - sum(x, axis = 1);
}
// ---- expect
// y: f32[8, 8]  mean 0.2295  max 4.833  checksum 25e5d9390d266247
// y: ok, largest error 4.77e-07 of 3.39e-06 allowed, mean 2.09e-07 of 1.69e-06, at [0, 7]: got -4.66046381, want -4.66046429
// fusec: remark: random inputs, seed 0: x
