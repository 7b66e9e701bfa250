// Dims keep the names that the model gives them, also where the emitted text has those words.
// run: fusec run %s --check -D row=4 -D int=8
fn f[row, int](x: f32[row, int], lanes: f32[int]) -> (y: f32[row, int]) {
    assert int % 2 == 0;
    y = softmax(x) * lanes;
}
// ---- expect
// y: f32[4, 8]  mean -0.01403  max 0.0701  checksum 813d44131eb89b8c
// y: ok, largest error 7.45e-09 of 1.23e-07 allowed, at [0, 1]: got -0.0959587321, want -0.0959587395
// fusec: remark: random inputs, seed 0: x, lanes
