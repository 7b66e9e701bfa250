// Rows and columns of computed operands that end within a tile: packs beyond the end are computed at a position
// inside. They add nothing to rows that are reduced behind the product, nor where columns are padded.
// run: fusec run %s --check -D M=70 -D K=72
// run: fusec run %s --check -D M=33 -D K=200
fn ragged[M, K](x: bf16[M, K], w: i8[50, K], s: f32[50], u: i8[40, K], v: i8[40, K], e: i32[40]) ->
        (soft: f32[M, 50], most: f32[M, 1], wide: f32[M, 300]) {
    soft = softmax(x @ ((w as f32 * s[:, None]) as bf16).T);
    most = max(-abs(x @ (cos(u as f32) as bf16).T) - 1.0, keep = true);
    wide = x @ pad(take(v, e % 40, axis = 0) as bf16, 0, 0, 260).T;
}
// ---- expect
// soft: f32[70, 50]  mean 0.02  max 1  checksum 47fd70860cf9f128
// most: f32[70, 1]  mean -1.116  max -1  checksum d4f3afbe78bd9763
// wide: f32[70, 300]  mean -0.01127  max 62.15  checksum 15539ec297b75db6
// soft: ok, largest error 1.79e-07 of 1.07e-06 allowed, mean 7.66e-09 of 8.53e-08, at [49, 32]: got 0.962920845, want 0.962920666
// most: ok, largest error 0 of 8.23e-07 allowed, mean 0 of 5.37e-07, at [0, 0]: got -1.12018204, want -1.12018204
// wide: ok, largest error 0 of 3.25e-05 allowed, mean 0 of 3.91e-06, at [0, 0]: got 15.1132812, want 15.1132812
// fusec: remark: random inputs, seed 0: x, w, s, u, v, e
// soft: f32[33, 50]  mean 0.02  max 1  checksum 7f6f8fa97a5700ae
// most: f32[33, 1]  mean -1.203  max -1.004  checksum 552f7d64bff3360f
// wide: f32[33, 300]  mean -0.417  max 78.79  checksum 0470370a2e3edf13
// soft: ok, largest error 1.19e-07 of 7.15e-07 allowed, mean 5.74e-09 of 7.87e-08, at [20, 39]: got 0.999189436, want 0.999189317
// most: ok, largest error 0 of 7.81e-07 allowed, at [0, 0]: got -1.03940582, want -1.03940582
// wide: ok, largest error 0 of 4.56e-05 allowed, mean 0 of 6.63e-06, at [0, 0]: got -60.1992188, want -60.1992188
// fusec: remark: random inputs, seed 0: x, w, s, u, v, e
