// run: fusec run %s --check
// kernels: 2
fn f(x: f32[8, 12]) -> (rows: f32[8], cols: f32[12]) {
    rows = sum(x, axis = 1);
    cols = sum(x, axis = 0);
}
// ---- expect
// rows: f32[8]  mean -0.5649  max 4.578  checksum c1a7aa005db42c16
// cols: f32[12]  mean -0.3766  max 2.658  checksum 092f90430fe29d8e
// rows: ok, largest error 4.77e-07 of 3.61e-06 allowed, at [4]: got 4.57849789, want 4.57849836
// cols: ok, largest error 2.38e-07 of 2.26e-06 allowed, at [1]: got 2.3251555, want 2.32515574
// fusec: remark: random inputs, seed 0: x
