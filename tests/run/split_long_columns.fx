// Means and variances of long columns on a GPU: one kernel reads them once, in chunks that it keeps, and the next
// combines what it has found.
// run: fusec run %s --check
// run: fusec explain %s --arch=sm_90a -o %t.txt
// run: grep -E "^kernel|keep=" %t.txt
fn columns(x: f16[65, 1009, 64]) -> (y: f32[64], z: f16[65, 1009, 64]) {
    m = mean(x, axis = [0, 1]);
    v = var(x, axis = [0, 1]);
    y = m + v;
    z = (x - m) * rsqrt(v + 1e-5);
}
// ---- expect
// y: f32[64]  mean 0.3324  max 0.3385  checksum 747b91682a665fd7
// z: f16[65, 1009, 64]  mean -6.599e-08  max 1.744  checksum f5b3ba3b96f987e5
// y: ok, largest error 1.49e-07 of 1.29e-05 allowed, mean 6.03e-08 of 6.98e-06, at [27]: got 0.336007923, want 0.336007774
// z: ok, largest error 0.000977 of 0.000977 allowed, mean 7.39e-06 of 0.000228, at [0, 448, 54]: got 1.73046875, want 1.73144531
// fusec: remark: random inputs, seed 0: x
// kernel columns_0: row over [1009, 65, 64] along 65
//   tile      kind=column,threads=72,split=9,vector=8,keep=registers,unroll=4
// kernel columns_1: row over [1009, 64] along 1009
//   tile      kind=column,threads=1024,split=64,vector=4,keep=nothing,unroll=4
// kernel columns_2: pointwise over [65, 1009, 64]
