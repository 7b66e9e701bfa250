// run: fusec run %s --check
fn f(x: f32[4], i: i64[4], k: i32[4]) -> (a: f32[4], b: i64[4], c: i32[4], d: f32[4]) {
    a = where(x > 3e38, inf, where(x < -3e38, -inf, x * 1e-45));
    b = i - 9223372036854775807 - 1;
    c = k - 2147483647 - 1;
    d = where(x > 2, nan, x);
}
// ---- expect
// a: f32[4]  mean -3.503e-46  max 1.401e-45  checksum 02059539978ecfe7
// b: i64[4]  mean -9.223e+18  max -9223372036854775801  checksum 91563542fac5c270
// c: i32[4]  mean -2.147e+09  max -2147483640  checksum 04b3b68e6dd6af8f
// d: f32[4]  mean -0.2558  max 0.8388  checksum 9e55ff09e76f0671
// a: ok, largest error 0 of 5.61e-45 allowed, at [0]: got -1.40129846e-45, want -1.40129846e-45
// b: ok
// c: ok
// d: ok, largest error 0 of 4.49e-07 allowed, at [0]: got -0.931465685, want -0.931465685
// fusec: remark: random inputs, seed 0: x, i, k
