// run: fusec run %s --check
// kernels: 1
// A pointwise producer is computed where a view of it is read.
fn f(x: f32[6, 9], z: f32[9, 6]) -> (y: f32[9, 6]) {
    y = exp(x).T * z;
}
// ---- expect
// y: f32[9, 6]  mean 0.08945  max 2.075  checksum 17c0b5e21fb26bd8
// y: ok, largest error 1.19e-07 of 1.7e-06 allowed, at [0, 4]: got -1.63530695, want -1.63530707
// fusec: remark: random inputs, seed 0: x, z
