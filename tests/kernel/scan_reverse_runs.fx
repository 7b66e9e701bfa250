// run: fusec run %s --check -D N=5 -D D=300
// kernels: 4
// Running sums from the end: of rows, of columns, beside reductions; not beside those from the start,
// nor beside argmax.
fn f[N, D](x: f32[N, D], i: i8[N, D]) -> (y: f32[N, D], z: f32[N, D], m: f32[N], u: i32[N, D], v: f32[D, N], w: f32[N, D], k: i32[N]) {
    y = cumsum(exp(x), reverse = true) / sum(exp(x), keep = true);
    m = max(y);
    z = cumsum(x * 2, axis = 0, reverse = true) + 1;
    u = cumsum(i, axis = 1, reverse = true);
    v = cumsum(x, reverse = true).T;
    w = cumsum(y);
    k = argmax(y);
}
