// run: fusec run %s --check
// kernels: 1
// Reductions that read one tensor and do not need each other.
fn f(x: f32[8, 12]) -> (most: f32[8], least: f32[8], total: f32[8], first: i32[8]) {
    most = max(x);
    least = min(x);
    total = sum(x);
    first = argmax(x);
}
// ---- expect
// most: f32[8]  mean 0.7751  max 0.9555  checksum 12cbcfddd899c9ac
// least: f32[8]  mean -0.9127  max -0.6027  checksum 3fd181f5291592ee
// total: f32[8]  mean -0.5649  max 4.578  checksum c1a7aa005db42c16
// first: i32[8]  mean 3.75  max 11  checksum 01dd268b9643ad2d
// most: ok, largest error 0 of 4.56e-07 allowed, at [0]: got 0.838820696, want 0.838820696
// least: ok, largest error 0 of 4.76e-07 allowed, at [0]: got -0.940710485, want -0.940710485
// total: ok, largest error 4.77e-07 of 3.61e-06 allowed, at [4]: got 4.57849789, want 4.57849836
// first: ok
// fusec: remark: random inputs, seed 0: x
