// Running sums without the end of an axis: on a GPU the kernel of the sums stores no more than what is left.
// run: fusec run %s --check
fn f(x: f32[7, 130], w: bf16[9, 33, 24]) -> (y: f32[7, 101], z: f32[5, 130], flat: f32[901], all: f32[7, 130],
                                             down: bf16[9, 29, 24], both: f32[5, 101]) {
    c = cumsum(x, axis = 1);
    y = c[:, :101];
    z = c[:5];
    flat = reshape(c, 910)[:901];
    all = c;
    down = cumsum(w, axis = 1)[:, :29] as bf16;
    both = c[:5, :101];
}
// ---- expect
// y: f32[7, 101]  mean -3.271  max 2.92  checksum b023b22007277581
// z: f32[5, 130]  mean -3.556  max 2.92  checksum 8336a4070f91ec40
// flat: f32[901]  mean -3.575  max 2.92  checksum 00cfe4564839391a
// all: f32[7, 130]  mean -3.638  max 2.92  checksum c62cc9569328b047
// down: bf16[9, 29, 24]  mean 0.0753  max 8.125  checksum 7a509f1951e40ed3
// both: f32[5, 101]  mean -3.344  max 2.92  checksum cc54dc4b23f64d5d
// y: ok, largest error 9.54e-07 of 1.6e-05 allowed, mean 3.25e-07 of 4.68e-06, at [0, 47]: got -8.57641411, want -8.57641506
// z: ok, largest error 9.54e-07 of 1.06e-05 allowed, mean 3.88e-07 of 3.56e-06, at [0, 47]: got -8.57641411, want -8.57641506
// flat: ok, largest error 9.54e-07 of 1.7e-05 allowed, mean 3.76e-07 of 5.22e-06, at [47]: got -8.57641411, want -8.57641506
// all: ok, largest error 9.54e-07 of 1.89e-05 allowed, mean 3.86e-07 of 5.47e-06, at [0, 47]: got -8.57641411, want -8.57641506
// down: ok, largest error 0 of 0.00391 allowed, mean 0 of 0.00105, at [0, 0, 0]: got -0.671875, want -0.671875
// both: ok, largest error 9.54e-07 of 8.72e-06 allowed, mean 3.51e-07 of 3.16e-06, at [0, 47]: got -8.57641411, want -8.57641506
// fusec: remark: random inputs, seed 0: x, w
