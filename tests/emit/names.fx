// Names that a compiler, or our own text, would take for something else get a mark.
// run: fusec run %s --check -D VL=3 -D int=4
fn main[VL, int](double: f32[VL, int], x1: f32[VL, int], exp_f32: f32[int], _a: f32[int], lanes: f32[int])
    -> (restrict: f32[VL, int], NULL: f32[VL, int]) {
    restrict = double + x1 * exp_f32;
    NULL = exp(double) + _a + lanes;
}
