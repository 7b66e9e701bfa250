// The sign of a NaN means nothing and is not shown: neither of a result, nor of the mean of -inf and inf.
// run: fusec run %s --check
// inputs: x -1..1
fn ends(x: f32[8]) -> (y: f32[8], z: f32[2]) {
    y = x / 0;
    z = concat(-sqrt(x[:1] - 2), sqrt(x[:1] - 2));
}
// ---- expect
// y: f32[8]  mean nan  max inf  checksum 0bb1f220648bd462
// z: f32[2]  nan 2  checksum ee9078d1206462a9
// y: ok, largest error 0 of 5.61e-45 allowed, at [0]: got -inf, want -inf
// z: ok, largest error 0 of 5.61e-45 allowed, at [0]: got nan, want nan
// fusec: remark: random inputs, seed 0: x
// nan_printed.fx:4:35: warning: 2 of 2 elements of z are NaN, so this checks little: give the inputs valid values, as with --range NAME=0..1
//   fn ends(x: f32[8]) -> (y: f32[8], z: f32[2]) {
//                                     ^
