// run: fusec run %s --check
// The temps of a chain of contractions take turns in two pieces of workspace.
fn f(x: f32[16, 16], w: f32[16, 16]) -> (y: f32[16, 16]) {
    y = tanh(tanh(tanh(tanh(x @ w) @ w) @ w) @ w);
}
// ---- expect
// y: f32[16, 16]  mean -0.01952  max 0.9995  checksum d8b1d18eed6cd6db
// y: ok, largest error 6.71e-07 of 1.72e-06 allowed, mean 1.19e-07 of 6.4e-07, at [8, 11]: got 0.217598557, want 0.217599228
// fusec: remark: random inputs, seed 0: x, w
