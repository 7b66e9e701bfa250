// run: fusec run %s --check
fn f(a: f32, b: i64, c: bool) -> (y: f32, n: i64, d: bool) {
    y = where(c, a, -a) * 2;
    n = b * b;
    d = !c;
}
// ---- expect
// y: f32  mean 0.9049  max 0.9049  checksum 2add47351f155a18
// n: i64  mean 81  max 81  checksum cef5879e46a4259a
// d: bool  mean 0  max 0  checksum 7be083b336313c9e
// y: ok, largest error 0 of 4.31e-07 allowed, at []: got 0.90490818, want 0.90490818
// n: ok
// d: ok
// fusec: remark: random inputs, seed 0: a, b, c
