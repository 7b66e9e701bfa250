// Positions of the largest element: with NaN, equal elements, and rows that are all -inf.
// inputs: x -3..3
// run: fusec run %s --check --fn f -D N=7 -D D=33 > checks
// run: fusec run %s --check --fn f -D N=40 -D D=5 > checks
// run: fusec run %s --check --fn g -D N=7 -D D=33 > checks
// run: fusec run %s --check --fn g -D N=40 -D D=5 > checks
// run: fusec run %s --check --fn h -D N=7 -D D=33 > checks
// run: fusec run %s --check --fn h -D N=40 -D D=300 > checks
fn f[N, D](x: f32[N, D]) -> (y: i32[N], z: i32[D], w: i32[N]) {
    y = argmax(x);
    z = argmax(x, axis = 0);
    w = argmax(where(round(x) > 0, round(x), -inf));
}
fn g[N, D](x: f32[N, D], m: i32[N, D]) -> (y: i32[N], z: i32[N], w: i32[D]) {
    v = where(m == 1, x / 0, x);
    y = argmax(where(m == 3, 0 / (x - x), v));
    z = argmax(m);
    w = argmax(where(m == 3, 0 / (x - x), v), axis = 0);
}
fn h[N, D](x: f32[N, D]) -> (y: i32[N], z: i32[D]) {
    y = argmax(x - inf);
    z = argmax(x - inf, axis = 0);
}
// ---- expect
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x, m
// fusec: remark: random inputs, seed 0: x, m
// fusec: remark: random inputs, seed 0: x
// fusec: remark: random inputs, seed 0: x
