// Names that a compiler, or our own text, would take for something else get a mark.
// run: fusec run %s --check -D VL=3 -D int=4
fn main[VL, int](double: f32[VL, int], x1: f32[VL, int], exp_f32: f32[int], _a: f32[int], lanes: f32[int])
    -> (restrict: f32[VL, int], NULL: f32[VL, int]) {
    restrict = double + x1 * exp_f32;
    NULL = exp(double) + _a + lanes;
}
// ---- expect
// restrict: f32[3, 4]  mean -0.1252  max 0.7397  checksum 22a0ed6932e19160
// NULL: f32[3, 4]  mean 0.2859  max 1.335  checksum 838d3252adac17c8
// restrict: ok, largest error 0 of 1.03e-06 allowed, at [0, 0]: got -0.187953815, want -0.187953815
// NULL: ok, largest error 1.19e-07 of 9.94e-07 allowed, at [0, 0]: got 1.06923079, want 1.06923091
// fusec: remark: random inputs, seed 0: double, x1, exp_f32, _a, lanes
