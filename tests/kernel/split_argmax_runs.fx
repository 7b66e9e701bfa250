// run: fusec run %s --check
// Positions of the largest elements of few long rows and columns: of many equals, and of NaNs, the
// first one.
fn largest(
    x: bf16[4, 83309],
    z: f32[131072],
    c: f32[2, 70000, 3]
) -> (y: i32[4], first: i32, of_nans: i32[2, 3]) {
    y = argmax(x, axis = 1);
    first = argmax(where(z > 0.5, 1.0, z));
    of_nans = argmax(where(c > 1.0, sqrt(-c), c), axis = 1);
}
// ---- expect
// y: i32[4]  mean 264.8  max 556  checksum 967194f2fd683c48
// first: i32  mean 0  max 0  checksum b87af8dc9a95beeb
// of_nans: i32[2, 3]  mean 1.427e+04  max 41191  checksum 30fd085edbd7fc94
// y: ok
// first: ok
// of_nans: ok
// fusec: remark: random inputs, seed 0: x, z, c
