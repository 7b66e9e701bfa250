// Scatters into few elements, along each axis, of each type: sums that share a kernel, maxima and minima, rows that
// several warps have, indices that are computed, and out of range.
// run: fusec run %s --check --fn=sums -D N=2050 -D R=13
// run: fusec run %s --check --fn=sums -D N=4099 -D R=1
// run: fusec run %s --check --fn=sums -D N=70 -D R=300
// run: fusec run %s --check --fn=largest -D N=3001 -D R=7
// run: fusec run %s --check --fn=wide -D N=700 -D R=5 -D D=33
// run: fusec run %s --check --fn=wide -D N=333 -D R=10 -D D=100
// run: fusec run %s --check --fn=wide -D N=61 -D R=2 -D D=1100
fn sums[N, R](w: f32[R, 6], i: i32[N], x: f32[N, 6], z: bf16[3, N], v: f32[2, N, 4], s: f64[N], h: i32[64, 33], p: f32[7, N]) ->
        (y: f32[R, 6], last: bf16[3, R], middle: f32[2, R, 4], long: f64[R], a: f32[R], b: f32[R], counts: i32[R], pairs: i32[9]) {
    y = scatter(w, i, 0.5 * x) * 2;
    last = scatter(full(0.0, 3, R), i, z, axis = 1);
    middle = scatter(full(1.0, 2, R, 4), i, v, axis = 1);
    long = scatter(full(0.0, R) as f64, i, s);
    a = scatter(full(0.0, R), i, p[0] * sum(p, axis = 0));
    b = scatter(full(0.0, R), i, exp(p[1])) / (1 + abs(a));
    counts = scatter(full(0, R), i, 1);
    pairs = scatter(full(0, 9), h, 1);
}

fn largest[N, R](i: i64[N], x: f32[N], z: bf16[3, N], q: i32[N], t: i64[N, 2]) ->
        (most: i32[R], least: f32[R], up: bf16[3, R], all: i32[R], down: i64[R, 2]) {
    most = scatter(full(0, R), i % R, q, with = max);
    least = scatter(full(0.5, R), i % R, x, with = min);
    up = scatter(full(-1.0, 3, R) as bf16, i % R, z, axis = 1, with = max);
    all = scatter(full(2147483647, R), i % R, q);
    down = scatter(full(9, R, 2) as i64, i % R, t, with = min);
}

fn wide[N, R, D](i: i32[2, N], x: bf16[2, N, D], y: f32[2, N, D]) -> (sum: f32[R, D], both: f32[R, D]) {
    sum = scatter(full(0.0, R, D), i, x);
    both = scatter(full(1.0, R, D), i, x * y);
}
