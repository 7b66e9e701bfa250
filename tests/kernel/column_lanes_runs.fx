// run: fusec run %s --check -D N=37 -D D=21
// A sum down the columns: lanes run along the rows' axis, where memory is contiguous.
fn f[N, D](x: f32[N, D]) -> (y: f32[D]) {
    y = sum(x, axis = 0);
}
// ---- expect
// y: f32[21]  mean -1.418  max 2.759  checksum a9902ffae6bdcc57
// y: ok, largest error 9.54e-07 of 5.8e-06 allowed, at [0]: got -4.18766069, want -4.18765974
// fusec: remark: random inputs, seed 0: x
