// Scalars of sizes as the launcher computes them: each size is named once, and a divisor that is positive
// is not tested.
// run: fusec %s --target=cuda --no-test -o %t.cu
// run: fusec %s --target=c --no-test -o %t.c
// run: grep -hE "^    const (float|int|int64_t|i32|i64|f32|idx) [a-z_0-9]+ = .*fx_(most|least)" %t.cu %t.c
// run: fusec run %s --check -D N=3 -D S=9
// run: fusec run %s --check -D N=300 -D S=2
// run: fusec run %s --check -D N=5 -D S=5 -O0
fn scaled[N, S](x: f32[S], n: i32[N]) -> (y: f32[S], z: i32[N], w: i64[N]) {
    few = max(min(N, 8) * 3 - S, 1);
    y = x * (few as f32);
    z = n / min(max(N - S, 0), 5);
    w = n + (min(N * S, 100) as i64) / (max(S, 2) * 7 as i64) % (min(N, S) as i64 / (N - S));
}
// ---- expect
//     const float few = (float)fx_most((fx_least(N, 8) * 3) - S, 1);
//     const int min_i32 = (int32_t)fx_least(fx_most(N - S, 0), 5);
//     const float few_1 = (float)fx_most((fx_least(N, 8) * 3) - S, 1);
//     const int64_t mod = (((int64_t)(N - S) ? (int64_t)fx_least(S, N) / (int64_t)(N - S) : 0)
// y: f32[9]  mean -0.3119  max 0.8388  checksum 4b2ce830ec7ccd10
// z: i32[3]  mean 0  max 0  checksum 15fc2746e95c51d9
// w: i64[3]  mean 2.333  max 6  checksum dc49b420020f8077
// y: ok, largest error 0 of 4.49e-07 allowed, at [0]: got -0.931465685, want -0.931465685
// z: ok
// w: ok
// fusec: remark: random inputs, seed 0: x, n
// y: f32[2]  mean -1.019  max 18.45  checksum 94b0368c373dea33
// z: i32[300]  mean 0.5033  max 1  checksum 8b9e754724c446e1
// w: i64[300]  mean 4.54  max 9  checksum 737fedec43bde288
// y: ok, largest error 0 of 9.77e-06 allowed, at [0]: got -20.4922447, want -20.4922447
// z: ok
// w: ok
// fusec: remark: random inputs, seed 0: x, n
// y: f32[5]  mean -2.951  max 8.388  checksum 3eec210863595dba
// z: i32[5]  mean 0  max 0  checksum 87cf4fdcf70a3bff
// w: i64[5]  mean 2.4  max 6  checksum f9af3f570013c210
// y: ok, largest error 0 of 4.49e-06 allowed, at [0]: got -9.31465721, want -9.31465721
// z: ok
// w: ok
// fusec: remark: random inputs, seed 0: x, n
