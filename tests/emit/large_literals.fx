// run: fusec run %s --check
fn f(x: f32[4], i: i64[4], k: i32[4]) -> (a: f32[4], b: i64[4], c: i32[4], d: f32[4]) {
    a = where(x > 3e38, inf, where(x < -3e38, -inf, x * 1e-45));
    b = i - 9223372036854775807 - 1;
    c = k - 2147483647 - 1;
    d = where(x > 2, nan, x);
}
