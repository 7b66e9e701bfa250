// run: fusec run %s --check -D N=40 -D M=5
// run: fusec run %s --check -D N=1 -D M=1
// What is scattered binds less than the addition: a selection, sums, a sign.
// inputs: i 0..M
fn f[N, M](
    x: f32[N],
    z: f32[N+3],
    h: f32[N, M],
    k: f64[N],
    i: i32[N+3]
) -> (a: f32[M], b: f32[M], c: f32[M], d: f32[3, M, M], e: f64[M], g: i32[M]) {
    padded = pad(x, 0, 1, 2, value = 0.5);
    a = scatter(full(-0.25, M), i, padded);
    b = scatter(full(1e8, M), i, 3e7 * z - 1e8);
    c = scatter(full(1.0, M), i, -z);
    d = broadcast(scatter(full(0.0, M, M), i[:N], where(h > 0, h, 2)), 3, M, M);
    e = scatter(full(0.0, M) as f64, i[3:], k - 1);
    g = scatter(full(7, M), i, where(z > 0, 3, i));
}
