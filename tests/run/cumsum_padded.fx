// Running sums of a length that nothing divides: a GPU sums chunks of an axis with padding, which is not stored.
// run: fusec run %s --check
fn f(x: f32[150001], w: bf16[2, 9001, 8]) -> (y: f32[150001], z: f32[150001], down: f32[2, 9001, 8]) {
    c = cumsum(x);
    y = c;
    z = exp(-c * c);
    down = cumsum(w, axis = 1, reverse = true) as f32;
}
// ---- expect
// y: f32[150001]  mean -76.24  max -0.09264  checksum 612c23566294ba43
// z: f32[150001]  mean 0.0001808  max 0.9915  checksum 40687f51c1a543de
// down: f32[2, 9001, 8]  mean 5.296  max 143.6  checksum 488a4979ec7e46d5
// y: ok, largest error 0.000122 of 0.000518 allowed, mean 5.72e-05 of 0.000201, at [19874]: got -155.97522, want -155.975098
// z: ok, largest error 1.19e-07 of 2.02e-06 allowed, mean 1.56e-09 of 1.91e-08, at [85]: got 0.315879852, want 0.315879732
// down: ok, largest error 0 of 6.85e-05 allowed, mean 0 of 2e-05, at [0, 0, 0]: got 18.546875, want 18.546875
// fusec: remark: random inputs, seed 0: x, w
