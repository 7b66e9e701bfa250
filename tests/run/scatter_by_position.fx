// Scatters into few elements, which shared memory combines on a GPU, by indices that are computed from
// the position alone: there these are ints, as results of fewer than 2^30 elements are.
// run: fusec run %s --check
fn f(x: f32[33], z: f64[4096]) -> (y: f32[9], sums: f64[10]) {
    y = scatter(full(0.5, 9), iota(33) * 5 % 9, x, with = max);
    sums = scatter(full(0.0 as f64, 10), (iota(4096) + 3) * 7 % 10, z);
}
// ---- expect
// y: f32[9]  mean 0.6191  max 0.8388  checksum fbe03c0d9f866330
// sums: f64[10]  mean -0.875  max 29.43  checksum b9d76b87e4a2e4e5
// y: ok, largest error 0 of 4e-07 allowed, at [0]: got 0.678983152, want 0.678983152
// sums: ok, largest error 0 of 2.61e-14 allowed, at [0]: got -9.0274836707087012, want -9.0274836707087012
// fusec: remark: random inputs, seed 0: x, z
