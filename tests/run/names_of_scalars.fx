// run: fusec run %s -D N=3 -D D=7 --check
// Scalars that the launcher computes have names of their own: `as_u7` is none of the user's.
fn f[N, D](as_u7: f32[N, D], mul_u5: f32[N, D]) -> (y: f32[N, D]) {
    scale = (2.0 * D) as f32;
    as_u12 = exp(as_u7 * mul_u5) * scale;
    y = as_u12 / mean(as_u12, keep = true);
}
// ---- expect
// y: f32[3, 7]  mean 1  max 1.781  checksum 996e98e541e9e771
// y: ok, largest error 1.19e-07 of 1.21e-06 allowed, at [0, 2]: got 1.14857078, want 1.1485709
// fusec: remark: random inputs, seed 0: as_u7, mul_u5
