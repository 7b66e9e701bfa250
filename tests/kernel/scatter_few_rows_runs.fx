// Sums of few rows, whose positions are in parts, along each axis, of each type.
// run: fusec run %s --check -D N=2050 -D R=13
// run: fusec run %s --check -D N=4099 -D R=1
fn f[N, R](w: f32[R, 6], i: i32[N], x: f32[N, 6], z: bf16[3, N], v: f32[2, N, 4], s: f64[N], h: i32[64, 33]) ->
        (y: f32[R, 6], last: bf16[3, R], middle: f32[2, R, 4], long: f64[R], counts: i32[R], pairs: i32[9]) {
    y = scatter(w, i, 0.5 * x) * 2;
    last = scatter(full(0.0, 3, R), i, z, axis = 1);
    middle = scatter(full(1.0, 2, R, 4), i, v, axis = 1);
    long = scatter(full(0.0, R) as f64, i, s);
    counts = scatter(full(0, R), i, 1);
    pairs = scatter(full(0, 9), h, 1);
}
